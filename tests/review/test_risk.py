from __future__ import annotations

from dataclasses import replace

import pytest

from bootcamp_kit.jsondata import digest
from bootcamp_kit.report import CheckResult, Status, Verdict
from review.risk import HIGH, LOW, MIXED_IN_PERCENT, RiskFacts, facts_of, rank, risk, word


@pytest.mark.parametrize(
    ("change", "points", "reason"),
    [
        ({}, 0, None),
        ({"readable": False}, 60, "its card cannot be read (+60)"),
        ({"verdict": Verdict.FAIL}, 30, "its report says fail (+30)"),
        ({"verdict": Verdict.INCONCLUSIVE}, 20, "its report is inconclusive (+20)"),
        ({"majors": 1}, 15, "1 major finding (+15)"),
        ({"majors": 9}, 30, "9 major findings (+30)"),
        ({"minors": 2}, 6, "2 minor findings (+6)"),
        ({"undecided": 3}, 13, "3 accepted answers undecided (+13)"),
        ({"survivors": 0}, 0, None),
        ({"survivors": 2}, 10, "2 verifier mutants survive (+10)"),
        ({"floor": 0.5}, 10, "a blind answer scores 0.50 on average (+10)"),
        ({"floor": 0.5, "floor_allowed": 0.5}, 0, None),
        ({"partial_credit": True}, 25, "partial credit (+25)"),
        ({"tolerance": 0.01}, 15, "tolerance 0.01 (+15)"),
        ({"solutions": "optimal"}, 15, "asks for the best of many answers (+15)"),
        ({"solutions": "any"}, 10, "several answers are right (+10)"),
        ({"kind_known": False}, 8, "first task with an answer of kind integer (+8)"),
        ({"own_parser": True}, 10, "reads answers with code of its own (+10)"),
        ({"lines": 301}, 8, "301 lines of code (+8)"),
        ({"lines": 801}, 16, "801 lines of code (+16)"),
        ({"by_model": True}, 12, "written by a model (+12)"),
        ({"attempt": 2}, 4, "attempt 2 (+4)"),
        ({"weak": True}, 10, "checked in a weak sandbox (+10)"),
        ({"flips": 900}, 20, "900 verdicts differ from the version that stands (+20)"),
        ({"other_questions": 3}, 5, "3 cases or prompts differ from it (+5)"),
        ({"decided": 4}, 5, "its author has 4 decided candidates (+5)"),
        ({"decided": 1}, 5, "its author has 1 decided candidate (+5)"),
        ({"survivors": 1}, 5, "1 verifier mutant survives (+5)"),
        ({"flips": 1}, 6, "1 verdict differs from the version that stands (+6)"),
        ({"decided": 10, "turned_down": 3}, 0, None),
        ({"decided": 10, "turned_down": 4}, 15, "4 of its author's 10 were turned down (+15)"),
    ],
)
def test_each_fact_has_its_points_and_its_words(change, points, reason):
    judged = risk(replace(RiskFacts(), **change))
    assert judged.points == points
    assert judged.reasons == ((reason,) if reason else ())


def test_reasons_come_heaviest_first_and_points_stop_at_a_hundred():
    judged = risk(RiskFacts(verdict=Verdict.FAIL, majors=5, partial_credit=True, tolerance=1.0, by_model=True))
    assert judged.points == 100
    assert judged.reasons[0] == "its report says fail (+30)"
    assert judged.reasons[-1] == "written by a model (+12)"
    assert (word(LOW - 1), word(LOW), word(HIGH)) == ("low", "medium", "high")


def test_a_fixed_share_of_low_risk_items_is_mixed_in_the_same_ones_every_time():
    hashes = [digest(str(number).encode()) for number in range(4000)]
    lifted = [one for one in hashes if rank(3, one) != 3]
    assert 0.05 < len(lifted) / len(hashes) < 0.10
    assert abs(len(lifted) / len(hashes) - MIXED_IN_PERCENT / 100) < 0.02
    heights = {rank(3, one) for one in lifted}
    assert min(heights) >= LOW
    assert max(heights) <= 100
    assert len(heights) > 60
    assert all(rank(3, one) == rank(0, one) for one in lifted)
    assert all(rank(70, one) == 70 for one in hashes), "what is risky stands where its risk puts it"


KIT = "from bootcamp_kit.answers import integer, last_answer\n\n\nclass Task:\n    def parse(self, response):\n"


@pytest.mark.parametrize(
    ("body", "own", "partial"),
    [
        (KIT + "        return integer(last_answer(response))\n", False, False),
        (KIT + "        return int(last_answer(response))\n", True, False),
        ("class Task:\n    def parse(self, response):\n        return int(response)\n", True, False),
        (KIT + "        return integer(response)\n    def verify(self): return Score.partial(0.5, '')\n", False, True),
        (KIT + "        return integer(response)\n    def verify(self): return Score(0.5, x)\n", False, True),
        ("not python (", True, False),
    ],
)
def test_facts_are_read_off_the_code_without_running_it(submission, body, own, partial):
    given = submission(body=body)
    facts = facts_of(given.candidate.folder, given.report, given.candidate.lineage)
    assert (facts.own_parser, facts.partial_credit) == (own, partial)


def test_facts_are_read_off_card_report_and_lineage(submission):
    figures = {"undecided": 2, "n": 9}
    checks = (
        CheckResult("near_miss.answers", Status.PASS, figures=figures),
        CheckResult("mutation.verifier", Status.PASS, figures={"surviving": 3}),
        CheckResult("floor.echo", Status.PASS, figures={"mean": 0.25}),
    )
    given = submission(author="openai:some-model", attempt=2, parent="a" * 64)
    facts = facts_of(given.candidate.folder, replace(given.report, results=checks), given.candidate.lineage)
    assert (facts.undecided, facts.survivors, facts.floor) == (2, 3, 0.25)
    assert (facts.by_model, facts.attempt, facts.answer_kind) == (True, 2, "integer")
    broken = submission(extra={"card.toml": b"id = ["})
    assert not facts_of(broken.candidate.folder, broken.report, broken.candidate.lineage).readable


def test_a_one_line_rule_is_no_blind_answer_and_changes_are_counted(submission):
    given = submission()
    changes = {"changed": {"examples": 1, "rollouts": 2}, "cases_changed": 3, "prompts_changed": 4}
    results = (
        CheckResult("floor.rules", Status.PASS, figures={"best": "rule sum", "mean": 1.0, "n": 54}),
        CheckResult("floor.constants", Status.PASS, figures={"best": "constant 0", "mean": 0.1, "n": 54}),
        CheckResult("change.verdicts", Status.PASS, figures=changes),
    )
    facts = facts_of(given.candidate.folder, replace(given.report, results=results), given.candidate.lineage)
    assert (facts.floor, facts.flips, facts.other_questions) == (0.1, 3, 7)
