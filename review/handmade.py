"""A task folder that a person wrote, on its way into the queue."""

from __future__ import annotations

from collections.abc import Callable

from bootcamp_kit.candidate import Candidate, Lineage, Submission
from bootcamp_kit.errors import ReviewRuleError
from bootcamp_kit.folder import TaskFolder
from bootcamp_kit.report import Report
from bootcamp_kit.versions import Size, bumped
from review.people import is_person
from review.policy import licence_problem
from review.subjects import rebuilt_brief


def submission(
    folder: TaskFolder, author: str, standing: TaskFolder | None, size: Callable[[TaskFolder, TaskFolder], Size]
) -> Callable[[Report], Submission]:
    """What to submit once there is a report; asked before the gate runs, as its refusals cost nothing.

    Args:
        folder: The task.
        author: Who wrote it, ``Name <mail>``.
        standing: The approved task of the same id in the library, or None.
        size: How large the step from one to the other is.

    Raises:
        ReviewRuleError: no named person; a licence that is never merged; a version that does not follow.
        UsageError: the card cannot be read.
    """
    asked = f"queueing {folder.card.id}"
    if not is_person(author):
        raise ReviewRuleError(asked, f"the author {author[:80]!r} is not a named person", "set git's name and mail")
    problem = licence_problem(folder.card.source.licence)
    if problem:
        raise ReviewRuleError(asked, problem, "write the licence as SPDX spells it into card.toml")
    if standing is not None:
        _require_next(asked, folder, standing, size)
    brief = rebuilt_brief(folder)
    lineage = Lineage(author.strip(), brief.hash, parent=standing.content_hash if standing else "")
    return lambda report: Submission(Candidate(folder, lineage), brief, report)


def _require_next(
    asked: str, folder: TaskFolder, standing: TaskFolder, size: Callable[[TaskFolder, TaskFolder], Size]
) -> None:
    if folder.content_hash == standing.content_hash:
        raise ReviewRuleError(asked, "the library has exactly these bytes", "nothing is to be reviewed")
    step = size(standing, folder)
    least = bumped(standing.card.version, step)
    if _number(folder.card.version) < _number(least) or folder.card.version == standing.card.version:
        found = (
            f"its version is {folder.card.version}, the library has {standing.card.version}, and this is a {step} step"
        )
        raise ReviewRuleError(asked, found, f"write version {least} into card.toml")


def _number(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split("."))
