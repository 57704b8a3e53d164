"""The node that has a task written from its brief."""

from __future__ import annotations

from langgraph.runtime import Runtime

from authoring.context import AuthoringContext
from authoring.nodes.good_order import in_good_order
from authoring.nodes.turns import next_assignment, take_turn
from authoring.state import CandidateState, TurnUpdate


@in_good_order
async def draft(state: CandidateState, runtime: Runtime[AuthoringContext]) -> TurnUpdate:
    """One turn of the author, from the brief."""
    context = runtime.context
    work = next_assignment(state, context.run.artefacts.brief(state["brief"]), context)
    return await take_turn(work, "draft", context.author.draft(work), context)
