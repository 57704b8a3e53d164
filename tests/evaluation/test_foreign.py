"""Another library's tasks through evaluate, export and serve; a small stand-in of reasoning_gym in a folder."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import cast

import pytest

from bootcamp_kit.errors import UsageError
from evaluation.foreign import ForeignLibrary, _folder, task_id_of
from evaluation.plan import CaseRef, EvaluationPlan, PlannedTask
from sandbox.service import Sandbox
from tests.evaluation.conftest import Done
from tests.evaluation.service.conftest import Served, end, start

Bootcamp = Callable[..., Done]

LIBRARY = '''
"""Three data sets with reasoning_gym's methods: a sound one, one of tuples, one whose scorer fails."""
import random
import types


class Adding:
    odd = False

    def __init__(self, seed, size):
        self.seed, self.size = seed, size

    def __getitem__(self, index):
        rng = random.Random(self.seed + index)
        a, b = rng.randrange(10, 99), rng.randrange(10, 99)
        numbers = (a, b) if self.odd else [a, b]
        return {"question": f"What is {a} + {b}?", "answer": str(a + b), "metadata": {"numbers": numbers}}

    def score_answer(self, answer, entry):
        assert type(entry["metadata"]["numbers"]) is (tuple if self.odd else list)
        return 1.0 if answer == entry["answer"] else 0.01 if answer and answer.isdigit() else 0.0


class Tuples(Adding):
    odd = True


class Failing(Adding):
    def score_answer(self, answer, entry):
        raise KeyError("the scorer fell over")


class NotANumber(Adding):
    def score_answer(self, answer, entry):
        return float("nan")


KINDS = {"adding": Adding, "tuples": Tuples, "failing": Failing, "not_a_number": NotANumber}
factory = types.SimpleNamespace(
    DATASETS=KINDS, create_dataset=lambda name, seed, size: KINDS[name](seed, size)
)
'''


@pytest.fixture
def library(tmp_path: Path) -> str:
    package = tmp_path / "packages" / "reasoning_gym"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text(LIBRARY)
    return f"reasoning_gym:{tmp_path / 'packages'}"


def script(place: Path, prompts: list[str]) -> Path:
    """Right sums for even seeds' prompts, a wrong number for the rest."""
    rows = []
    for number, prompt in enumerate(prompts):
        a, b = map(int, re.findall(r"\d+", prompt)[:2])
        answer = a + b + number % 2
        rows.append({"text": f"<answer>{answer}</answer>", "when": [f"{a} + {b}?"], "times": 0})
    path = place / "script.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


@pytest.mark.docker
def test_evaluate_export_and_serve_take_a_foreign_library(tmp_path: Path, library: str, bootcamp: Bootcamp) -> None:
    export = ("export", "adding", "tuples", "--foreign", library, "--seeds", "0:6", "--out")
    refused = bootcamp(*export, "no", code=2)
    assert "the licence is 'unknown'" in refused.stderr
    bootcamp(*export, "out", "--foreign-licence", "Apache-2.0", "--to", "trl")
    rows = [json.loads(line) for line in (tmp_path / "out" / "part-00000.jsonl").read_text().splitlines()]
    assert len(rows) == 12 and {row["task_id"] for row in rows} == {"adding", "tuples"}
    assert all(row["licence"] == "Apache-2.0" and row["source_name"] == "reasoning_gym" for row in rows)
    prompts = [row["prompt"][0]["content"] for row in rows]
    assert all("between <answer> and </answer>" in prompt for prompt in prompts)

    model = ("--model", f"scripted:{script(tmp_path, prompts)}", "--seeds", "6", "--out", tmp_path / "run")
    foreign = ("evaluate", "adding", "tuples", "--foreign", library)
    found = json.loads(bootcamp(*foreign, *model, "--json").stdout)["total"]
    assert found["outcomes"] == {"correct": 6, "partial": 6, "wrong": 0, "malformed": 0} and not found["unscored"]
    again = json.loads(bootcamp("evaluate", "--resume", tmp_path / "run", "--json").stdout)["total"]
    assert again == found
    check_rescore(tmp_path, library, bootcamp)

    serve = ("--foreign", library, "--foreign-licence", "Apache-2.0")
    service = start(tmp_path, tmp_path / "state", *serve)
    try:
        check_service(service)
    finally:
        end(service)


def check_rescore(tmp_path: Path, library: str, bootcamp: Bootcamp) -> None:
    rescore = ("evaluate", "rescore", tmp_path / "run", "--out")
    assert "outside the sandbox" in bootcamp(*rescore, "no", "--score", "process", code=2).stderr
    same = json.loads(bootcamp(*rescore, tmp_path / "same", "--json").stdout)
    assert same["total"]["outcomes"]["correct"] == 6 and not same["flips"]
    place = tmp_path / "newer" / "reasoning_gym"
    place.mkdir(parents=True)
    (place / "__init__.py").write_text(LIBRARY.replace("0.01 if", "1.0 if"))
    newer = ("--foreign", f"reasoning_gym:{place.parent}", "--json")
    found = json.loads(bootcamp(*rescore, tmp_path / "lenient", *newer).stdout)
    assert found["total"]["outcomes"]["correct"] == 12 and not found["total"]["unscored"]
    assert {(flip["before"], flip["after"]) for flip in found["flips"]} == {("partial 0.01", "correct 1")}
    assert json.loads((tmp_path / "lenient" / "plan.json").read_text())["origin"] == f"foreign {newer[1]}"


def check_service(service: Served) -> None:
    expected = {"adding": "correct", "tuples": "correct", "failing": "verifier-crash", "not_a_number": "verifier-crash"}
    for name, outcome in expected.items():
        case = service.case(name, level=1)
        a, b = map(int, re.findall(r"\d+", case["prompt"])[:2])
        found = service.post(
            "/v1/score", {"identity": case["identity"], "response": f"<answer>{a + b}</answer>"}
        ).json()
        assert outcome in (found["outcome"], found["unscored"]), found
        assert (found["score"] is None) == (outcome == "verifier-crash")


def test_another_version_of_the_library_or_an_unknown_task_is_refused() -> None:
    def version(image: str) -> ForeignLibrary:
        folder = _folder("reasoning_gym", "adding", image, "unknown")
        return ForeignLibrary(cast("Sandbox", None), {"adding": folder})

    one, other = version("image:1"), version("image:2")
    with one.boxes(one.folders):
        pass
    with pytest.raises(UsageError, match="start a new run"):
        other.boxes(one.folders)
    with pytest.raises(UsageError, match="no such task"):
        one.choose(["nothing"])


def test_foreign_names_become_ids_that_are_never_shared() -> None:
    names = ["leg_counting", "a_b", "a/b_c", "a_b/c", "Kakuro", "kakuro", "x", "9lives"]
    assert len({task_id_of(name) for name in names}) == len(names)
    assert task_id_of("leg_counting") == "leg_counting" and task_id_of("x").startswith("t_x_")


def test_foreign_code_is_never_scored_outside_the_sandbox() -> None:
    task = PlannedTask("adding", "0" * 64, "reasoning_gym", (CaseRef(1, 0),))
    with pytest.raises(UsageError, match="nobody's to approve"):
        EvaluationPlan((task,), "scripted:x", scorer="process", origin="foreign reasoning_gym:/x")
