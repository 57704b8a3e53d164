"""What a person hands in: a puzzle or problem description, where it came from, and what else is known of it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from bootcamp_kit.errors import UsageError
from bootcamp_kit.jsondata import digest

MAX_TEXT_CHARS = 200_000
UNKNOWN_LICENCE = "unknown"
_LICENCE = re.compile(r"[A-Za-z0-9][A-Za-z0-9.+() -]{0,79}")


@dataclass(frozen=True, slots=True)
class Source:
    """Where a text came from. ``licence`` is an SPDX expression, or ``unknown``: checked perhaps, merged never."""

    kind: str
    name: str
    licence: str
    sha256: str
    url: str = ""

    def __post_init__(self) -> None:
        if not _LICENCE.fullmatch(self.licence):
            raise UsageError("licence", f"{self.licence!r} is not an SPDX expression", "e.g. CC-BY-4.0; or 'unknown'")
        if not re.fullmatch(r"[0-9a-f]{64}", self.sha256):
            raise UsageError("source.sha256", f"{self.sha256!r}", "64 hex digits: the SHA-256 of the brief's text")


@dataclass(frozen=True, slots=True)
class Sample:
    """One worked example of a contest-style brief: text in, text out."""

    input: str
    output: str


@dataclass(frozen=True, slots=True)
class Solution:
    """Reference code that came with the brief. Hostile until it ran in the sandbox, and after."""

    language: str
    code: str


@dataclass(frozen=True, slots=True)
class Brief:
    """A description to make a task from. ``id`` and ``family`` name the task that will come of it."""

    id: str
    family: str
    title: str
    text: str
    source: Source
    samples: tuple[Sample, ...] = ()
    solution: Solution | None = None
    tags: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for key in ("id", "family"):
            if not re.fullmatch(r"[a-z][a-z0-9_]{2,63}", getattr(self, key)):
                raise UsageError(
                    f"brief key {key}", f"{getattr(self, key)!r}", "use 3–64 of a-z, 0-9, _; a letter first"
                )
        if not self.text.strip():
            raise UsageError(f"brief {self.id}", "its text is empty", "write the rules below the front matter")
        if len(self.text) > MAX_TEXT_CHARS:
            raise UsageError(f"brief {self.id}", f"{len(self.text)} characters", f"at most {MAX_TEXT_CHARS}")

    @property
    def hash(self) -> str:
        """Hex SHA-256 over everything an author may use."""
        parts = [self.id, self.family, self.title, self.text, self.source.licence]
        parts += [text for sample in self.samples for text in (sample.input, sample.output)]
        parts += [self.solution.language, self.solution.code] if self.solution else []
        return digest("\0".join(parts).encode())
