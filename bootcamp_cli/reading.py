"""The briefs that a command line names."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from bootcamp_kit.errors import UsageError

if TYPE_CHECKING:
    from authoring.sources.read import Problem
    from bootcamp_kit.brief import Brief


def read_paths(paths: Sequence[Path]) -> tuple[list[Brief], list[Problem]]:
    """Every brief below the paths, each once, and what could not be read.

    Raises:
        UsageError: no path, or one that does not exist, is of no known format, or holds no brief.
    """
    from authoring.sources.read import Problem, read_briefs

    if not paths:
        raise UsageError("author", "no brief is named", "bootcamp author BRIEF…, e.g. examples/briefs; or --resume RUN")
    found: dict[str, Brief] = {}
    problems: list[Problem] = []
    for path in paths:
        read = read_briefs(path)
        problems += read.problems
        for brief in read.briefs:
            twin = found.setdefault(brief.id, brief)
            if twin.hash != brief.hash:
                error = UsageError(f"brief {path}", f"the id {brief.id} is used twice", "give each brief its own id")
                problems.append(Problem(str(path), error))
    return list(found.values()), problems
