"""The workflow: its nodes, its edges, and every decision about what comes next.

::

    brief ──► N × candidate: draft or repair ──► check ──► repair ──► check …  ──► finish

Drawn in docs/workflow.md; a test compares the drawing with the compiled graph.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from langgraph.graph import END, START, StateGraph
from langgraph.types import Send

from authoring.context import AuthoringContext
from authoring.nodes.check import check
from authoring.nodes.draft import draft
from authoring.nodes.finish import finish
from authoring.nodes.repair import repair
from authoring.state import BriefState, CandidateOutput, CandidateState, TurnResult

if TYPE_CHECKING:
    from langgraph.checkpoint.base import BaseCheckpointSaver
    from langgraph.graph.state import CompiledStateGraph

Step: TypeAlias = Literal["draft", "check", "repair", "__end__"]


def candidates_of(state: BriefState) -> list[Send]:
    """One candidate in parallel for each index."""
    return [
        Send(
            "candidate",
            CandidateState(brief=state["brief"], order=state["order"], index=index, repairs=state["repairs"], turns=[]),
        )
        for index in range(state["candidates"])
    ]


def next_step(state: CandidateState) -> Step:
    """What follows the last turn of a candidate.

    ======================  =================================================
    last turn               next
    ======================  =================================================
    none                    ``draft``; with a repair order ``repair``
    drafted                 ``check``
    failed, unusable        once more, while turns are left; else the end
    passed, inconclusive,   the end
    refused, troubled
    ======================  =================================================

    Once more means ``repair`` when there is a candidate to mend (or a repair order), else ``draft``.
    """
    if not state["turns"]:
        return _writing(state)
    last = state["turns"][-1]
    if last.result is TurnResult.DRAFTED:
        return "check"
    if last.result in (TurnResult.FAILED, TurnResult.UNUSABLE) and last.number <= state["repairs"]:
        return _writing(state)
    return "__end__"


def _writing(state: CandidateState) -> Literal["draft", "repair"]:
    to_mend = state["order"] or any(turn.candidate for turn in state["turns"])
    return "repair" if to_mend else "draft"


def recursion_limit(repairs: int) -> int:
    """More supersteps than a bounded candidate can take: two for each turn, and some to spare."""
    return 2 * (repairs + 1) + 10


def build_graph(checkpointer: BaseCheckpointSaver[str] | None = None) -> CompiledStateGraph[Any, Any, Any, Any]:
    """Compile the workflow; ``ainvoke`` it with a :class:`BriefState` and an :class:`AuthoringContext`."""
    candidate = StateGraph(CandidateState, context_schema=AuthoringContext, output_schema=CandidateOutput)
    candidate.add_node("draft", draft)
    candidate.add_node("check", check)
    candidate.add_node("repair", repair)
    candidate.add_conditional_edges(START, next_step, ["draft", "repair"])
    candidate.add_conditional_edges("draft", next_step, ["check", "draft", END])
    candidate.add_conditional_edges("check", next_step, ["repair", END])
    candidate.add_conditional_edges("repair", next_step, ["check", "repair", END])

    brief = StateGraph(BriefState, context_schema=AuthoringContext)
    brief.add_node("candidate", candidate.compile())
    brief.add_node("finish", finish)
    brief.add_conditional_edges(START, candidates_of, ["candidate"])
    brief.add_edge("candidate", "finish")
    brief.add_edge("finish", END)
    return brief.compile(checkpointer=checkpointer)
