"""The catalogue reads cards only; loading takes approved bytes only."""

import os
from pathlib import Path

import pytest

from bootcamp_kit.case import Outcome
from bootcamp_kit.errors import UsageError
from bootcamp_kit.folder import TaskFolder
from bootcamp_kit.interop.internbootcamp import as_internbootcamp
from bootcamp_kit.library import Library, load, retired_because
from bootcamp_kit.loading import package_name


def approve(root: Path) -> None:
    (root / "evidence").mkdir(exist_ok=True)
    (root / "evidence" / "record.toml").write_text(
        f'[approval]\ncontent_hash = "{TaskFolder.read(root).content_hash}"\n', "utf-8"
    )


@pytest.fixture
def shelf(tmp_path: Path, doubling_task: dict[str, bytes]) -> Path:
    TaskFolder(doubling_task).write(tmp_path / "arithmetic" / "doubling")
    approve(tmp_path / "arithmetic" / "doubling")
    return tmp_path


def test_a_loaded_task_makes_cases_and_scores_responses(shelf: Path) -> None:
    task = load("doubling", root=shelf)
    case = task.case(level=2, seed=5)
    assert case == load("doubling", root=shelf).case(2, 5)
    assert str(case.payload["n"]) in task.prompt(case)
    assert task.score(case, f"<answer>{2 * case.payload['n']}</answer>").value == 1.0
    assert task.score(case, "<answer>-1</answer>").outcome is Outcome.WRONG
    assert task.score(case, "no idea").outcome is Outcome.MALFORMED
    assert len({case.key for _, case in zip(range(20), task.cases(3), strict=False)}) > 10


def test_an_unapproved_or_changed_task_is_not_imported(shelf: Path) -> None:
    folder = shelf / "arithmetic" / "doubling"
    (folder / "bootcamp.py").write_text("raise SystemExit('was imported')\n")
    with pytest.raises(UsageError, match="differ"):
        load("doubling", root=shelf)
    (folder / "evidence" / "record.toml").unlink()
    with pytest.raises(UsageError, match="no approval"):
        load("doubling", root=shelf)


def test_scanning_runs_no_task_code_and_names_broken_folders(shelf: Path, doubling_task: dict[str, bytes]) -> None:
    (shelf / "arithmetic" / "doubling" / "bootcamp.py").write_text("raise SystemExit('was imported')\n")
    (shelf / "arithmetic" / "broken").mkdir()
    (shelf / "arithmetic" / "broken" / "card.toml").write_text("id = ")
    TaskFolder(doubling_task).write(shelf / "elsewhere" / "doubling_too")
    entries, problems = Library(shelf).scan()
    assert [entry.card.id for entry in entries] == ["doubling"]
    assert [problem.path.name for problem in problems] == ["broken", "doubling_too"]
    with pytest.raises(UsageError, match="broken"):
        Library(shelf).entry("broken")


def test_an_unknown_id_names_its_neighbours(shelf: Path) -> None:
    with pytest.raises(UsageError, match="did you mean doubling"):
        load("dubling", root=shelf)


def test_a_task_speaks_internbootcamps_interface(shelf: Path) -> None:
    cls = as_internbootcamp("doubling", root=shelf)
    first, second = (camp := cls(level=2)).case_generator(), camp.case_generator()
    assert (first["seed"], second["seed"]) == (0, 1)
    assert str(first["payload"]["n"]) in cls.prompt_func(first)
    right = f"<think>{'x' * 100}</think> <answer>{2 * first['payload']['n']}</answer>"
    wrong = f"<think>{'x' * 100}</think> <answer>-1</answer>"
    assert cls.extract_output(right) == 2 * first["payload"]["n"]
    assert cls.extract_output("nothing") is None
    assert cls.verify_score(right, first) == 1.0
    assert cls.verify_score(wrong, first, format_score=0.1) == 0.1
    assert cls.verify_score("x" * 200 + "</think>", first, format_score=0.1) == 0.0
    assert cls.verify_score("<answer>1</answer>", first) == 0.0, "short"
    assert cls.verify_score(right.replace("</think>", ""), first) == 0.0, "no end of thought"
    assert cls.verify_score(right[-40:], first, short_penalty=False, format_penalty=False) == 1.0
    with pytest.raises(UsageError, match="another task"):
        cls.verify_score(right, {**first, "task_id": "other"})


