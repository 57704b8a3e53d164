"""The node that holds a candidate which passed the gate against independent voices."""

from __future__ import annotations

from dataclasses import replace

from langgraph.runtime import Runtime

from authoring.context import AuthoringContext
from authoring.model_author import brief_text
from authoring.nodes.analyse import specification_text
from authoring.nodes.good_order import in_good_order
from authoring.opposition.hearing import Opposition, hear, opposition_on, put_opposition
from authoring.state import CandidateState, Turn, TurnResult, TurnUpdate
from authoring.testimony import codes
from bootcamp_kit.errors import MachineError
from chat_models.errors import EndpointRefused
from sandbox.escaping import escaped

MAX_REASON_CHARS = 600


@in_good_order
async def oppose(state: CandidateState, runtime: Runtime[AuthoringContext]) -> TurnUpdate:
    """Hear the opponents. The same bytes are heard once in a run.

    Raises:
        EndpointRefused: no call would succeed.
        BudgetError: the run's limit is reached.
    """
    context, turn = runtime.context, state["turns"][-1]
    brief = context.run.artefacts.brief(state["brief"])
    context.tell(brief.id, turn.index, "oppose", "started", turn.candidate)
    try:
        async with context.alone(f"oppose {turn.candidate}"):
            found = opposition_on(turn.candidate, context.run)
            if found is None:
                found = await hear(
                    brief.id,
                    brief_text(brief),
                    specification_text(state["specification"], context),
                    context.run.artefacts.folder(turn.candidate),
                    f"{brief.id}-c{turn.index}-t{turn.number}",
                    context,
                )
                put_opposition(turn.candidate, found, context.run)
    except EndpointRefused:
        raise
    except MachineError as error:
        reason = escaped(str(error), MAX_REASON_CHARS)
        held = replace(turn, result=TurnResult.TROUBLED, reason=reason, stage="oppose")
        context.tell(brief.id, turn.index, "oppose", held.result, held.reason, {"turn": turn.number})
        return {"turns": [held]}
    held = weigh(turn, found)
    said = f"{held.reason}; {found.words}" if held.reason else found.words
    context.tell(brief.id, turn.index, "oppose", held.result, said, {"turn": turn.number, **found.figures})
    return {"turns": [held]}


def weigh(turn: Turn, found: Opposition) -> Turn:
    """A turn with what the opponents came to."""
    result = TurnResult.CONTESTED if found.objections else TurnResult.STOOD
    return replace(
        turn,
        result=result,
        reason=codes(found.findings),
        objections=found.objections,
        confirmed=found.confirmed,
        stage="oppose",
    )
