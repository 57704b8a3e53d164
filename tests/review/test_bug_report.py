"""A bug report: what may be reported, and how its words come into a task."""

from __future__ import annotations

from typing import Any

import pytest

from bootcamp_kit.errors import UsageError
from bootcamp_kit.report import Finding, Severity
from review.bug_report import BugReport, Expected, read_case, show
from review.subjects import of_item
from sandbox.checks.examples_file import parse_examples
from sandbox.service import Sandbox
from tests.review.conftest import a_finding, a_submission
from tests.review.test_worst import BODY, ORACLE


@pytest.mark.parametrize(
    ("raw", "case"),
    [
        ({"level": 2, "seed": 7}, {"level": 2, "seed": 7, "payload": None}),
        ({"payload": {"n": 1}}, {"level": 1, "seed": 0, "payload": {"n": 1}}),
        (
            {"task_id": "x", "level": 3, "seed": 1, "params": {}, "payload": [1], "key": "k"},
            {"level": 3, "seed": 1, "payload": [1]},
        ),
    ],
)
def test_a_case_is_named_by_level_and_seed_or_given_whole(raw: Any, case: dict[str, Any]) -> None:
    assert read_case(raw) == case


@pytest.mark.parametrize(
    "raw", [None, [], "x", {}, {"level": 1}, {"seed": -1}, {"seed": True}, {"seed": 1, "levle": 2}, {"seed": "7"}]
)
def test_what_is_no_case_is_refused(raw: Any) -> None:
    with pytest.raises(UsageError, match="--case"):
        read_case(raw)


@pytest.mark.parametrize(
    "more",
    [
        {"words": " "},
        {"words": "x" * 3_000},
        {"response": "a\0b"},
        {"response": "\ud800"},
        {"response": "x" * 200_000},
        {"response": None, "expected": Expected.WRONG},
    ],
)
def test_a_report_without_words_or_with_unusable_text_is_refused(more: dict[str, Any]) -> None:
    with pytest.raises(UsageError, match="bug report"):
        BugReport(**{"words": "it is wrong", "level": 1, "response": "<answer>1</answer>", **more})


def test_an_order_leaves_notes_out_and_needs_something_heavier(queue: Any) -> None:
    subject = of_item(queue.item(queue.submit(a_submission())))
    note = Finding("x.y", Severity.NOTE, "by the way")
    with pytest.raises(UsageError, match="nothing was found"):
        subject.order([note])
    assert subject.order([note, a_finding()]).findings == (a_finding(),)


@pytest.mark.docker
def test_a_report_that_fails_becomes_an_example_and_one_that_does_not_is_no_order(queue: Any, sandbox: Sandbox) -> None:
    given = a_submission(body=BODY, extra={"oracle.py": ORACLE})
    subject = of_item(queue.item(queue.submit(given)))
    right = show(sandbox, subject, BugReport("the solver's answer", 1))
    assert right.order is None
    assert right.seen.startswith("score 1.0")
    report = BugReport("\x1b[31mevil\nwords", 1, 3, response="<answer>-1</answer>", expected=Expected.CORRECT)
    shown = show(sandbox, subject, report)
    assert shown.order is not None
    (finding,) = shown.order.findings
    assert "\x1b" not in finding.message
    (example,) = parse_examples(shown.order.candidate.folder.files["examples.toml"], range(1, 4))
    assert (example.group, example.name) == ("accept", "reported: \\x1b[31mevil words")
    assert example.payload is not None, "the case stays when the generator changes"
    with pytest.raises(UsageError, match="level 9"):
        show(sandbox, subject, BugReport("no such level", 9, response="x"))
