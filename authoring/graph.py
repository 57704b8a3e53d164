"""The workflow: its nodes, its edges, and every decision about what comes next.

::

    brief ──► analyse ──► N × candidate ──► compare ──► finish
    candidate: draft or repair ──► check ──► oppose ──► calibrate; what is found at any of them goes back to repair

Analyse, oppose, calibrate and compare can be switched off. Drawn in docs/workflow.md; a test compares the drawing with
the compiled graph.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from langgraph.graph import END, START, StateGraph
from langgraph.types import Send

from authoring.choose import no_progress
from authoring.context import AuthoringContext
from authoring.nodes.analyse import analyse
from authoring.nodes.calibrate import calibrate
from authoring.nodes.check import check
from authoring.nodes.compare import compare
from authoring.nodes.draft import draft
from authoring.nodes.finish import finish
from authoring.nodes.oppose import oppose
from authoring.nodes.repair import repair
from authoring.state import STATE_CLASSES, BriefState, CandidateOutput, CandidateState, TurnResult
from bootcamp_kit.jsondata import canonical, digest

if TYPE_CHECKING:
    from langgraph.checkpoint.base import BaseCheckpointSaver
    from langgraph.graph.state import CompiledStateGraph

Step: TypeAlias = Literal["draft", "check", "oppose", "calibrate", "repair", "__end__"]

_THROUGH = (TurnResult.PASSED, TurnResult.STOOD, TurnResult.MEASURED)
_MENDABLE = (TurnResult.FAILED, TurnResult.UNUSABLE, TurnResult.CONTESTED, TurnResult.OUTSIDE)


def first_step(state: BriefState) -> Literal["analyse"] | list[Send]:
    """The analyst first, where that stage is on."""
    return "analyse" if "analyse" in state["stages"] else candidates_of(state)


def candidates_of(state: BriefState) -> list[Send]:
    """One candidate in parallel for each index."""
    return [
        Send(
            "candidate",
            CandidateState(
                brief=state["brief"],
                order=state["order"],
                specification=state["specification"],
                stages=state["stages"],
                index=index,
                repairs=state["repairs"],
                turns=[],
            ),
        )
        for index in range(state["candidates"])
    ]


def next_step(state: CandidateState) -> Step:
    """What follows the last turn of a candidate.

    ==============================  =================================================
    last turn                       next
    ==============================  =================================================
    none                            ``draft``; with a repair order ``repair``
    drafted                         ``check``
    passed                          ``oppose``, else ``calibrate``, else the end
    stood                           ``calibrate``, else the end
    failed, unusable, contested,    once more, while turns are left and there is
    outside                         progress; else the end
    inconclusive, refused,          the end
    troubled
    ==============================  =================================================

    A stage that is switched off is passed over. A candidate at the end of its stages which the gate found something
    heavy against (a major finding does not fail it) goes once more too: mended now it costs a turn, later a reviewer.
    Once more means ``repair`` when there is a candidate to mend (or a
    repair order), else ``draft``.
    """
    if not state["turns"]:
        return _writing(state)
    last = state["turns"][-1]
    if last.result is TurnResult.DRAFTED:
        return "check"
    if last.result is TurnResult.PASSED and "oppose" in state["stages"]:
        return "oppose"
    if last.result in (TurnResult.PASSED, TurnResult.STOOD) and "calibrate" in state["stages"]:
        return "calibrate"
    mendable = last.result in _MENDABLE or (last.result in _THROUGH and last.heavy)
    if mendable and last.number <= state["repairs"] and not no_progress(state["turns"]):
        return _writing(state)
    return "__end__"


def _writing(state: CandidateState) -> Literal["draft", "repair"]:
    to_mend = state["order"] or any(turn.candidate for turn in state["turns"])
    return "repair" if to_mend else "draft"


def after_candidates(state: BriefState) -> Literal["compare", "finish"]:
    """The comparison with the library, where that stage is on."""
    return "compare" if "compare" in state["stages"] else "finish"


def recursion_limit(repairs: int) -> int:
    """More supersteps than a bounded candidate can take: four for each turn, and some to spare."""
    return 4 * (repairs + 1) + 10


def checkpoint_version() -> int:
    """A number that changes with what a checkpoint is made of: the nodes, the states, the classes in them. Never 0."""
    classes: dict[str, list[str]] = {
        cls.__name__: [*(cls.__dict__.get("__dataclass_fields__") or cls.__dict__["_member_names_"])]
        for cls in STATE_CLASSES
    }
    states = {state.__name__: [*state.__annotations__] for state in (BriefState, CandidateState, CandidateOutput)}
    shape = {"nodes": [*build_graph().get_graph(xray=True).nodes], "states": states, "classes": classes}
    return int(digest(canonical(shape))[:7], 16) + 1


def build_graph(checkpointer: BaseCheckpointSaver[str] | None = None) -> CompiledStateGraph[Any, Any, Any, Any]:
    """Compile the workflow; ``ainvoke`` it with a :class:`BriefState` and an :class:`AuthoringContext`."""
    candidate = StateGraph(CandidateState, context_schema=AuthoringContext, output_schema=CandidateOutput)
    candidate.add_node("draft", draft)
    candidate.add_node("check", check)
    candidate.add_node("oppose", oppose)
    candidate.add_node("calibrate", calibrate)
    candidate.add_node("repair", repair)
    candidate.add_conditional_edges(START, next_step, ["draft", "repair"])
    candidate.add_conditional_edges("draft", next_step, ["check", "draft", END])
    candidate.add_conditional_edges("check", next_step, ["oppose", "calibrate", "repair", END])
    candidate.add_conditional_edges("oppose", next_step, ["calibrate", "repair", END])
    candidate.add_conditional_edges("calibrate", next_step, ["repair", END])
    candidate.add_conditional_edges("repair", next_step, ["check", "repair", END])

    brief = StateGraph(BriefState, context_schema=AuthoringContext)
    brief.add_node("analyse", analyse)
    brief.add_node("candidate", candidate.compile())
    brief.add_node("compare", compare)
    brief.add_node("finish", finish)
    brief.add_conditional_edges(START, first_step, ["analyse", "candidate"])
    brief.add_conditional_edges("analyse", candidates_of, ["candidate"])
    brief.add_conditional_edges("candidate", after_candidates, ["compare", "finish"])
    brief.add_edge("compare", "finish")
    brief.add_edge("finish", END)
    return brief.compile(checkpointer=checkpointer)
