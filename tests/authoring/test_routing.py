"""Every decision about what comes next, as a table."""

from __future__ import annotations

import pytest
from langgraph.types import Send

from authoring.graph import after_candidates, build_graph, candidates_of, first_step, next_step
from authoring.state import BriefState, CandidateState, Turn, TurnResult

R = TurnResult
BOTH = ("oppose", "calibrate")
MENDED = (R.FAILED, R.CONTESTED, R.OUTSIDE)


def state(
    *results: TurnResult,
    repairs: int = 2,
    order: str = "",
    written: bool = True,
    stages: tuple[str, ...] = (),
    better: bool = True,
    heavy: int | None = None,
) -> CandidateState:
    turns = [
        Turn(
            0,
            number,
            result,
            candidate="c" if written and result not in (R.UNUSABLE, R.REFUSED) else "",
            heavy=heavy if heavy is not None else (10 - number if better else 5) if result in MENDED else 0,
        )
        for number, result in enumerate(results, 1)
    ]
    return CandidateState(
        brief="b", order=order, specification="", stages=list(stages), index=0, repairs=repairs, turns=turns
    )


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
        (state(R.PASSED, stages=BOTH), "oppose"),
        (state(R.PASSED, stages=("calibrate",)), "calibrate"),
        (state(R.PASSED, stages=("analyse", "compare")), "__end__"),
        (state(R.STOOD, stages=BOTH), "calibrate"),
        (state(R.STOOD, stages=("oppose",)), "__end__"),
        (state(R.MEASURED, stages=BOTH), "__end__"),
        (state(R.CONTESTED, stages=BOTH), "repair"),
        (state(R.OUTSIDE, stages=BOTH), "repair"),
        (state(R.CONTESTED, stages=BOTH, repairs=0), "__end__"),
        (state(R.CONTESTED, R.DRAFTED, stages=BOTH), "check"),
        (state(R.CONTESTED, R.PASSED, stages=BOTH), "oppose"),
        (state(R.CONTESTED, R.CONTESTED, R.OUTSIDE, stages=BOTH), "__end__"),
        (state(R.TROUBLED, stages=BOTH), "__end__"),
        (state(R.PASSED, heavy=1), "repair"),
        (state(R.PASSED, heavy=1, stages=BOTH), "oppose"),
        (state(R.STOOD, heavy=1, stages=("oppose",)), "repair"),
        (state(R.MEASURED, heavy=1, stages=BOTH), "repair"),
        (state(R.MEASURED, R.PASSED, R.PASSED, heavy=1), "__end__"),
        (state(R.INCONCLUSIVE, heavy=1), "__end__"),
        (state(R.FAILED, R.FAILED, R.FAILED, repairs=9), "repair"),
        (state(R.FAILED, R.FAILED, R.FAILED, repairs=9, better=False), "__end__"),
        (state(R.FAILED, R.FAILED, R.CONTESTED, repairs=9, better=False), "repair"),
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


def brief_state(*stages: str) -> BriefState:
    return BriefState(
        brief="b",
        order="o",
        specification="s",
        stages=list(stages),
        candidates=3,
        repairs=1,
        turns=[],
        outcome=None,
    )


def test_stages_that_are_off_are_passed_over() -> None:
    assert first_step(brief_state("analyse")) == "analyse"
    assert len(first_step(brief_state("oppose"))) == 3
    assert after_candidates(brief_state("compare")) == "compare"
    assert after_candidates(brief_state()) == "finish"


def test_each_index_gets_one_candidate() -> None:
    brief = brief_state()
    sent = candidates_of(brief)
    assert all(isinstance(item, Send) and item.node == "candidate" for item in sent)
    assert [item.arg["index"] for item in sent] == [0, 1, 2]
    assert {(item.arg["order"], item.arg["specification"]) for item in sent} == {("o", "s")}


def test_the_edges_are_those_of_the_table() -> None:
    edges = {(edge.source, edge.target) for edge in build_graph().get_graph(xray=True).edges}
    assert edges == {
        ("__start__", "analyse"),
        ("__start__", "candidate:__start__"),
        ("analyse", "candidate:__start__"),
        ("candidate:__start__", "candidate:draft"),
        ("candidate:__start__", "candidate:repair"),
        ("candidate:draft", "candidate:check"),
        ("candidate:draft", "candidate:draft"),
        ("candidate:draft", "candidate:__end__"),
        ("candidate:check", "candidate:oppose"),
        ("candidate:check", "candidate:calibrate"),
        ("candidate:check", "candidate:repair"),
        ("candidate:check", "candidate:__end__"),
        ("candidate:oppose", "candidate:calibrate"),
        ("candidate:oppose", "candidate:repair"),
        ("candidate:oppose", "candidate:__end__"),
        ("candidate:calibrate", "candidate:repair"),
        ("candidate:calibrate", "candidate:__end__"),
        ("candidate:repair", "candidate:check"),
        ("candidate:repair", "candidate:repair"),
        ("candidate:repair", "candidate:__end__"),
        ("candidate:__end__", "compare"),
        ("candidate:__end__", "finish"),
        ("compare", "finish"),
        ("finish", "__end__"),
    }
