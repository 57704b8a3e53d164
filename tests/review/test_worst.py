"""The rows of evidence a reviewer runs again, and the pair of answers that is judged blind."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bootcamp_kit.report import CheckResult, Finding, Severity, Status, Witness
from review.measures import NOT_MEASURED
from review.pair import blind_pair
from review.worst import rerun, worst_rows

BODY = """
from bootcamp_kit.answers import integer, last_answer
from bootcamp_kit.case import Score
from bootcamp_kit.contract import Bootcamp


class Sums(Bootcamp):
    def generate(self, rng, params):
        return {"a": rng.randrange(1000), "b": params["length"]}

    def prompt(self, case):
        return f"{case.payload['a']} + {case.payload['b']}?"

    def parse(self, response):
        return integer(last_answer(response))

    def verify(self, case, answer):
        right = case.payload["a"] + case.payload["b"]
        return Score.correct() if answer == right else Score.wrong("not the sum")


BOOTCAMP = Sums()
"""
ORACLE = b"""
from bootcamp_kit.contract import Oracle


class Adds(Oracle):
    def solve(self, case):
        return f"<answer>{case.payload['a'] + case.payload['b']}</answer>"


ORACLE = Adds()
"""
CHECKS = (
    CheckResult("floor.constants", Status.PASS, figures={"best": "constant 0", "mean": 0.04, "n": 90}),
    CheckResult("floor.echo", Status.PASS, figures={"best": "echo field a", "mean": 0.1, "n": 30}),
    CheckResult("near_miss.answers", Status.PASS, figures={"accepted": 0, "n": 300}),
    CheckResult("oracle.scores_one", Status.PASS, figures={"wrong": 0, "n": 120}),
    CheckResult("still_right.declared", Status.PASS, figures={"rejected_of": {"markdown": [0, 30]}, "n": 30}),
)


@pytest.fixture
def item(queue, submission):
    given = submission(body=BODY, extra={"oracle.py": ORACLE})
    return queue.item(queue.submit(replace(given, report=replace(given.report, results=CHECKS))))


def test_rows_without_a_defect_say_how_hard_was_looked(item):
    wrong, right, mutant = worst_rows(item.report)
    assert wrong.text == "echo field a scores 0.10 on average (n = 30); 0 of 300 near misses accepted"
    assert right.text == "0 of 120 answers of the oracle rejected; 0 of 30 rewrites of right answers rejected"
    assert mutant.text == NOT_MEASURED
    assert [row.bad for row in (wrong, right, mutant)] == [False] * 3
    assert [row.runnable for row in (wrong, right, mutant)] == [True, True, True]


def test_rows_show_the_heaviest_finding_of_their_kind(submission):
    def found(code: str, severity: Severity) -> Finding:
        return Finding(code, severity, code, Witness("score", 1, 0, "<answer>1</answer>"))

    findings = (
        found("near_miss.loose", Severity.MINOR), found("floor.answer_wins", Severity.BLOCKER),
        found("still_right.rejected", Severity.MAJOR), found("mutation.survivor", Severity.MAJOR),
    )  # fmt: skip
    rows = worst_rows(submission(findings=findings).report)
    assert [row.finding.code for row in rows if row.finding] == [
        "floor.answer_wins", "still_right.rejected", "mutation.survivor",
    ]  # fmt: skip
    assert all(row.bad and row.runnable for row in rows)
    survived = CheckResult("mutation.verifier", Status.PASS, figures={"surviving": 2, "n": 40})
    report = submission().report
    mutant = worst_rows(replace(report, results=(*report.results, survived)))[2]
    assert (mutant.bad, mutant.text) == (True, "2 of 40 survive")


@pytest.mark.docker
def test_each_row_is_run_again_in_the_sandbox(sandbox, item):
    wrong, right, mutant = worst_rows(item.report)
    tried = rerun(sandbox, item, wrong)
    assert tried.held
    assert tried.steps[0] == ("strategy", "echo field a")
    assert tried.steps[-1] == ("full marks", "0 of 9")
    solved = rerun(sandbox, item, right)
    assert solved.held
    assert len(solved.steps) == 6
    assert solved.steps[1][1].endswith("1 correct")
    careless = rerun(sandbox, item, mutant)
    assert (careless.held, careless.words) == (None, "measured just now; the report says nothing of it")
    assert careless.steps[0][0] == "careless versions"
    assert " noticed, score " in careless.steps[0][1]
    invented = Finding("near_miss.accepted", Severity.MAJOR, "x", Witness("score", 1, 0, "<answer>-1</answer>"))
    again = rerun(sandbox, item, replace(wrong, finding=invented, bad=True))
    assert ("response", "<answer>-1</answer>") in again.steps


@pytest.mark.docker
def test_a_pair_is_one_right_and_one_wrong_answer_in_an_order_nobody_chose(sandbox, item, queue, submission):
    pair = blind_pair(sandbox, item, 1)
    assert pair.problem == ""
    left = int(pair.prompt.split()[0]) + 3
    assert pair.responses[pair.right] == f"<answer>{left}</answer>"
    assert pair.responses[1 - pair.right] != pair.responses[pair.right]
    assert blind_pair(sandbox, item, 1) == pair
    same = submission(task_id="always_one", body=BODY.replace("answer == right", "True"), extra={"oracle.py": ORACLE})
    assert "are all accepted here" in blind_pair(sandbox, queue.item(queue.submit(same)), 1).problem
    silent = submission(task_id="no_oracle", body=BODY)
    assert "no answer" in blind_pair(sandbox, queue.item(queue.submit(silent)), 1).problem
