"""Pass rates with intervals, and what follows from them."""

from __future__ import annotations

import pytest

from authoring.calibration import band_findings, figures_of, otherwise, unsolved
from authoring.opposition.exhibits import Exhibit, Tried
from authoring.settings import AuthoringSettings
from bootcamp_kit.case import Case, Score
from evaluation.scoring import Judgement, Unscored


def panel(right: dict[int, int], each: int, *, answer: object = 5) -> tuple[list[Exhibit], list[Tried]]:
    """``right[level]`` of ``each`` attempts at one case of each level are right."""
    shown = [Exhibit(Case("t", level, 0, {}, {}), "p", "<answer>1</answer>") for level in right]
    solved = [
        Tried(
            place,
            f"<answer>{answer}</answer>",
            "panel",
            Judgement(Score.correct() if number < count else Score.wrong("no"), answer=answer),
        )
        for place, count in enumerate(right.values())
        for number in range(each)
    ]
    return shown, solved


@pytest.mark.parametrize(
    ("right", "each", "then"),
    [
        ({1: 2, 5: 1}, 2, []),
        ({1: 0, 5: 0}, 5, []),
        ({1: 0, 5: 0}, 200, ["calibrate.too_hard"]),
        ({1: 2, 5: 2}, 2, []),
        ({1: 200, 5: 200}, 200, ["calibrate.too_easy"]),
        ({1: 1, 5: 19}, 20, ["calibrate.inverted"]),
        ({1: 1, 5: 2}, 2, []),
    ],
)
def test_only_what_the_interval_leaves_no_doubt_about_is_said(
    right: dict[int, int], each: int, then: list[str]
) -> None:
    shown, solved = panel(right, each)
    assert [finding.code for finding in band_findings(shown, solved, AuthoringSettings())] == then


def test_the_figures_hold_every_level_with_its_interval() -> None:
    shown, solved = panel({1: 8, 3: 4}, 8)
    figures = figures_of(shown, solved, 0)
    assert (figures["solved"], figures["asked"], figures["separation"]) == (12, 16, 0.5)
    assert figures["levels"]["1"][:2] == [8, 8]
    assert 0.6 < figures["levels"]["1"][2] < figures["levels"]["1"][3] == 1.0


def test_a_response_without_a_score_is_not_counted_as_wrong() -> None:
    shown, solved = panel({1: 1}, 1)
    crashed = Tried(0, "x", "panel", Judgement(None, Unscored.VERIFIER_CRASH, "boom"))
    assert figures_of(shown, [*solved, crashed], 0)["asked"] == 1


def test_attempts_that_agree_on_a_rejected_answer_are_an_objection() -> None:
    shown, solved = panel({1: 0, 2: 2}, 2)
    own = [Tried(0, "<answer>1</answer>", "oracle", Judgement(Score.correct(), answer=1))]
    assert unsolved(solved) == [0]
    (finding,) = otherwise(shown, own, solved)
    assert (finding.code, finding.severity.value) == ("calibrate.panel_agrees_otherwise", "major")
    assert not otherwise(shown, own, solved[:1])
