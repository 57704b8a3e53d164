"""The gate on real tasks: reproducible reports, bad folders, kept counter-examples, and the replay of findings."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from bootcamp_kit.errors import UsageError
from bootcamp_kit.folder import TaskFolder
from bootcamp_kit.report import Finding, Report, Severity, Status, Verdict, Witness, to_json
from sandbox.counterexamples import Counterexample, CounterexampleStore
from sandbox.plan import GatePlan
from sandbox.replay import find, replay
from sandbox.runner import run_gate
from sandbox.service import Sandbox

TESTS = Path(__file__).parents[1]
TINY = GatePlan(
    cases_per_level=6, screen_cases=3, second_container_cases=2, near_miss_cases=1, still_right_cases=1,
    perturbed_cases=1, property_examples=8, response_examples=15, stable_examples=15, huge=20_000,
)  # fmt: skip
pytestmark = pytest.mark.docker


def _fields(plan: GatePlan) -> dict[str, object]:
    return {name: getattr(plan, name) for name in plan.__slots__}


def broken(name: str) -> TaskFolder:
    return TaskFolder.read(TESTS / "bestiary" / name)


def sound(name: str = "score_total") -> TaskFolder:
    return TaskFolder.read(TESTS / "sound_tasks" / name)


def changed(folder: TaskFolder, file: str, old: str, new: str) -> TaskFolder:
    text = folder.files[file].decode()
    assert old in text
    return TaskFolder({**folder.files, file: text.replace(old, new).encode()})


def test_the_same_gate_twice_gives_the_same_hash_and_survives_json(sandbox: Sandbox) -> None:
    for folder in (sound("weights_to_target"), broken("superscript_crashes")):
        first, second = (run_gate(sandbox, folder, plan=TINY) for _ in range(2))
        assert first.hash == second.hash
        assert Report.from_json(to_json(first)).hash == first.hash
        assert first.environment.policy_version == "3"
        assert first.content_hash == folder.content_hash


@pytest.mark.parametrize(
    ("file", "data", "code"),
    [
        ("card.toml", b"id = 3", "contract.card"),
        ("bootcamp.py", b"BOOTCAMP = 3\n", "contract.load_crash"),
        ("bootcamp.py", b"def (:\n", "static.syntax"),
        ("bootcamp.py", b"while True:\n    pass\n", "contract.load_limit"),
        ("oracle.py", b"import not_there\n", "contract.load_crash"),
        ("examples.toml", b"[[accept]]\n", "contract.examples"),
    ],
)
def test_a_folder_that_is_hardly_a_task_is_reported_not_raised(
    sandbox: Sandbox, file: str, data: bytes, code: str
) -> None:
    folder = TaskFolder({**sound().files, file: data})
    if b"while" in data:
        folder = changed(
            folder, "card.toml", "[difficulty.axes]", "[limits]\nseconds_per_call = 0.5\n\n[difficulty.axes]"
        )
    report = run_gate(sandbox, folder, plan=TINY)
    assert code in {finding.code for finding in report.findings}
    assert report.verdict.value == "fail"
    assert all(result.status is not Status.ERROR for result in report.results)
    assert all(result.reason for result in report.results if result.status is Status.SKIP)


@pytest.mark.parametrize("method", ["generate", "verify"])
def test_a_task_that_hangs_everywhere_is_done_with_nevertheless(sandbox: Sandbox, method: str) -> None:
    file = "oracle.py" if method == "solve" else "bootcamp.py"
    folder = sound()
    head = next(line for line in folder.files[file].decode().splitlines() if f"def {method}(" in line)
    folder = changed(folder, file, head, f"{head}\n        while True:\n            pass")
    folder = changed(folder, "card.toml", "[difficulty.axes]", "[limits]\nseconds_per_call = 0.2\n\n[difficulty.axes]")
    report = run_gate(sandbox, folder, plan=TINY)
    op = "score" if method == "verify" else method
    assert f"contract.{op}_limit" in {finding.code for finding in report.findings}


def test_kept_counterexamples_are_tried_first_and_new_ones_are_kept(sandbox: Sandbox, tmp_path: Path) -> None:
    store = CounterexampleStore(tmp_path)
    folder = broken("superscript_crashes")
    report = run_gate(sandbox, folder, plan=TINY, counterexamples=store)
    kept = store.load("superscript_crashes")
    assert any(item.property == "total" and "²" in (item.response or "") for item in kept)
    assert {finding.code for finding in report.findings} >= {"contract.score_crash"}
    # On a version that hides the fault from the garbage list, only what was kept finds it.
    mended = changed(folder, "bootcamp.py", ".isdigit()", '.replace("²", "0").isdigit()')
    mended = changed(
        mended, "bootcamp.py", "return int(text)", 'return int(text.replace("²", "0")) if len(text) < 3 else 0'
    )
    store.add("superscript_crashes", [Counterexample("total", 1, 0, "<answer>³</answer>")])
    none = GatePlan(**{**_fields(TINY), "response_examples": 0, "garbage_cases": 0})
    again = run_gate(sandbox, mended, plan=none, counterexamples=store)
    found = [finding for finding in again.findings if finding.code == "properties.total"]
    assert "<answer>³</answer>" in [finding.witness.response for finding in found if finding.witness]


def test_progress_is_told_in_words(sandbox: Sandbox) -> None:
    told: list[str] = []
    run_gate(sandbox, sound(), plan=TINY, progress=told.append)
    assert told[0] == "start"
    assert {"cases", "probes", "properties", "judge"} <= set(told)


@pytest.mark.parametrize("stage", ["load", "probes", "properties"])
def test_an_interrupted_gate_ends_at_once_and_leaves_no_container(sandbox: Sandbox, stage: str) -> None:
    def interrupt(told: str) -> None:
        seen.append(told)
        if told == stage:
            raise KeyboardInterrupt

    others = {box.container_id for box in sandbox._boxes}
    seen: list[str] = []
    with pytest.raises(KeyboardInterrupt):
        run_gate(sandbox, sound(), plan=TINY, progress=interrupt)
    assert seen[-1] == stage, "it went on"
    assert {box.container_id for box in sandbox._boxes} <= {"", *others}


def test_a_mended_task_no_longer_reproduces_the_finding(sandbox: Sandbox) -> None:
    folder = broken("zero_wraps_round")
    report = run_gate(sandbox, folder, plan=TINY)
    finding = next(item for item in report.findings if item.code == "near_miss.accepted")
    mended = changed(folder, "bootcamp.py", "answer <= -len(numbers)", "answer < 1")
    assert not replay(sandbox, mended, finding).reproduced


def test_replay_shows_text_from_the_task_escaped_and_capped(sandbox: Sandbox) -> None:
    loud = changed(sound(), "bootcamp.py", 'f"The throws', 'f"\\x1b[2J" + "z" * 9000 + f"The throws')
    witness = Witness(
        "score", 1, 0, "\x1b]0;title\x07<answer>1</answer>", expected="score 1.0", seen="score 0.0 (wrong)"
    )
    result = replay(sandbox, loud, Finding("oracle.not_one", Severity.BLOCKER, "m", witness))
    assert result.reproduced
    for _, text in result.steps:
        assert "\x1b" not in text
        assert len(text) < 5_000


def test_what_cannot_be_replayed_says_so(sandbox: Sandbox) -> None:
    with pytest.raises(UsageError, match="no such finding"):
        find((), "F-00000000")
    for witness in (None, Witness("review", seen="unclear")):
        with pytest.raises(UsageError, match="witness"):
            replay(sandbox, sound(), Finding("x.y", Severity.NOTE, "m", witness))


def test_a_task_whose_calls_take_long_is_told_so_and_ends_the_gate(sandbox: Sandbox) -> None:
    slow = "        for _ in range(4_000_000):\n            pass\n        return Score.correct() if"
    report = run_gate(
        sandbox, changed(sound(), "bootcamp.py", "        return Score.correct() if", slow), plan=GatePlan(budget_s=2.0)
    )
    assert report.verdict is Verdict.FAIL
    assert "contract.too_slow" in {finding.code for finding in report.findings}


@pytest.mark.parametrize("seen", ["wrong 0", "0.0 (wrong): 7 expected; the attacker says: no", "0"])
def test_a_verdict_that_is_told_in_another_form_is_reproduced(sandbox: Sandbox, seen: str) -> None:
    witness = Witness("score", 1, 0, "<answer>-999</answer>", expected="correct 1", seen=seen)
    done = replay(sandbox, sound(), Finding("change.verdict", Severity.NOTE, "m", witness))
    assert done.words == "reproduced: this is the verdict of these bytes; the older version was not asked again"
    other = replace(witness, seen="correct 1")
    done = replay(sandbox, sound(), Finding("change.verdict", Severity.NOTE, "m", other))
    assert done.words.startswith("NOT reproduced: these bytes made the case")


def test_what_one_replay_cannot_show_is_said(sandbox: Sandbox) -> None:
    earns = Witness(
        "score", 1, 0, "<answer>-999</answer>", expected="at most 0.15 on average", seen="score 0.0 (wrong)"
    )
    floor = replay(sandbox, sound(), Finding("floor.above_declared", Severity.MAJOR, "m", earns))
    assert floor.words.startswith("reproduced: this is one of the responses that score; what they earn on average")
    lacks = Witness("prompt", 1, 0, seen="a blind solver says: no order is given")
    shown = replay(sandbox, sound(), Finding("oppose.missing_fact", Severity.MAJOR, "m", lacks))
    assert shown.reproduced is None
    assert "for a reader" in shown.words
    survivor = Finding("mutation.survivor", Severity.NOTE, "m", Witness("source", file="bootcamp.py", line=3))
    assert replay(sandbox, sound(), survivor).reproduced is None
