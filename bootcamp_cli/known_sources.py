"""What known items are made from: sound tasks that were written by hand, and problems that the compiler makes tasks of.

A candidate that waits is imitated by what was made in the same way: beside compiled tasks a compiled one, beside tasks
that a model or a person wrote one that was written, with code as like to it as there is.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from bootcamp_kit.errors import UsageError
from bootcamp_kit.similarity import code_shape, likeness

if TYPE_CHECKING:
    from bootcamp_kit.brief import Brief
    from bootcamp_kit.folder import TaskFolder
    from review.calibration import Known, Likeness
    from sandbox.service import Sandbox

PROBLEMS = ("authoring/compiler/corpus/sound", "briefs")
"""Folders of problems to compile: of this repository's tests, or of a place made for the purpose."""
NEAREST = 5
"""Among so many of the most alike chance decides."""


@dataclass(frozen=True, slots=True)
class Written:
    """A task that was written by hand."""

    known: Known

    @property
    def name(self) -> str:
        """Its id."""
        return self.known.name

    def made(self, sandbox: Sandbox, like: Likeness | None) -> tuple[TaskFolder, Brief] | None:
        """Folder and brief as if they had come in with the others."""
        from authoring.brief_page import brief_page
        from authoring.compiler.outcome import AUTHOR
        from bootcamp_kit.folder import TaskFolder
        from review.calibration import disguised

        folder, brief = disguised(self.known, like, AUTHOR)
        by_hand = like is not None and like.folder.files.get("brief.md") != brief_page(like.brief)
        return (folder if by_hand else TaskFolder({**folder.files, "brief.md": brief_page(brief)})), brief

    def likeness(self, like: Likeness) -> float:
        """How like its code is to the candidate's; the same kind of answer counts more."""
        same = self.known.folder.card.answer.kind == like.folder.card.answer.kind
        return likeness(code_shape(self.known.folder.sources), code_shape(like.folder.sources)) + same


@dataclass(frozen=True, slots=True)
class ToCompile:
    """A problem of which the compiler makes a sound task."""

    brief: Brief

    @property
    def name(self) -> str:
        """Its id."""
        return self.brief.id

    def made(self, sandbox: Sandbox, like: Likeness | None) -> tuple[TaskFolder, Brief] | None:
        """Folder and brief as the compiler makes them; None where it refuses the problem."""
        from authoring.compiler import Compiled, compile_brief, program_runner
        from authoring.known_answers import with_known_answers
        from review.calibration import brief_like

        brief = brief_like(self.brief, like)
        with program_runner(sandbox) as run:
            made = compile_brief(brief, run)
            if not isinstance(made, Compiled):
                return None
            return with_known_answers(made, brief, run).folder, brief


Source = Written | ToCompile


def sources(place: Path) -> list[Source]:
    """All that known items can be made from below a place.

    Raises:
        UsageError: there is nothing.
    """
    from authoring.sources.read import read_briefs
    from review.calibration import read_known

    found: list[Source] = []
    for name in PROBLEMS:
        if (place / name).is_dir():
            found += [ToCompile(brief) for brief in read_briefs(place / name).briefs if brief.solution is not None]
    try:
        found += [Written(known) for known in read_known(place)]
    except UsageError:
        if not found:
            raise
    return found


def in_order(left: list[Source], like: Likeness | None, rng: Random) -> list[Source]:
    """What to try first beside this candidate; the rest follows, so that nothing is lost."""
    order = list(left)
    rng.shuffle(order)
    if like is None:
        return order
    compiled = like.compiled
    same = [item for item in order if isinstance(item, ToCompile) == compiled]
    others = [item for item in order if isinstance(item, ToCompile) != compiled]
    if not compiled:
        written = [item for item in same if isinstance(item, Written)]
        written.sort(key=lambda item: -item.likeness(like))
        first = written[:NEAREST]
        rng.shuffle(first)
        return [*first, *written[NEAREST:], *others]
    return [*same, *others]
