"""What is believed of what opponents say, as a table."""

from __future__ import annotations

from typing import Any

import pytest

from authoring.opposition.claims import RIGHT_REJECTED, WRONG_ACCEPTED, BlindSolve, Claim, Claims, missing_fact
from authoring.opposition.exhibits import Exhibit, Tried
from authoring.opposition.judgement import Hearing, Standing, believed, disagreements, judge_hearing, standing
from bootcamp_kit.case import Case, Score
from evaluation.scoring import Judgement, Unscored

SHOWN = [
    Exhibit(Case("t", level, 7, {}, {"n": level}), f"prompt {level}", f"<answer>{level}</answer>") for level in (1, 2)
]


def tried(
    source: str, accepted: bool | None, answer: Any = 99, *, place: int = 0, claim: str = "", malformed: bool = False
) -> Tried:
    if malformed:
        judged = Judgement(Score.malformed("no answer"))
    elif accepted is None:
        judged = Judgement(None, Unscored.VERIFIER_CRASH, "ZeroDivisionError")
    else:
        judged = Judgement(Score.correct() if accepted else Score.wrong("no"), answer=answer)
    return Tried(place, f"<answer>{answer}</answer>", source, judged, claim, "because" if claim else "")


RIGHT = [tried("oracle", True, 1, place=0), tried("oracle", True, 2, place=1)]
MISSES = [tried("mutant", False, 10 + number) for number in range(5)]
AGREES = [True, True, *[False] * 5]
DOUBTS_ONE = [True, False, *[False] * 5]
LAX = [True, True, *[True] * 5]
NEVER = [False] * 7
SILENT: list[bool | None] = [None] * 7


def test_a_second_judge_that_doubts_most_right_answers_has_misread_the_task() -> None:
    items = [tried("oracle", True, number) for number in range(5)]
    said = {0: True, 1: True, 2: False, 3: False, 4: False}
    assert standing(Hearing(SHOWN, items, said)) is Standing.NONE
    assert standing(Hearing(SHOWN, items, {**said, 2: True})) is Standing.MIXED


def hearing(opinions: list[Any], *more: tuple[Tried, bool | None], unique: bool = False, **rest: Any) -> Hearing:
    items = [*RIGHT, *MISSES, *(item for item, _ in more)]
    said = dict(enumerate([*opinions, *(opinion for _, opinion in more)]))
    return Hearing(SHOWN, items, {k: v for k, v in said.items() if v is not None}, unique=unique, **rest)


def weighed(found: Hearing) -> list[tuple[str, str]]:
    return sorted({(finding.code.removeprefix("oppose."), finding.severity.value) for finding in judge_hearing(found)})


@pytest.mark.parametrize(
    ("opinions", "word"),
    [(AGREES, "credible"), (DOUBTS_ONE, "mixed"), (LAX, "mixed"), (NEVER, "none"), (SILENT, "none")],
)
def test_the_standing_of_a_second_judge_is_measured(opinions: list[Any], word: str) -> None:
    assert standing(hearing(opinions)) is Standing(word)


WRONG_TAKEN = tried("attack", True, claim=WRONG_ACCEPTED)
RIGHT_LEFT = tried("attack", False, claim=RIGHT_REJECTED)
BOTH, ONE = [("accepts_wrong", "blocker")], [("accepts_wrong", "major")]
LEFT, LEFT_ONE = [("rejects_right", "blocker")], [("rejects_right", "major")]


