"""How near a candidate is to the tasks that are there."""

from __future__ import annotations

from pathlib import Path

import pytest

from authoring.draft_contract import assemble
from authoring.drafts import read_files
from authoring.novelty import Catalogue, Novelty
from bootcamp_kit.folder import TaskFolder
from bootcamp_kit.library import Library
from chat_models.protocol import ChatReply, StopReason, Usage
from tests.authoring.parts import draft_folder, make_brief, reply_with
from tests.authoring.planted import renamed

THRESHOLD = 0.7


def folder_of(reply: str, number: int) -> TaskFolder:
    files = read_files(ChatReply(reply, StopReason.END, Usage(), "m"))
    return assemble(files, make_brief(number, f"Other words for puzzle {number}."), author="scripted:model")


@pytest.fixture(scope="module")
def catalogue(tmp_path_factory: pytest.TempPathFactory) -> Catalogue:
    root = tmp_path_factory.mktemp("library")
    draft_folder().write(root / "puzzles" / "exact_load_1")
    sound = Path(__file__).parents[1] / "sound_tasks"
    for place in sorted(sound.glob("*/card.toml")):
        folder = TaskFolder.read(place.parent)
        folder.write(root / folder.card.family / folder.card.id)
    return Catalogue(Library(root))


def test_a_copy_under_other_names_is_a_near_duplicate(catalogue: Catalogue) -> None:
    found = catalogue.nearest(folder_of(renamed(reply_with()), 2), THRESHOLD)
    assert found.nearest[0].task_id == "exact_load_1"
    assert found.nearest[0].code > 0.95
    assert [finding.code for finding in found.result().findings] == ["compare.near_duplicate"]
    assert Novelty.from_json(found.to_json()) == found


def test_an_earlier_version_of_the_task_itself_is_left_out(catalogue: Catalogue) -> None:
    found = catalogue.nearest(folder_of(reply_with(), 1), THRESHOLD)
    assert "exact_load_1" not in [item.task_id for item in found.nearest]
    assert not found.result().findings


def test_no_sound_task_is_taken_for_a_copy_of_another(catalogue: Catalogue) -> None:
    for place in sorted((Path(__file__).parents[1] / "sound_tasks").glob("*/card.toml")):
        found = catalogue.nearest(TaskFolder.read(place.parent), THRESHOLD)
        assert not found.result().findings, f"{place.parent.name}: {found.nearest[0]}"


def test_an_empty_library_has_no_near_task(tmp_path: Path) -> None:
    found = Catalogue(Library(tmp_path)).nearest(draft_folder(), THRESHOLD)
    assert (found.nearest, found.compared, found.figures["nearest"]) == ((), 0, "")
