"""What a change of a task costs, and its next version."""

from __future__ import annotations

from pathlib import Path

import pytest

from bootcamp_kit.errors import UsageError
from bootcamp_kit.folder import TaskFolder
from bootcamp_kit.versions import Size, bumped, change_size, changed_files, with_version

TASK = TaskFolder.read(Path(__file__).parents[1] / "sound_tasks" / "fewest_coins")


def changed(path: str, old: bytes = b"", new: bytes = b"") -> TaskFolder:
    before = TASK.files.get(path, b"")
    assert old in before
    return TaskFolder({**TASK.files, path: before.replace(old, new, 1) if old else before + new})


CARD = TASK.files["card.toml"]
TITLE = next(line for line in CARD.splitlines() if line.startswith(b"title"))


@pytest.mark.parametrize(
    ("new", "data", "verdicts", "size"),
    [
        (TASK, False, False, Size.NONE),
        (with_version(TASK, "3.1.4"), False, False, Size.NONE),
        (changed("brief.md", new=b"\nMore words.\n"), False, False, Size.PATCH),
        (changed("oracle.py", new=b"\n# faster\n"), False, False, Size.PATCH),
        (changed("examples.toml", new=b"\n# one more\n"), False, False, Size.PATCH),
        (changed("card.toml", TITLE, b'title = "Other words"'), False, False, Size.PATCH),
        (changed("bootcamp.py", new=b"\n# a remark\n"), False, False, Size.MINOR),
        (changed("helper.py", new=b"X = 1\n"), False, False, Size.MINOR),
        (changed("examples.toml", new=b"\n# one more\n"), False, True, Size.MINOR),
        (changed("bootcamp.py", new=b"\n# a remark\n"), True, False, Size.MAJOR),
        (changed("bootcamp.py", new=b"\n# a remark\n"), True, True, Size.MAJOR),
    ],
)
def test_what_changed_decides_the_part_that_is_raised(new: TaskFolder, data: bool, verdicts: bool, size: Size) -> None:
    assert change_size(TASK, new, data_changed=data, verdicts_changed=verdicts) is size


def test_other_levels_make_other_data() -> None:
    card = CARD[: CARD.index(b"[difficulty.axes]")] + b"[difficulty.axes]\nsize = [1, 2, 3]\n"
    assert change_size(TASK, TaskFolder({**TASK.files, "card.toml": card})) is Size.MAJOR


def test_the_next_version_resets_what_stands_behind_it() -> None:
    assert [bumped("2.3.4", size) for size in Size] == ["2.3.4", "2.3.5", "2.4.0", "3.0.0"]
    with pytest.raises(UsageError, match="new id"):
        bumped("1.9999.0", Size.MINOR)


def test_a_version_is_raised_in_its_place_and_nothing_else_changes() -> None:
    raised = with_version(TASK, "7.8.9")
    assert raised.card.version == "7.8.9"
    assert changed_files(TASK, raised) == ()
    assert with_version(raised, TASK.card.version).content_hash == TASK.content_hash


def test_a_version_that_is_no_plain_line_is_refused() -> None:
    odd = TaskFolder({**TASK.files, "card.toml": CARD.replace(b"version =", b'"version" =', 1)})
    with pytest.raises(UsageError, match="plain line"):
        with_version(odd, "7.8.9")
