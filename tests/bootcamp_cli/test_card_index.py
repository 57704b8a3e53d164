"""A listing from the index says what the files say, whatever became of the files or of the index."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bootcamp_cli.card_index import FOLDER, WORTH_KEEPING, CardIndex
from bootcamp_cli.main import call
from tests.evaluation.conftest import put_task, task_files

TASKS = WORTH_KEEPING + 5


@pytest.fixture
def shelf(tmp_path: Path) -> Path:
    for number in range(TASKS):
        put_task(tmp_path / "library", task_files(f"task_{number:03d}"))
    return tmp_path / "library"


@pytest.fixture
def listed(shelf: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., Any]:
    """Runs the verb in this process; its document, or its text."""
    for key in [key for key in os.environ if key.startswith("BOOTCAMP_")]:
        monkeypatch.delenv(key)
    monkeypatch.setenv("BOOTCAMP_STATE", str(shelf.parent / "state"))
    monkeypatch.chdir(shelf)

    def run(*more: str, library: Path = shelf, code: int = 0) -> Any:
        capsys.readouterr()
        assert call(["library", "list", "--library", str(library), *more]) == code
        text = capsys.readouterr().out
        return json.loads(text) if "--json" in more else text

    return run


def index_of(shelf: Path) -> Path:
    [path] = (shelf.parent / "state" / FOLDER).iterdir()
    return path


def test_a_second_listing_is_the_first_and_a_third_what_the_files_say_now(
    shelf: Path, listed: Callable[..., Any]
) -> None:
    first = listed("--json")
    assert len(first["tasks"]) == TASKS and all(task["approved_hash"] for task in first["tasks"])
    known = json.loads(index_of(shelf).read_text())
    assert len(known) == 2 * TASKS, "a card and a record of each"
    assert sum(name.startswith("record:") and list(known[name]) == ["approval"] for name in known) == TASKS
    assert listed("--json") == first and listed().count("\n") == TASKS + 1
    card, record = (shelf / "arithmetic" / "task_007" / name for name in ("card.toml", "evidence/record.toml"))
    before = card.stat()
    card.write_text(card.read_text().replace("Double a number.", "Doubles a numbe."))
    os.utime(card, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert card.stat().st_size == before.st_size, "neither time nor size tells that it changed"
    record.write_text('[retired]\nreason = "worn out"\n')
    (shelf / "arithmetic" / "task_008" / "card.toml").write_text("id = ")
    found = listed("--json", code=1)
    again = {task["id"]: task for task in found["tasks"]}
    assert again["task_007"]["summary"] == "Doubles a numbe." and again["task_007"]["retired"] == "worn out"
    assert again["task_007"]["approved_hash"] is None and "task_008" not in again
    assert [Path(item["path"]).name for item in found["problems"]] == ["task_008"]


def test_an_index_that_is_damaged_or_lies_of_other_things_is_written_anew(
    shelf: Path, listed: Callable[..., Any]
) -> None:
    first = listed("--json")
    path = index_of(shelf)
    whole = path.read_text()
    for text in ("", whole[:-9], "[]", "[" * 100_000, json.dumps(dict.fromkeys(json.loads(whole), 7))):
        path.write_text(text)
        assert listed("--json") == first
        assert json.loads(path.read_text()) == json.loads(whole)


def test_a_state_folder_that_cannot_be_made_spoils_no_listing(shelf: Path, listed: Callable[..., Any]) -> None:
    (shelf.parent / "state").write_text("a file")
    assert len(listed("--json")["tasks"]) == TASKS


def test_few_tasks_leave_no_index_and_what_json_cannot_hold_is_not_kept(
    tmp_path: Path, listed: Callable[..., Any]
) -> None:
    put_task(tmp_path / "small", task_files("doubling"))
    listed("--json", library=tmp_path / "small")
    assert not (tmp_path / "state").exists()
    index = CardIndex(tmp_path / "state", tmp_path / "small")
    for number in range(WORTH_KEEPING):
        index.read(f"a = {number}\nb = [1.5, inf, 'x', true]".encode())
    day = index.read(b"a = 2026-11-30")
    index.keep(lambda: (tmp_path / "state").mkdir())
    again = CardIndex(tmp_path / "state", tmp_path / "small")
    assert again.read(b"a = 2026-11-30") == day
    assert again.read(b"a = 0\nb = [1.5, inf, 'x', true]") == {"a": 0, "b": [1.5, float("inf"), "x", True]}
    assert len(json.loads(index_of(tmp_path / "small").read_text())) == WORTH_KEEPING
