"""What the two writing nodes share: the assignment of the next turn, and the record of what came of it."""

from __future__ import annotations

from collections.abc import Awaitable

from authoring.artefacts import turn_slot
from authoring.author import Assignment, Draft, Refused, Unusable
from authoring.context import AuthoringContext
from authoring.nodes.analyse import specification_text
from authoring.state import CandidateState, Turn, TurnResult, TurnUpdate
from bootcamp_kit.brief import Brief
from bootcamp_kit.errors import MachineError
from chat_models.errors import EndpointRefused
from sandbox.escaping import escaped

MAX_REASON_CHARS = 600


def next_assignment(state: CandidateState, brief: Brief, context: AuthoringContext) -> Assignment:
    """The turn after those in the state."""
    last = state["turns"][-1] if state["turns"] else None
    complaint = last.reason if last and last.result is TurnResult.UNUSABLE else ""
    number = (last.number if last else 0) + 1
    specification = specification_text(state["specification"], context)
    return Assignment(brief, state["index"], number, context.run, complaint, specification)


async def take_turn(work: Assignment, node: str, draft: Awaitable[Draft], context: AuthoringContext) -> TurnUpdate:
    """Await the author, store what it wrote, and say what came of it.

    A failure of the provider or the sandbox on this turn is data, so that the other candidates go on; one that would
    meet every further call too ends the run.

    Raises:
        EndpointRefused: key, credit or model name: no call would succeed.
        MachineError: what was made could not be stored.
        BudgetError: the run's limit is reached.
    """
    context.tell(work.brief.id, work.index, node, "started")
    try:
        made = await draft
    except EndpointRefused:
        raise
    except MachineError as error:
        turn = Turn(work.index, work.number, TurnResult.TROUBLED, reason=escaped(str(error), MAX_REASON_CHARS))
    else:
        turn = _record(work, made, context)
    said = turn.reason or turn.candidate
    context.tell(work.brief.id, work.index, node, turn.result, said, {"turn": work.number})
    return {"turns": [turn]}


def _record(work: Assignment, made: Draft, context: AuthoringContext) -> Turn:
    if isinstance(made, Refused):
        return Turn(
            work.index,
            work.number,
            TurnResult.REFUSED,
            reason=escaped(f"{made.stage}: {made.reason}", MAX_REASON_CHARS),
        )
    if isinstance(made, Unusable):
        return Turn(work.index, work.number, TurnResult.UNUSABLE, reason=escaped(made.reason, MAX_REASON_CHARS))
    name = context.run.artefacts.put_candidate(made, turn_slot(work.index, work.number))
    return Turn(work.index, work.number, TurnResult.DRAFTED, candidate=name)
