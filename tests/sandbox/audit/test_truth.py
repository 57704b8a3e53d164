"""Independent truth: answers listed at small sizes, and second oracles that are right, wrong or lying."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bootcamp_kit.card import AnswerFormat
from bootcamp_kit.folder import TaskFolder
from bootcamp_kit.report import CheckResult, Status
from sandbox.audit.rules import audit_policy
from sandbox.audit.second import second_files
from sandbox.audit.space import Space, answer_space
from sandbox.audit.truth import TruthPlan, collect_truth
from sandbox.audit.truth_judge import judge_truth
from sandbox.checks.evidence import Evidence
from sandbox.checks.static import judge
from sandbox.plan import GatePlan
from sandbox.replay import replay
from sandbox.runner import run_gate
from sandbox.service import Sandbox

TESTS = Path(__file__).parents[2]
FEW = GatePlan(
    cases_per_level=4, screen_cases=2, second_container_cases=2, near_miss_cases=1, still_right_cases=1,
    other_seeds=4, property_examples=5, response_examples=10, stable_examples=5, huge=1_000, huge_garbage_cases=1,
)  # fmt: skip


def task(place: str) -> TaskFolder:
    return TaskFolder.read(TESTS / place)


def form(kind: str, **more: Any) -> AnswerFormat:
    return AnswerFormat(kind=kind, format="x", example="<answer>x</answer>", **more)


def texts(space: Space | str) -> list[str]:
    assert isinstance(space, Space), space
    return [text.removeprefix("<answer>").removesuffix("</answer>") for text in space.responses]


def test_choices_numbers_lists_grids_and_words_are_listed_whole() -> None:
    yes_no = form("choice", choices=("yes", "no"))
    assert texts(answer_space("<answer>yes</answer>", [], yes_no, 100)) == ["yes", "no"]
    numbers = texts(answer_space("<answer>5</answer>", ["<answer>-3</answer>"], form("integer"), 100))
    assert numbers[0] == "-23" and numbers[-1] == "25" and len(numbers) == 49
    pairs = texts(answer_space("<answer>1 2</answer>", [], form("integers"), 100))
    assert "0 3" in pairs and "2 1" in pairs and "" in pairs and len(pairs) == 1 + 4 + 16 + 64
    grid = texts(answer_space("<answer>#.\n..</answer>", [], form("grid"), 100))
    assert len(grid) == 16 and "##\n##" in grid
    words = texts(answer_space("<answer>ab</answer>", ["<answer>abb</answer>"], form("string"), 100))
    assert sorted(words) == sorted(a + b for a in "ab" for b in ("a", "b", "aa", "ab", "ba", "bb"))


def test_a_long_answer_is_listed_as_its_orders_or_not_at_all() -> None:
    space = answer_space("<answer>19 4 88 61</answer>", [], form("integers"), 100)
    assert isinstance(space, Space) and space.words == "every order of the right answer's elements"
    assert len(space.responses) == 24
    unordered = form("integers", rewrites=("order",))
    assert answer_space("<answer>19 4 88 61</answer>", [], unordered, 100) == "too many answers of the form list"
    assert answer_space("no delimiters", [], form("integer"), 100) == "the right answer has no delimiters"


def test_the_second_oracle_is_alone_in_its_box_and_must_not_share_code() -> None:
    folder = task("sound_tasks/any_pair")
    assert "second_oracle.py" not in folder.exported
    assert sorted(second_files(folder)) == ["bootcamp.py", "card.toml", "second_oracle.py"]
    shared = changed(folder, b"from . import helper\n" + folder.files["second_oracle.py"])
    found = judge(Evidence(shared, shared.card), audit_policy()).findings
    assert [item.code for item in found] == ["static.shared_truth"]


def changed(folder: TaskFolder, second: bytes) -> TaskFolder:
    return replace(folder, files={**folder.files, "second_oracle.py": second})


@pytest.fixture(scope="module")
def pairs(sandbox: Sandbox) -> Evidence:
    """What a small gate collects about a sound task with a second oracle, whose calls may take half a second."""
    folder = task("sound_tasks/any_pair")
    card = folder.files["card.toml"] + b"\n[limits]\nseconds_per_call = 0.5\n"
    kept: list[Evidence] = []
    run_gate(sandbox, replace(folder, files={**folder.files, "card.toml": card}), plan=FEW, keep=kept.append)
    return kept[0]


def second_row(sandbox: Sandbox, evidence: Evidence, source: bytes) -> tuple[TaskFolder, CheckResult]:
    folder = changed(evidence.folder, source)
    told = replace(evidence, folder=folder)
    plan = TruthPlan(listed_answers=0, second_cases=2, opinions=40)
    return folder, judge_truth(told, collect_truth(sandbox, told, plan), audit_policy())[1]


HEAD = b"""
from bootcamp_kit.contract import SecondOracle
class Second(SecondOracle):
    def answers(self, case):
        %s
    def judge(self, case, response):
        %s
SECOND = Second()
"""


@pytest.mark.docker
@pytest.mark.parametrize(
    ("source", "code"),
    [
        (HEAD % (b"return [1]", b"return None"), "truth.second_fails"),
        (HEAD % (b"raise KeyError(case.seed)", b"return None"), "truth.second_fails"),
        (b"SECOND = 3\n", "truth.second_fails"),
        (b"from .oracle import Reference\n", "truth.second_fails"),
        (HEAD % (b"return None", b"return 'yes'"), ""),
        (HEAD % (b"return []", b"return None"), "truth.second_disagrees"),
        (HEAD % (b"while True: pass", b"return None"), ""),
        (HEAD % (b"return None", b"return False"), "truth.accepts_wrong"),
    ],
    ids=["no text", "crash", "no oracle", "asks the oracle", "no verdict", "no answer", "hangs", "calls all wrong"],
)
def test_a_second_oracle_that_lies_is_a_row_with_a_reason(
    sandbox: Sandbox, pairs: Evidence, source: bytes, code: str
) -> None:
    folder, row = second_row(sandbox, pairs, source)
    assert {item.code for item in row.findings} == ({code} if code else set())
    assert row.figures is not None
    if not code:
        assert row.figures["cases"] == 0 and row.figures["too_large"] == 6
    for item in row.findings[:1]:
        assert replay(sandbox, folder, item).reproduced, item


@pytest.mark.docker
def test_right_answers_are_counted_and_undecided_mutants_decided(sandbox: Sandbox, pairs: Evidence) -> None:
    plan = TruthPlan(listed_cases=1, listed_answers=600, second_cases=2, opinions=200)
    listed, second = judge_truth(pairs, collect_truth(sandbox, pairs, plan), audit_policy())
    assert listed.status is second.status is Status.PASS
    assert listed.figures is not None and second.figures is not None
    assert listed.figures["declared"] == "any" and listed.figures["answers_listed"] > 100
    assert second.figures["cases_by_level"] == {"1": 2, "2": 2, "3": 2}
    assert second.figures["opinions"] > 100 and second.figures["undecided_mutants"]["wrong"] == 0
