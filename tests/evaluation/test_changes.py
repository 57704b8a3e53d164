"""What a new version changes: which verdicts flip, and no others; which cases are others."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from bootcamp_kit.folder import TaskFolder
from bootcamp_kit.versions import Size
from chat_models.protocol import ChatRequest
from chat_models.scripted import ScriptedModel
from evaluation.boxes import Boxes
from evaluation.changes import EXAMPLES, GATE, ROLLOUTS, measure_changes, runs_of
from evaluation.plan import EvaluationPlan, grid
from evaluation.rollouts import run
from evaluation.store import RunStore
from sandbox.plan import GatePlan
from sandbox.service import Sandbox
from tests.evaluation.conftest import task_files

pytestmark = pytest.mark.docker
FEW = GatePlan(
    cases_per_level=4, screen_cases=2, property_examples=2, response_examples=2, stable_examples=2, other_seeds=2
)
Doubler = Callable[..., ScriptedModel]
OLD = TaskFolder(task_files("doubling"))
EXAMPLE = '[[reject]]\nname = "one off"\npayload = \'{"n": 4}\'\nresponse = "<answer>9</answer>"\n'


def changed(old: str, new: str, examples: str = "") -> TaskFolder:
    source = OLD.files["bootcamp.py"].decode()
    assert old in source
    files = {**OLD.files, "bootcamp.py": source.replace(old, new).encode(), "examples.toml": examples.encode()}
    return TaskFolder(files)


def stored_run(shelf: Path, say: Callable[[int, ChatRequest], str], doubler: Doubler) -> None:
    folders = {"doubling": OLD}
    plan = EvaluationPlan(grid([OLD], [1, 2], range(10)), "scripted:doubler", scorer="process")
    with RunStore.create(shelf / "one", plan) as store, Boxes(folders, None) as boxes:
        asyncio.run(run(store, doubler(say), boxes))


def test_the_verdicts_that_were_meant_to_flip_are_told_and_no_others(
    tmp_path: Path, sandbox: Sandbox, doubler: Doubler
) -> None:
    """Partial credit for one off is taken away: every answer that had it flips, in each part of the corpus."""
    stored_run(tmp_path, lambda n, _: f"<answer>{2 * n + n % 2}</answer>", doubler)
    new = changed('return Score.partial(0.5, "one off")', 'return Score.wrong("one off")', EXAMPLE)
    found = measure_changes(sandbox, OLD, new, runs_of("doubling", tmp_path), plan=FEW)
    assert (found.size, found.cases_changed, found.prompts_changed) == (Size.MINOR, 0, 0)
    assert found.files == ("bootcamp.py", "examples.toml")
    assert (found.asked[EXAMPLES], found.changed[EXAMPLES]) == (1, 1)
    assert 10 < found.asked[ROLLOUTS] <= 20, "the same answer to the same case counts once"
    assert 0 < found.changed[ROLLOUTS] < found.asked[ROLLOUTS]
    assert 0 < found.changed[GATE] < found.asked[GATE]
    assert {(flip.before, flip.after) for flip in found.flips} == {("partial 0.5", "wrong 0")}
    assert {finding.severity.value for finding in found.result().findings} == {"note"}


def test_other_cases_or_prompts_are_other_data(sandbox: Sandbox) -> None:
    prompt = measure_changes(sandbox, OLD, changed("What is twice", "Compute twice"), plan=FEW)
    assert (prompt.size, prompt.cases_changed, prompt.prompts_changed) == (Size.MAJOR, 0, prompt.cases)
    assert sum(prompt.changed.values()) <= 20, "the verdicts stay, but for the prompt pasted back"


def test_a_generator_that_draws_otherwise_and_a_verifier_that_crashes_both_show(sandbox: Sandbox) -> None:
    source = changed("if answer ==", "if answer + {} ==").files["bootcamp.py"]
    files = {**OLD.files, "bootcamp.py": source.replace(b"rng.randrange(", b"1 + rng.randrange(")}
    found = measure_changes(sandbox, OLD, TaskFolder(files), plan=FEW)
    assert (found.size, found.cases_changed) == (Size.MAJOR, found.cases)
    assert found.flips[0].after == "no score (verifier-crash)"
