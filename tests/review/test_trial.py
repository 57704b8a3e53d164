"""A person's answers to real cases, in the real sandbox."""

from __future__ import annotations

import json

import pytest

from bootcamp_kit.errors import UsageError
from review.trial import trial

BODY = """
from bootcamp_kit.answers import integer, last_answer
from bootcamp_kit.case import Score
from bootcamp_kit.contract import Bootcamp


class Seats(Bootcamp):
    def generate(self, rng, params):
        return {"length": params["length"]}

    def prompt(self, case):
        return f"How many seats? {case.payload['length']}"

    def parse(self, response):
        return integer(last_answer(response))

    def verify(self, case, answer):
        if answer == 666:
            raise RuntimeError("\\x1b[31mboom")
        return Score.correct() if answer == case.payload["length"] else Score.wrong("not so many")


BOOTCAMP = Seats()
"""


@pytest.fixture
def item(queue, submission):
    return queue.item(queue.submit(submission(body=BODY)))


@pytest.mark.docker
def test_a_person_answers_a_case_and_sees_the_verdict(sandbox, item):
    shown = trial(sandbox, item, 2, 0)
    assert (shown.prompt, shown.score, shown.right) == ("How many seats? 5", None, False)
    right = trial(sandbox, item, 2, 0, "I think <answer>5</answer>")
    assert (right.parsed, right.right, right.problem) == (5, True, "")
    wrong = trial(sandbox, item, 2, 0, "<answer>4</answer>")
    assert wrong.score is not None
    assert (wrong.right, wrong.score.reason) == (False, "not so many")
    unread = trial(sandbox, item, 2, 0, "five")
    assert "no <answer>" in unread.malformed
    assert unread.score is not None
    assert unread.score.outcome == "malformed"
    assert json.loads(json.dumps(right.to_json()))["right"] is True


@pytest.mark.docker
def test_a_task_that_fails_is_shown_as_its_fault(sandbox, item, queue, submission):
    crashed = trial(sandbox, item, 1, 0, "<answer>666</answer>")
    assert crashed.score is None
    assert crashed.problem.startswith("score: exception RuntimeError")
    assert "\x1b" not in crashed.problem
    broken = queue.item(queue.submit(submission(task_id="broken_task", body="raise ValueError('no')\n")))
    assert trial(sandbox, broken, 1, 0).problem.startswith("generate: exception ValueError: no")


def test_an_unknown_level_is_refused_before_anything_starts(item):
    with pytest.raises(UsageError, match="levels run from 1 to 3"):
        trial(None, item, 9, 0)  # type: ignore[arg-type]
