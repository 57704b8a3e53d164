"""The training examples' library: sound, and without a cheap way to a reward. The training itself is run by hand."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

from bootcamp_kit.library import load

PLACE = Path(__file__).parents[2] / "examples" / "toy_library.py"


@pytest.fixture(scope="module")
def toys() -> ModuleType:
    spec = importlib.util.spec_from_file_location("toy_library", PLACE)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def shelf(toys: ModuleType, tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("toys")
    toys.write_library(root)
    return root


def test_all_tasks_load_and_differ(toys: ModuleType, shelf: Path) -> None:
    names = toys.write_library(shelf)
    assert len(set(names)) == len(names) == 36
    prompts = set()
    for name in names:
        task = load(name, root=shelf)
        prompts.add(task.prompt(task.case(2, 0)).partition(" do this :")[2])
    assert len(prompts) == 36


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("reverse", "d c b a"),
        ("rotate_left", "b c d a"),
        ("rotate_right", "d a b c"),
        ("swap_ends", "d b c a"),
        ("swap_the_first_two", "b a c d"),
        ("swap_the_last_two", "a b d c"),
        ("reverse_then_rotate_left", "c b a d"),
    ],
)
def test_moves_do_what_they_are_called(shelf: Path, name: str, wanted: str) -> None:
    task = load(name, root=shelf)
    case = task.case(2, 0)
    letters = dict(zip("abcd", case.payload["letters"], strict=True))
    answer = " ".join(letters[key] for key in wanted.split())
    assert task.score(case, f"<answer> {answer} </answer>").value == 1.0
    repeated = " ".join([letters[wanted[0]]] * 4)
    assert task.score(case, f"<answer> {repeated} </answer>").value == 0.0, "one letter repeated is sure of a hit"
    assert task.score(case, answer).outcome.value == "malformed"
