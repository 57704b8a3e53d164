"""The nearest task of the library, and what differs from what was reviewed before."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from bootcamp_kit.errors import ReviewRuleError
from bootcamp_kit.folder import TaskFolder
from bootcamp_kit.versions import Size
from review import difference
from review.decide import Choice, decide
from review.handmade import submission as handmade
from review.nearest import nearest
from review.session import context_of
from review.subjects import of_task, rebuilt_brief
from tests.review.conftest import KEEPER, REVIEWER, a_submission

CODE = (
    "def turn(seats):\n    for seat in seats:\n        print(seat + 1)\n    return sorted(seats)\n\n\nBOOTCAMP = None\n"
)
RENAMED = CODE.replace("seats", "chairs").replace("seat ", "chair ").replace("(seat", "(chair").replace("1", "5")
OTHER = (
    "class Maze:\n    def walk(self, steps):\n        while steps:\n            steps.pop()\n\n\nBOOTCAMP = Maze()\n"
)


def shelf(root: Path, **tasks: dict[str, str]) -> Path:
    for task_id, more in tasks.items():
        folder = a_submission(task_id=task_id, **more).candidate.folder
        folder.write(root / "arithmetic" / task_id)
    return root


def test_a_renamed_copy_is_found_among_other_tasks(queue, tmp_path: Path) -> None:
    item = queue.item(queue.submit(a_submission(body=CODE)))
    library = shelf(
        tmp_path / "lib",
        chair_turning={"body": RENAMED, "text": "Chairs are moved about. Which one stands first?"},
        maze_walk={"body": OTHER, "text": "A maze of rooms. How long is the way out?"},
        seat_rotation={"body": CODE},
    )
    near = nearest(item, library)
    assert [one.task_id for one in near] == ["chair_turning", "maze_walk"], "the task it replaces is left out"
    assert near[0].code > 0.9
    assert "CLOSE" in near[0].words
    assert near[1].likeness < 0.3
    assert dict(context_of(queue, item, REVIEWER, library))["nearest task"].startswith("chair_turning")


def test_a_changed_or_broken_library_is_read_again_and_passed_over(queue, tmp_path: Path) -> None:
    item = queue.item(queue.submit(a_submission(body=CODE)))
    library = shelf(tmp_path / "lib", chair_turning={"body": RENAMED, "text": "Other words altogether, of chairs."})
    assert nearest(item, library)[0].code > 0.9
    path = library / "arithmetic" / "chair_turning" / "bootcamp.py"
    path.write_text(OTHER)
    os.utime(path, ns=(1, 2**60))
    assert nearest(item, library)[0].code < 0.3
    (path.parent / "brief.md").unlink()
    path.unlink()
    assert nearest(item, library)[0].likeness == 0.0
    assert nearest(item, tmp_path / "nowhere") == ()


def test_a_second_look_compares_with_what_the_same_person_decided_on(queue, tmp_path: Path) -> None:
    first = queue.submit(a_submission(body=CODE))
    assert difference.before_of(queue, queue.item(first), REVIEWER) is None
    decide(queue, first, Choice.RETURN, REVIEWER, "sort them", shown_hash=first)
    second = queue.submit(a_submission(body=CODE.replace("+ 1", "+ 2"), attempt=2, parent=first))
    found = difference.before_of(queue, queue.item(second), REVIEWER)
    assert found is not None
    assert found.words.startswith("what you decided on: seat_rotation@")
    other = difference.before_of(queue, queue.item(second), KEEPER)
    assert other is not None
    assert other.words.startswith("what it was repaired from")
    lines = difference.differences(found.files, queue.item(second).folder.files)
    assert difference.summary(lines) == "bootcamp.py +1 −1"
    assert "-        print(seat + 1)" in difference.page(found, queue.item(second).folder.files).plain


def test_a_first_look_compares_with_the_version_that_stands(queue, tmp_path: Path) -> None:
    library = shelf(tmp_path / "lib", seat_rotation={"body": CODE})
    item = queue.item(queue.submit(a_submission(body=CODE, version="1.0.1")))
    found = difference.before_of(queue, item, REVIEWER, library)
    assert found is not None
    assert found.words == "version 1.0.0 in the library"
    evil = difference.page(found, {**item.folder.files, "evil.py": b"\x1b]0;owned\x07[bold]"})
    assert "\x1b" not in evil.plain
    assert "\\x1b]0;owned\\x07[bold]" in evil.plain


def test_a_brief_is_put_together_from_the_folder(tmp_path: Path) -> None:
    page = (
        b"# Seat rotation\n\nEveryone moves.\n\n---\n\nNot the end.\n\n---\n\nSource: brief, Seats. Licence: CC0-1.0.\n"
    )
    files = {**a_submission().candidate.folder.files, "brief.md": page, "reference.py": b"print(1)\n"}
    brief = rebuilt_brief(TaskFolder(files))
    assert brief.text == "Everyone moves.\n\n---\n\nNot the end."
    assert (brief.id, brief.solution and brief.solution.code) == ("seat_rotation", "print(1)\n")
    TaskFolder(files).write(tmp_path / "task")
    assert of_task(tmp_path / "task").candidate.lineage.attempt == 1


def written(version: str = "1.0.0", licence: str = "MIT", body: str = CODE) -> TaskFolder:
    return a_submission(version=version, licence=licence, body=body).candidate.folder


@pytest.mark.parametrize(
    ("folder", "author", "standing", "said"),
    [
        (written(), "somebody", None, "not a named person"),
        (written(licence="Freely"), KEEPER, None, "no SPDX licence"),
        (written(), KEEPER, written(), "exactly these bytes"),
        (
            written(body=OTHER),
            KEEPER,
            written(),
            "its version is 1.0.0, the library has 1.0.0, and this is a minor step",
        ),
        (written("1.0.9", body=OTHER), KEEPER, written(), "this is a minor step"),
    ],
)
def test_a_task_written_by_hand_is_refused_before_it_is_measured(
    folder: TaskFolder, author: str, standing: TaskFolder | None, said: str
) -> None:
    with pytest.raises(ReviewRuleError, match=said):
        handmade(folder, author, standing, lambda old, new: Size.MINOR)


def test_who_wrote_a_task_cannot_approve_it(queue) -> None:
    folder = written("1.1.0", body=OTHER)
    made = handmade(folder, KEEPER, written(), lambda old, new: Size.MINOR)
    like = a_submission(version="1.1.0", licence="MIT", body=OTHER)
    ref = queue.submit(made(like.report))
    assert queue.item(ref).lineage.parent == written().content_hash
    with pytest.raises(ReviewRuleError, match="the reviewer is its author"):
        decide(queue, ref, Choice.APPROVE, "K. Keeper <kim@example.org>", shown_hash=ref)
    decide(queue, ref, Choice.APPROVE, REVIEWER, shown_hash=ref)
