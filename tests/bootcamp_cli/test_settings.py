"""Flag > environment > file > default; what is unknown or wrong is said, with the name of the key."""

import json
from pathlib import Path

import pytest

from bootcamp_cli.settings import load_settings
from bootcamp_kit.errors import UsageError
from tests.bootcamp_cli.conftest import Run


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    monkeypatch.chdir(inner)
    return inner


def test_each_source_beats_the_ones_below_it(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert load_settings().candidates == 3
    (place.parent / "bootcamp.toml").write_text("candidates = 5\nrepairs = 7\n")
    assert load_settings().candidates == 5
    monkeypatch.setenv("BOOTCAMP_CANDIDATES", "6")
    assert load_settings().candidates == 6
    assert load_settings(candidates=4).candidates == 4
    assert load_settings(candidates=None).repairs == 7


@pytest.mark.parametrize(
    ("toml", "named"),
    [("surprise = 1\n", "surprise"), ("candidates = 'x'\n", "candidates"), ("candidates =\n", "TOML")],
)
def test_a_bad_file_is_refused_by_key(toml: str, named: str, place: Path) -> None:
    (place / "bootcamp.toml").write_text(toml)
    with pytest.raises(UsageError, match=named):
        load_settings()


def test_an_unknown_variable_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BOOTCAMP_CANDIDATE", "1")
    with pytest.raises(UsageError, match="BOOTCAMP_CANDIDATE"):
        load_settings()


def test_state_is_kept_at_the_root_of_the_checkout_and_ignored_by_git(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    state = load_settings().state_dir
    assert state == (tmp_path / ".bootcamp").resolve()
    assert (state / ".gitignore").read_text() == "*\n"
    assert load_settings(state=tmp_path / "other").state_dir == (tmp_path / "other").resolve()


def test_a_relative_path_in_the_file_is_meant_from_its_folder(place: Path) -> None:
    (place.parent / "bootcamp.toml").write_text('library = "../shelf"\n')
    library = load_settings().library
    assert library is not None
    assert library.resolve() == (place.parent.parent / "shelf").resolve()


def test_every_verb_reads_the_library_of_the_settings(bootcamp: Run, tmp_path: Path) -> None:
    (tmp_path / "shelf").mkdir()
    (tmp_path / "place" / "bootcamp.toml").write_text('library = "../shelf"\n')
    assert json.loads(bootcamp("library", "list", "--json").stdout)["tasks"] == []
    bootcamp("library", "sample", "limping_hand", code=2)
    bootcamp("export", "limping_hand", "--out", "-", code=2)
