"""Whether the solver of one task solves another one's cases."""

from __future__ import annotations

from pathlib import Path

import pytest

from authoring.draft_contract import assemble
from authoring.drafts import read_files
from authoring.novelty import Novelty, Transfer
from authoring.transfer import alike, pairings, transfer
from bootcamp_kit.folder import TaskFolder
from chat_models.protocol import ChatReply, StopReason, Usage
from evaluation.boxes import job_limits
from tests.authoring.cast import process_box
from tests.authoring.parts import draft_folder, make_brief, reply_with

SOUND = Path(__file__).parents[1] / "sound_tasks"


def dressed(*changes: tuple[str, str]) -> TaskFolder:
    """The worked example under another id with other words in it."""
    reply = reply_with()
    for before, after in changes:
        assert before in reply
        reply = reply.replace(before, after)
    files = read_files(ChatReply(reply, StopReason.END, Usage(), "m"))
    return assemble(files, make_brief(2, "Other words."), author="scripted:model")


def tried_on(folder: TaskFolder, known: TaskFolder) -> Transfer:
    with (
        process_box(folder.sources, job_limits(folder.card)) as mine,
        process_box(known.sources, job_limits(known.card)) as theirs,
    ):
        return transfer(mine, folder, theirs, known.card)


def test_the_same_exercise_under_other_names_is_solved_by_the_solver_that_is_there() -> None:
    found = tried_on(
        dressed(('"weights"', '"masses"'), ('"load"', '"capacity"'), ("'load'", "'capacity'")), draft_folder()
    )
    assert (found.solved, found.asked) == (10, 10)
    assert found.names == (("load", "capacity"), ("weights", "masses"))
    assert "it reads capacity as load, masses as weights" in found.words
    assert found.certain(floor=0.2)


def test_a_solver_of_something_else_solves_nothing() -> None:
    other = TaskFolder.read(next(place for place in sorted(SOUND.glob("*/")) if (place / "card.toml").exists()))
    found = tried_on(draft_folder(), other)
    assert found.solved == 0
    assert found.asked == 10
    assert not found.certain(floor=0.0)


@pytest.mark.parametrize(
    ("solved", "asked", "floor", "certain"),
    [(10, 10, 0.1, True), (10, 10, 0.9, False), (6, 10, 0.1, False), (0, 0, 0.0, False)],
)
def test_what_counts_is_more_than_a_guess(solved: int, asked: int, floor: float, certain: bool) -> None:
    assert Transfer("other", solved, asked).certain(floor) is certain


def test_keys_are_paired_where_their_data_are_alike_equal_names_first() -> None:
    theirs = {"a": 1, "b": 2, "words": ["x"]}
    mine = {"b": 5, "texts": ["y", "z"], "a": 7}
    found = list(pairings(theirs, mine))
    assert found == [{"a": "a", "b": "b", "words": "texts"}, {"a": "b", "b": "a", "words": "texts"}]
    assert list(pairings(theirs, {"a": 1, "b": 2})) == []
    assert list(pairings([1, 2], [3])) == [{}]
    assert list(pairings(None, [3])) == []


def test_data_are_alike_by_kind() -> None:
    assert alike(1, 2.5)
    assert alike([], [["x"]])
    assert not alike([1], ["1"])
    assert not alike(True, 1)


def test_a_comparison_is_kept_with_what_solvers_came_to() -> None:
    novelty = Novelty((), 1, 0.7).with_transfers((Transfer("other", 10, 10, (("a", "b"),)),), 0.25)
    assert Novelty.from_json(novelty.to_json()) == novelty
    assert [finding.code for finding in novelty.result().findings] == ["compare.solver_transfer"]
    assert Novelty.from_json({"nearest": [], "compared": 0, "threshold": 0.7}).transfers == ()
