"""A retired task is left out where `all` or a family is named, and said to be; by its id it is taken, with a note."""

from __future__ import annotations

from pathlib import Path

import pytest

from bootcamp_cli.commands.export import load_tasks
from bootcamp_cli.commands.library import list_tasks
from bootcamp_cli.evaluating import find_tasks
from bootcamp_cli.settings import load_settings
from bootcamp_kit.errors import UsageError
from bootcamp_kit.library import Library
from evaluation.curriculum import Mix
from evaluation.mixing import open_curriculum, save
from tests.evaluation.conftest import put_task, task_files

SAID = "1 retired task left out: tired; name it by its id to take it all the same\n"


@pytest.fixture
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    root = tmp_path / "library"
    for name, family in (("doubling", "arithmetic"), ("tired", "arithmetic"), ("gone", "worn")):
        put_task(root, task_files(name, family))
    for place in ("arithmetic/tired", "worn/gone"):
        with (root / place / "evidence" / "record.toml").open("a") as record:
            record.write('\n[retired]\nreason = "too easy"\n')
    monkeypatch.setenv("BOOTCAMP_STATE", str(tmp_path / "state"))
    monkeypatch.setenv("BOOTCAMP_LIBRARY", str(root))
    return root


def test_a_group_of_tasks_leaves_out_what_is_retired_and_says_so(
    shelf: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert [task.card.id for task in load_tasks(Library(shelf), ["arithmetic"])] == ["doubling"]
    assert capsys.readouterr().err == SAID
    assert [folder.card.id for folder in find_tasks(load_settings(), ["arithmetic"])] == ["doubling"]
    assert capsys.readouterr().err == SAID
    assert [folder.card.id for folder in find_tasks(load_settings(), ["all"])] == ["doubling"]
    assert "2 retired tasks left out: gone, tired;" in capsys.readouterr().err
    assert [task.card.id for task in load_tasks(Library(shelf), ["all"])] == ["doubling"]


def test_a_retired_task_that_is_named_is_taken_with_a_note(shelf: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert [task.card.id for task in load_tasks(Library(shelf), ["tired", "all"])] == ["tired", "doubling"]
    told = capsys.readouterr().err
    assert "note: tired is retired: too easy\n" in told and "1 retired task left out: gone;" in told
    assert [folder.card.id for folder in find_tasks(load_settings(), ["tired"])] == ["tired"]
    assert capsys.readouterr().err == "note: tired is retired: too easy\n"


def test_a_group_with_nothing_but_retired_tasks_is_refused(shelf: Path) -> None:
    with pytest.raises(UsageError, match="its only task is retired: gone"):
        load_tasks(Library(shelf), ["worn"])
    with pytest.raises(UsageError, match="its only task is retired: gone"):
        find_tasks(load_settings(), ["worn"])


def test_the_catalogue_tells_offered_tasks_from_all_of_them(shelf: Path) -> None:
    assert [entry.card.id for entry in Library(shelf).offered()] == ["doubling"]
    assert [entry.card.id for entry in Library(shelf).scan()[0]] == ["doubling", "gone", "tired"]


def test_a_mix_whose_task_was_retired_meanwhile_says_which(shelf: Path, tmp_path: Path) -> None:
    mix, state = Mix(), tmp_path / "state.json"
    cards = [entry.card for entry in Library(shelf).scan()[0]]
    save(state, open_curriculum(None, cards, mix), [card.id for card in cards], first_seed=0)
    with pytest.raises(UsageError, match=r"missing now gone, tired\n.*a retired one by its id"):
        open_curriculum(state, [entry.card for entry in Library(shelf).offered()], mix)


def test_the_list_marks_what_is_retired(shelf: Path, capsys: pytest.CaptureFixture[str]) -> None:
    list_tasks()
    shown = {line.split("\t")[0]: line.split("\t")[-1] for line in capsys.readouterr().out.splitlines()}
    assert shown["tired"] == "tired (retired)" and shown["doubling"] == "doubling"