@pytest.mark.parametrize(
    ("found", "then"),
    [
        (hearing(AGREES), []),
        (hearing(NEVER), []),
        (hearing(AGREES, (WRONG_TAKEN, False)), BOTH),
        (hearing(SILENT, (WRONG_TAKEN, None)), ONE),
        (hearing(SILENT, (WRONG_TAKEN, None), unique=True), BOTH),
        (hearing(AGREES, (WRONG_TAKEN, True)), []),
        (hearing(NEVER, (WRONG_TAKEN, True)), ONE),
        (hearing(AGREES, (tried("attack", False, claim=WRONG_ACCEPTED), False)), []),
        (hearing(AGREES, (tried("attack", True, 1, claim=WRONG_ACCEPTED), False)), []),
        (hearing(AGREES, (tried("mutant", True), False)), BOTH),
        (hearing(AGREES, (tried("mutant", False), True)), LEFT_ONE),
        (hearing(AGREES, (tried("second", False), True)), LEFT),
        (hearing(AGREES, (tried("blind", False), True)), LEFT),
        (hearing(AGREES, (tried("blind", False), False)), []),
        (hearing(SILENT, (tried("blind", False), None)), []),
        (hearing(AGREES, (RIGHT_LEFT, True)), LEFT),
        (hearing(SILENT, (RIGHT_LEFT, None)), LEFT_ONE),
        (hearing(AGREES, (RIGHT_LEFT, False)), []),
        (hearing(SILENT, (tried("attack", None, claim=WRONG_ACCEPTED), None)), [("no_score", "blocker")]),
        (hearing(SILENT, (tried("attack", False, claim=RIGHT_REJECTED, malformed=True), None)), []),
        (hearing(AGREES, (tried("attack", False, claim=RIGHT_REJECTED, malformed=True), True)), []),
        (hearing(AGREES, (tried("second", False, malformed=True), True)), []),
        (hearing(AGREES, (tried("blind", False, malformed=True), True)), [("form_not_taken", "major")]),
        (hearing(DOUBTS_ONE), [("right_answer_doubted", "major")]),
        (
            hearing(DOUBTS_ONE, (tried("second", False), True)),
            [("rejects_right", "major"), ("right_answer_doubted", "major")],
        ),
        (
            hearing(DOUBTS_ONE, (tried("panel", False), True)),
            [("rejects_right", "blocker"), ("right_answer_doubted", "major")],
        ),
    ],
)
def test_one_voice_objects_and_two_confirm(found: Hearing, then: list[tuple[str, str]]) -> None:
    assert weighed(found) == then


@pytest.mark.parametrize(
    ("blind", "then"),
    [
        ([BlindSolve(0, "", False), BlindSolve(1, "", False)], []),
        ([BlindSolve(0, "the unit", True), BlindSolve(1, "", True)], []),
        ([BlindSolve(0, "the unit", False), BlindSolve(1, "", False)], [("missing_fact", "major")]),
        ([BlindSolve(0, "the unit", False), BlindSolve(1, "the unit", False)], [("missing_fact", "blocker")]),
        (
            [BlindSolve(0, "the unit", False), BlindSolve(1, "the unit", False), BlindSolve(0, "", True)],
            [("missing_fact", "major")],
        ),
    ],
)
def test_a_missing_fact_counts_where_the_solver_was_wrong(blind: list[BlindSolve], then: list[tuple[str, str]]) -> None:
    assert weighed(hearing(AGREES, blind=blind)) == then


def test_each_finding_carries_a_witness_and_one_noisy_voice_does_not_fill_the_page() -> None:
    many = [(tried("attack", True, 50 + number, claim=WRONG_ACCEPTED), False) for number in range(9)]
    findings = judge_hearing(hearing(AGREES, *many))
    assert len(findings) == 3
    assert all(finding.witness and finding.witness.response and finding.witness.level == 1 for finding in findings)
    assert believed(hearing(AGREES, *many)) == 9
    assert len(disagreements(hearing(AGREES, *many))) == 9
    assert disagreements(hearing(AGREES)) == []


@pytest.mark.parametrize(
    ("reply", "missing"),
    [
        ("MISSING: nothing\n<answer>1</answer>", ""),
        ("**MISSING:** None.\n<answer>1</answer>", ""),
        ("Missing: `nothing`.", ""),
        ("I think.\nMISSING: whether zero counts\n<answer>1</answer>", "whether zero counts"),
        ("> **MISSING**: nothing says how ties are broken", "nothing says how ties are broken"),
        ("Nothing is missing: it is all there.", ""),
        ("MISSING: 27, 36, 45", ""),
        ("MISSING: x = 7", ""),
        ("MISSING: 答えの単位", "答えの単位"),
        ("<answer>1</answer>", ""),
        ("MISSING: " + "x\x1b[2J" * 300, None),
    ],
)
def test_what_a_blind_solver_misses_is_read_from_its_line(reply: str, missing: str | None) -> None:
    found = missing_fact(reply)
    assert len(found) <= 400
    assert "\x1b" not in found
    assert missing is None or found == missing


def test_claims_about_unknown_cases_and_repeated_ones_are_dropped() -> None:
    def claim(case: int, response: str = "<answer>1</answer>") -> Claim:
        return Claim(case=case, response=response, claim="wrong_accepted", why="")

    claims = Claims(claims=[claim(-1), claim(0), claim(0), claim(5), claim(1, "x" * 30_000), claim(1)])
    assert [item.case for item in claims.usable(2, most=9)] == [0, 1]
    assert len(claims.usable(2, most=1)) == 1
