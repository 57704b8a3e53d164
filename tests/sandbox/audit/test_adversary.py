"""The search for exploits: its grammar, its log, that it goes the same way twice, and what it must not call wrong."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest

from bootcamp_kit.folder import TaskFolder
from sandbox.audit.adversary.adversary import judge_adversary, run_adversary
from sandbox.audit.adversary.grammar import MAX_CONTENT, Grammar
from sandbox.audit.adversary.log import Outcome, SearchLog
from sandbox.audit.adversary.search import AdversaryPlan
from sandbox.audit.adversary.wrong import is_another_answer
from sandbox.audit.rules import audit_policy
from sandbox.calls import Call, JobOutcome, Observation, Op
from sandbox.checks.evidence import CaseEvidence, Evidence
from sandbox.plan import GatePlan
from sandbox.replay import replay
from sandbox.runner import run_gate
from sandbox.service import Sandbox

TESTS = Path(__file__).parents[2]
FEW = GatePlan(
    cases_per_level=6, screen_cases=2, second_container_cases=2, near_miss_cases=1, still_right_cases=1,
    other_seeds=4, property_examples=5, response_examples=10, stable_examples=5, huge=1_000, huge_garbage_cases=1,
)  # fmt: skip
PLAN = AdversaryPlan(calls=300, seconds=300.0)


def task(place: str) -> TaskFolder:
    return TaskFolder.read(TESTS / place)


def test_a_grammar_names_everything_it_saw_and_makes_the_same_answers_again() -> None:
    grammar = Grammar.learn(["3, 14", "-2, 7"], ("yes", "no"))
    assert grammar.numbers == ("3", "14", "-2", "7") and grammar.symbols == (",",)
    listed = list(grammar.systematic())
    assert "yes|no" in listed and " ".join(str(number) for number in range(-2, 15)) in listed
    first, second = (
        [grammar.fresh(rng) for _ in range(50)] + [grammar.changed(rng, "3, 14") for _ in range(50)]
        for rng in (random.Random(5), random.Random(5))
    )
    assert first == second and len(set(first)) > 60
    assert len(grammar.changed(random.Random(0), "9" * 50_000)) <= MAX_CONTENT
    assert Grammar.learn([], ()).fresh(random.Random(1)) is not None


def right(response: str, parsed: object = None) -> CaseEvidence:
    nothing = Call(Op.PARSE, {"response": ""})

    def seen(op: Op, value: object) -> Observation:
        return Observation(replace(nothing, op=op), JobOutcome.OK, value)  # type: ignore[arg-type]

    score = {"value": 1.0, "outcome": "correct", "reason": ""}
    return CaseEvidence(
        1, 0, seen(Op.GENERATE, {}), solved=seen(Op.SOLVE, response), score=seen(Op.SCORE, score),
        parsed=seen(Op.PARSE, {"answer": parsed}),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("theirs", "mine", "another"),
    [
        ("5", "6", True),
        ("5", "-5", True),
        ("5", "+5.0", False),
        ("5", "05", False),
        ("5", "6 or 5", False),  # it holds the right one: near_miss judges hedges
        ("Ada", "ADA", False),
        ("Ada", "Bob", True),
        ("3/4", "6/8", False),
        ("3/4", "4/3", True),
        ("1 2 3", "[1, 2, 3]", False),
        ("1 2 3", "1 2", True),
        ("1 2 3", "3 2 1", True),
        ("##\n..", "#.\n..", True),
        ("##\n..", "##  \n..", False),
        ("2", "1e309", True),
    ],
)
def test_the_right_answer_in_another_dress_is_no_other_answer(theirs: str, mine: str, another: bool) -> None:
    card = task("sound_tasks/score_total").card
    assert card.solutions == "unique"
    case = right(f"<answer>{theirs}</answer>")
    assert is_another_answer(f"<answer>{mine}</answer>", case, card) is another
    assert not is_another_answer(f"<answer>{mine}</answer>", case, replace(card, solutions="any"))


def test_what_parse_reads_as_the_right_answer_is_another_one_only_with_other_numbers() -> None:
    card = task("sound_tasks/score_total").card
    same = Observation(Call(Op.PARSE, {}), JobOutcome.OK, {"answer": 5})
    case = right("<answer>101_2</answer>", parsed=5)
    for mine, another in (("101_7", True), ("2 101", False), ("101_2 cm", False), ("101", False), ("101 2", False)):
        assert is_another_answer(f"<answer>{mine}</answer>", case, card, same) is another


def test_order_and_nearness_count_as_the_card_says() -> None:
    card = task("sound_tasks/score_total").card
    unordered = replace(card, answer=replace(card.answer, rewrites=("order",)))
    assert not is_another_answer("<answer>3 1 2</answer>", right("<answer>1 2 3</answer>"), unordered)
    near = replace(card, answer=replace(card.answer, kind="decimal", tolerance=0.05))
    assert not is_another_answer("<answer>2.08</answer>", right("<answer>2</answer>"), near)
    assert is_another_answer("<answer>2.5</answer>", right("<answer>2</answer>"), near)


def test_a_log_is_kept_for_one_key_and_a_torn_line_is_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    log = SearchLog(path, "a")
    log.add({(1, 2, "x\ud800"): Outcome(0.5), (1, 3, "y"): Outcome(None, "crash")})
    with path.open("a") as file:
        file.write('[1, 4, "z", 1.')
    again = SearchLog(path, "a")
    assert again.known == {(1, 2, "x\ud800"): Outcome(0.5), (1, 3, "y"): Outcome(None, "crash")}
    again.add({(1, 5, "w"): Outcome(1.0)})
    assert (1, 5, "w") in SearchLog(path, "a").known
    assert SearchLog(path, "b").known == {}


@pytest.fixture(scope="module")
def waved_through(sandbox: Sandbox) -> Evidence:
    kept: list[Evidence] = []
    run_gate(sandbox, task("bestiary/long_answers_pass"), plan=FEW, keep=kept.append)
    return kept[0]


@pytest.mark.docker
def test_the_search_goes_the_same_way_twice_and_from_its_log(
    sandbox: Sandbox, waved_through: Evidence, tmp_path: Path
) -> None:
    log = tmp_path / "adversary.jsonl"
    first = run_adversary(sandbox, waved_through, PLAN, log)
    tried = log.read_bytes()
    rows = [judge_adversary(waved_through, first, audit_policy())]
    rows += [judge_adversary(waved_through, run_adversary(sandbox, waved_through, PLAN, log), audit_policy())]
    assert log.read_bytes() == tried, "what is in the log is not asked again"
    rows += [judge_adversary(waved_through, run_adversary(sandbox, waved_through, PLAN), audit_policy())]
    assert rows[0] == rows[1] == rows[2]
    assert {item.code for item in rows[0].findings} == {"adversary.answer_wins", "adversary.wrong_accepted"}
    for item in rows[0].findings:
        assert replay(sandbox, waved_through.folder, item).reproduced


@pytest.mark.docker
def test_a_verifier_that_fails_on_what_the_search_makes_is_found(sandbox: Sandbox, waved_through: Evidence) -> None:
    source = waved_through.folder.files["bootcamp.py"].replace(b"return Score.correct()\n", b"raise KeyError(5)\n", 1)
    folder = replace(waved_through.folder, files={**waved_through.folder.files, "bootcamp.py": source})
    told = replace(waved_through, folder=folder)
    row = judge_adversary(told, run_adversary(sandbox, told, PLAN), audit_policy())
    assert [item.code for item in row.findings] == ["contract.score_crash"]
    assert replay(sandbox, folder, row.findings[0]).reproduced


@pytest.mark.docker
def test_a_verifier_that_hangs_ends_the_search(sandbox: Sandbox, waved_through: Evidence) -> None:
    files = dict(waved_through.folder.files)
    files["bootcamp.py"] = files["bootcamp.py"].replace(b"return Score.correct()\n", b"while True: pass\n", 1)
    folder = replace(waved_through.folder, files=files)
    card = replace(waved_through.task, limits=replace(waved_through.task.limits, seconds_per_call=0.3))
    told = replace(waved_through, folder=folder, card=card)
    run = run_adversary(sandbox, told, PLAN)
    assert run.found.calls < PLAN.calls
    assert [item.code for item in judge_adversary(told, run, audit_policy()).findings] == ["contract.score_limit"]