def test_two_versions_of_one_task_can_live_in_one_process(shelf: Path, tmp_path: Path) -> None:
    old = load("doubling", root=shelf)
    folder = shelf / "arithmetic" / "doubling"
    text = (folder / "bootcamp.py").read_text()
    (folder / "bootcamp.py").write_text(text.replace("What is twice", "Double"))
    approve(folder)
    new = load("doubling", root=shelf)
    case = new.case(1, 1)
    assert old.prompt(case).startswith("What is twice")
    assert new.prompt(case).startswith("Double")


def test_a_task_cannot_replace_the_way_it_is_scored(shelf: Path) -> None:
    folder = shelf / "arithmetic" / "doubling"
    text = (folder / "bootcamp.py").read_text()
    own = "    def score(self, case, response):\n        return Score.correct()\n\n    def parse("
    (folder / "bootcamp.py").write_text(text.replace("    def parse(", own))
    approve(folder)
    with pytest.raises(TypeError, match="score is final"):
        load("doubling", root=shelf)
    (folder / "bootcamp.py").write_text(text + "\nBOOTCAMP.score = lambda case, response: Score.correct()\n")
    approve(folder)
    task = load("doubling", root=shelf)
    assert task.score(task.case(1, 0), "<answer>-1</answer>").outcome is Outcome.WRONG


@pytest.mark.parametrize("name", ["oracle", "reference"])
def test_oracle_and_reference_never_leave_the_sandbox(shelf: Path, name: str) -> None:
    folder = shelf / "arithmetic" / "doubling"
    (folder / f"{name}.py").write_text("raise SystemExit('was imported')\n")
    (folder / "bootcamp.py").write_text((folder / "bootcamp.py").read_text() + f"\nfrom . import {name}\n")
    approve(folder)
    with pytest.raises(ImportError, match=name):
        load("doubling", root=shelf)


def test_a_task_cannot_tell_the_library_from_the_sandbox_by_its_name(shelf: Path) -> None:
    task = load("doubling", root=shelf)
    sources = TaskFolder.read(shelf / "arithmetic" / "doubling").sources
    assert type(task.bootcamp).__module__ == f"{package_name(sources)}.bootcamp"


def test_a_retired_task_says_why_and_still_loads(shelf: Path) -> None:
    folder = shelf / "arithmetic" / "doubling"
    assert retired_because(folder) is None
    record = folder / "evidence" / "record.toml"
    record.write_text(record.read_text() + '\n[retired]\nreason = "too easy"\n')
    assert retired_because(folder) == "too easy"
    assert load("doubling", root=shelf).case(1, 1)


@pytest.mark.parametrize("text", ["a = " + "[" * 50_000, "a = " + "9" * 5_000, "tags = 5", "\xff", ""])
def test_no_card_can_bring_down_the_catalogue(shelf: Path, text: str) -> None:
    bad = shelf / "arithmetic" / "bad"
    bad.mkdir()
    (bad / "card.toml").write_bytes(text.encode("latin-1"))
    entries, problems = Library(shelf).scan()
    assert ([entry.card.id for entry in entries], len(problems)) == (["doubling"], 1)
    record = shelf / "arithmetic" / "doubling" / "evidence" / "record.toml"
    record.write_bytes(text.encode("latin-1"))
    with pytest.raises(UsageError, match="no approval"):
        load("doubling", root=shelf)


@pytest.mark.parametrize("kind", ["pipe", "device", "link", "huge"])
def test_a_card_that_is_no_plain_file_is_a_problem_and_not_a_wait(shelf: Path, tmp_path: Path, kind: str) -> None:
    bad = shelf / "arithmetic" / "bad" / "card.toml"
    bad.parent.mkdir()
    if kind == "pipe":
        os.mkfifo(bad)
    elif kind == "huge":
        bad.write_bytes(b"#" * (1 << 21))
    else:
        bad.symlink_to("/dev/zero" if kind == "device" else shelf / "arithmetic" / "doubling" / "card.toml")
    _, problems = Library(shelf).scan()
    assert [problem.path.name for problem in problems] == ["bad"]
    record = shelf / "arithmetic" / "doubling" / "evidence" / "record.toml"
    record.unlink()
    os.mkfifo(record)
    with pytest.raises(UsageError, match="no approval"):
        load("doubling", root=shelf)
