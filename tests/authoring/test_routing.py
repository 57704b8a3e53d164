"""Every decision about what comes next, as a table."""

from __future__ import annotations

import pytest
from langgraph.types import Send

from authoring.graph import build_graph, candidates_of, next_step
from authoring.state import BriefState, CandidateState, Turn, TurnResult

R = TurnResult


def state(*results: TurnResult, repairs: int = 2, order: str = "", written: bool = True) -> CandidateState:
    turns = [
        Turn(0, number, result, candidate="c" if written and result not in (R.UNUSABLE, R.REFUSED) else "")
        for number, result in enumerate(results, 1)
    ]
    return CandidateState(brief="b", order=order, index=0, repairs=repairs, turns=turns)


@pytest.mark.parametrize(
    ("given", "then"),
    [
        (state(), "draft"),
        (state(order="o"), "repair"),
        (state(R.DRAFTED), "check"),
        (state(R.PASSED), "__end__"),
        (state(R.INCONCLUSIVE), "__end__"),
        (state(R.REFUSED), "__end__"),
        (state(R.TROUBLED), "__end__"),
        (state(R.TROUBLED, written=False), "__end__"),
        (state(R.UNUSABLE), "draft"),
        (state(R.UNUSABLE, order="o"), "repair"),
        (state(R.FAILED), "repair"),
        (state(R.FAILED, R.UNUSABLE), "repair"),
        (state(R.FAILED, R.DRAFTED), "check"),
        (state(R.FAILED, R.FAILED), "repair"),
        (state(R.FAILED, R.REFUSED), "__end__"),
        (state(R.FAILED, R.FAILED, R.FAILED), "__end__"),
        (state(R.UNUSABLE, R.UNUSABLE, R.UNUSABLE), "__end__"),
        (state(R.UNUSABLE, R.FAILED, R.DRAFTED), "check"),
        (state(R.FAILED, repairs=0), "__end__"),
        (state(R.UNUSABLE, repairs=0), "__end__"),
        (state(R.FAILED, repairs=1), "repair"),
        (state(R.FAILED, R.FAILED, repairs=1), "__end__"),
    ],
)
def test_what_follows_the_last_turn(given: CandidateState, then: str) -> None:
    assert next_step(given) == then


@pytest.mark.parametrize("repairs", [0, 1, 3])
@pytest.mark.parametrize("result", [R.FAILED, R.UNUSABLE])
def test_a_candidate_never_takes_more_turns_than_allowed(repairs: int, result: TurnResult) -> None:
    results: list[TurnResult] = []
    while next_step(state(*results, repairs=repairs)) in ("draft", "repair"):
        results.append(result)
    assert len(results) == repairs + 1


def test_each_index_gets_one_candidate() -> None:
    brief = BriefState(brief="b", order="o", candidates=3, repairs=1, turns=[], outcome=None)
    sent = candidates_of(brief)
    assert all(isinstance(item, Send) and item.node == "candidate" for item in sent)
    assert [item.arg["index"] for item in sent] == [0, 1, 2]
    assert {item.arg["order"] for item in sent} == {"o"}


def test_the_edges_are_those_of_the_table() -> None:
    edges = {(edge.source, edge.target) for edge in build_graph().get_graph(xray=True).edges}
    assert edges == {
        ("__start__", "candidate:__start__"),
        ("candidate:__start__", "candidate:draft"),
        ("candidate:__start__", "candidate:repair"),
        ("candidate:draft", "candidate:check"),
        ("candidate:draft", "candidate:draft"),
        ("candidate:draft", "candidate:__end__"),
        ("candidate:check", "candidate:repair"),
        ("candidate:check", "candidate:__end__"),
        ("candidate:repair", "candidate:check"),
        ("candidate:repair", "candidate:repair"),
        ("candidate:repair", "candidate:__end__"),
        ("candidate:__end__", "finish"),
        ("finish", "__end__"),
    }
