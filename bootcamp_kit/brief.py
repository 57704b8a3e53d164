"""What a person hands in: a puzzle or problem description, where it came from, and what else is known of it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from bootcamp_kit.errors import UsageError
from bootcamp_kit.jsondata import Json, digest

MAX_TEXT_CHARS = 200_000
MAX_ATTRIBUTION = 500
JUDGES = ("", "exact", "tolerance", "custom", "interactive")
UNKNOWN_LICENCE = "unknown"
_LICENCE = re.compile(r"[A-Za-z0-9][A-Za-z0-9.+() -]{0,79}")


@dataclass(frozen=True, slots=True)
class Source:
    """Where a text came from.

    Attributes:
        kind: What it was read from: ``brief``, ``kattis``, ….
        name: Its name there.
        licence: An SPDX expression, or ``unknown``: checked perhaps, merged never.
        sha256: Over the brief's text.
        url: Where it can be read; "" when not known.
        attribution: Whom the licence asks to name; "" when nobody is named.
    """

    kind: str
    name: str
    licence: str
    sha256: str
    url: str = ""
    attribution: str = ""

    def __post_init__(self) -> None:
        if not _LICENCE.fullmatch(self.licence):
            raise UsageError("licence", f"{self.licence!r} is not an SPDX expression", "e.g. CC-BY-4.0; or 'unknown'")
        if not re.fullmatch(r"[0-9a-f]{64}", self.sha256):
            raise UsageError("source.sha256", f"{self.sha256!r}", "64 hex digits: the SHA-256 of the brief's text")
        if len(self.attribution) > MAX_ATTRIBUTION or not self.attribution.isprintable():
            raise UsageError("source.attribution", "not one short line", f"at most {MAX_ATTRIBUTION} characters")

    def to_dict(self) -> dict[str, Json]:
        """Plain data; without ``attribution`` where nobody is named, as before there was one."""
        raw = asdict(self)
        if not self.attribution:
            del raw["attribution"]
        return raw


@dataclass(frozen=True, slots=True)
class Sample:
    """One worked example of a contest-style brief: text in, text out."""

    input: str
    output: str


@dataclass(frozen=True, slots=True)
class Solution:
    """Code that came with the brief. Hostile until it ran in the sandbox, and after.

    Attributes:
        language: ``python3``, ``python2``, ``cpp``, ….
        code: Its text.
        name: What its source called it, e.g. a file name; "" when it had none.
    """

    language: str
    code: str
    name: str = ""

    def to_json(self) -> dict[str, Json]:
        """Plain JSON data; ``name`` only where there is one."""
        return {"language": self.language, "code": self.code, **({"name": self.name} if self.name else {})}


@dataclass(frozen=True, slots=True)
class Brief:
    """A description to make a task from.

    Attributes:
        id, family: Name the task that will come of it.
        title: One line.
        text: The statement with its Input and Output sections, without samples.
        source: Where it came from.
        samples: Worked examples a solver may see.
        solution: The reference.
        tags: Short words.
        accepted: Further solutions that are right, perhaps in other languages.
        wrong: Submissions known to be wrong: what they answer beside the reference must be rejected.
        tests: Further inputs with the right output; never shown to a solver.
        seconds: The source's limit of time for one input; 0 when it names none.
        judge: How the source judges an answer: ``exact``, ``tolerance``, ``custom`` (its own checker: several answers
            may be right), ``interactive``, or "" where it does not say.
        notes: What the reader cleaned or left out, and why.
    """

    id: str
    family: str
    title: str
    text: str
    source: Source
    samples: tuple[Sample, ...] = ()
    solution: Solution | None = None
    tags: tuple[str, ...] = ()
    accepted: tuple[Solution, ...] = ()
    wrong: tuple[Solution, ...] = ()
    tests: tuple[Sample, ...] = ()
    seconds: float = 0.0
    judge: str = ""
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for key in ("id", "family"):
            if not re.fullmatch(r"[a-z][a-z0-9_]{2,63}", getattr(self, key)):
                raise UsageError(
                    f"brief key {key}", f"{getattr(self, key)!r}", "use 3–64 of a-z, 0-9, _; a letter first"
                )
        if not self.text.strip():
            raise UsageError(f"brief {self.id}", "its text is empty", "write the rules below the front matter")
        if self.judge not in JUDGES:
            raise UsageError(
                f"brief {self.id}, judge", f"{self.judge!r}", f"one of {', '.join(JUDGES[1:])}, or nothing"
            )
        if len(self.text) > MAX_TEXT_CHARS:
            raise UsageError(f"brief {self.id}", f"{len(self.text)} characters", f"at most {MAX_TEXT_CHARS}")

    @property
    def hash(self) -> str:
        """Hex SHA-256 over everything an author may use."""
        parts = [self.id, self.family, self.title, self.text, self.source.licence]
        parts += [text for sample in self.samples for text in (sample.input, sample.output)]
        parts += [self.solution.language, self.solution.code] if self.solution else []
        for label, solutions in (("accepted", self.accepted), ("wrong", self.wrong)):
            parts += [text for item in solutions for text in (label, item.language, item.code)]
        parts += [text for test in self.tests for text in ("test", test.input, test.output)]
        parts += ["seconds", repr(self.seconds)] if self.seconds else []
        parts += ["judge", self.judge] if self.judge else []
        return digest("\0".join(parts).encode())

    def to_json(self) -> dict[str, Json]:
        """Plain JSON data; what a brief of the first version did not have is there only where it holds something."""
        raw: dict[str, Json] = {key: getattr(self, key) for key in ("id", "family", "title", "text")}
        raw["source"] = self.source.to_dict()
        raw["samples"] = [asdict(sample) for sample in self.samples]
        raw["solution"] = self.solution.to_json() if self.solution else None
        raw["tags"] = list(self.tags)
        later = {
            "accepted": [item.to_json() for item in self.accepted],
            "wrong": [item.to_json() for item in self.wrong],
            "tests": [asdict(item) for item in self.tests],
            "seconds": self.seconds,
            "judge": self.judge,
            "notes": list(self.notes),
        }
        return {**raw, **{key: value for key, value in later.items() if value}}

    @classmethod
    def from_json(cls, raw: Mapping[str, Any]) -> Brief:
        """Rebuild from :meth:`to_json`'s data, of this version or an earlier one.

        Raises:
            UsageError: not a brief; names what is missing or of another type.
        """
        try:
            return cls(
                **{key: _text(raw, key) for key in ("id", "family", "title", "text")},
                source=Source(**raw["source"]),
                samples=tuple(Sample(**item) for item in raw["samples"]),
                solution=Solution(**raw["solution"]) if raw["solution"] else None,
                tags=tuple(raw["tags"]),
                accepted=tuple(Solution(**item) for item in raw.get("accepted", ())),
                wrong=tuple(Solution(**item) for item in raw.get("wrong", ())),
                tests=tuple(Sample(**item) for item in raw.get("tests", ())),
                seconds=float(raw.get("seconds", 0.0)),
                judge=str(raw.get("judge", "")),
                notes=tuple(raw.get("notes", ())),
            )
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise UsageError("reading a stored brief", f"not a brief: {error!r}"[:300], "hand it in again") from error


def _text(raw: Mapping[str, Any], key: str) -> str:
    value = raw[key]
    if not isinstance(value, str):
        raise TypeError(f"{key} is not text")
    return value
