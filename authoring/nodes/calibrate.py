"""The node that has a candidate solved by a panel."""

from __future__ import annotations

from dataclasses import replace

from langgraph.runtime import Runtime

from authoring.calibration import Calibration, measure_panel
from authoring.context import AuthoringContext
from authoring.nodes.good_order import in_good_order
from authoring.nodes.oppose import MAX_REASON_CHARS
from authoring.opposition.hearing import opposition_on
from authoring.state import CandidateState, Turn, TurnResult, TurnUpdate
from authoring.testimony import codes
from bootcamp_kit.errors import MachineError
from chat_models.errors import EndpointRefused
from sandbox.escaping import escaped


@in_good_order
async def calibrate(state: CandidateState, runtime: Runtime[AuthoringContext]) -> TurnUpdate:
    """Measure the pass rate. The same bytes are measured once in a run.

    Raises:
        EndpointRefused: no call would succeed.
        BudgetError: the run's limit is reached.
    """
    context, turn = runtime.context, state["turns"][-1]
    brief_id = context.run.artefacts.brief(state["brief"]).id
    context.tell(brief_id, turn.index, "calibrate", "started", turn.candidate)
    try:
        async with context.alone(f"calibrate {turn.candidate}"):
            found = calibration_of(turn.candidate, context)
            if found is None:
                folder = context.run.artefacts.folder(turn.candidate)
                opposition = opposition_on(turn.candidate, context.run)
                second = opposition.second if opposition else ""
                found = await measure_panel(
                    brief_id, folder, second, f"{brief_id}-c{turn.index}-t{turn.number}", context
                )
                context.run.artefacts.put_record(_name(turn.candidate), found.to_json())
    except EndpointRefused:
        raise
    except MachineError as error:
        reason = escaped(str(error), MAX_REASON_CHARS)
        held = replace(turn, result=TurnResult.TROUBLED, reason=reason, stage="calibrate")
        context.tell(brief_id, turn.index, "calibrate", held.result, held.reason, {"turn": turn.number})
        return {"turns": [held]}
    held = weigh(turn, found)
    said = f"{held.reason}; {found.words}" if held.reason else found.words
    context.tell(brief_id, turn.index, "calibrate", held.result, said, {"turn": turn.number, **found.figures})
    return {"turns": [held]}


def weigh(turn: Turn, found: Calibration) -> Turn:
    """A turn with what the panel came to."""
    result = TurnResult.OUTSIDE if found.outside else TurnResult.CONTESTED if found.objections else TurnResult.MEASURED
    return replace(
        turn,
        result=result,
        reason=codes(found.findings),
        objections=turn.objections + found.objections,
        confirmed=turn.confirmed + found.confirmed,
        stage="calibrate",
    )


def calibration_of(content_hash: str, context: AuthoringContext) -> Calibration | None:
    """What the panel came to on these bytes earlier in this run."""
    raw = context.run.artefacts.record(_name(content_hash))
    return Calibration.from_json(raw) if raw else None


def _name(content_hash: str) -> str:
    return f"calibration-{content_hash}"
