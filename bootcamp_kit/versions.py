"""Versions of a task: what a change costs whoever uses it, and the number that follows. Pure.

==========  ===========================================================================================
part        raised when
==========  ===========================================================================================
``MAJOR``   a case or a prompt differs at some (level, seed), or levels do: data sets made before are others now
``MINOR``   the same questions, and a response may score differently: code, limits or answer format changed
``PATCH``   neither: words, examples, the oracle
==========  ===========================================================================================

Why: ``docs/decisions/0060-versions-of-a-task.md``.
"""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum

from bootcamp_kit.card import Card
from bootcamp_kit.errors import UsageError
from bootcamp_kit.folder import SANDBOX_ONLY, TaskFolder

CHANGES_CHECK, CHANGED_VERDICT = "change.verdicts", "change.verdict"
"""In a report: the result that says what changed since the standing version; the code of each flip that it names."""
MOST = 9_999
_WORDS_ONLY = SANDBOX_ONLY | {"brief.md", "examples.toml", "card.toml"}


class Size(StrEnum):
    """How much changed, least first."""

    NONE = "none"
    PATCH = "patch"
    MINOR = "minor"
    MAJOR = "major"


def changed_files(old: TaskFolder, new: TaskFolder) -> tuple[str, ...]:
    """Paths whose bytes differ, are new or are gone; a card that differs in its version alone is left out."""
    paths = sorted({*old.files, *new.files})
    return tuple(
        path for path in paths if old.files.get(path) != new.files.get(path) and not _same_card(path, old, new)
    )


def change_size(
    old: TaskFolder, new: TaskFolder, *, data_changed: bool = False, verdicts_changed: bool = False
) -> Size:
    """How much a change is.

    Args:
        old: The task that stands in the library.
        new: What is to replace it.
        data_changed: Whether a case or a prompt was seen to differ.
        verdicts_changed: Whether a response was seen to score differently.

    Raises:
        UsageError: one of the cards cannot be read.
    """
    changed = changed_files(old, new)
    if not changed:
        return Size.NONE
    if data_changed or old.card.difficulty != new.card.difficulty:
        return Size.MAJOR
    judged = [path for path in changed if path not in _WORDS_ONLY]
    same_rules = _judging(old.card) == _judging(new.card)
    return Size.MINOR if verdicts_changed or judged or not same_rules else Size.PATCH


def bumped(version: str, size: Size) -> str:
    """The next version.

    Raises:
        UsageError: a part would pass ``MOST``.
    """
    major, minor, patch = (int(part) for part in version.split("."))
    parts = {
        Size.NONE: (major, minor, patch),
        Size.PATCH: (major, minor, patch + 1),
        Size.MINOR: (major, minor + 1, 0),
        Size.MAJOR: (major + 1, 0, 0),
    }[size]
    if max(parts) > MOST:
        raise UsageError(f"a version after {version}", f"a part would pass {MOST}", "give the task a new id")
    return ".".join(map(str, parts))


def with_version(folder: TaskFolder, version: str) -> TaskFolder:
    """The folder with another version on its card.

    Raises:
        UsageError: the card cannot be read, or its version is not one plain line.
    """
    if folder.card.version == version:
        return folder
    lines = folder.files["card.toml"].decode("utf-8").splitlines(keepends=True)
    for number, line in enumerate(lines):
        if line.lstrip().startswith("version") and folder.card.version in line:
            lines[number] = line.replace(folder.card.version, version, 1)
            break
    changed = TaskFolder({**folder.files, "card.toml": "".join(lines).encode()})
    if changed.card != replace(folder.card, version=version):
        raise UsageError("raising a version", "card.toml has no plain line `version = …`", "write it so, at the top")
    return changed


def _same_card(path: str, old: TaskFolder, new: TaskFolder) -> bool:
    if path != "card.toml":
        return False
    try:
        return with_version(new, old.card.version).files[path] == old.files[path]
    except UsageError:
        return False


def _judging(card: Card) -> tuple[object, ...]:
    return card.answer, card.limits, card.solutions
