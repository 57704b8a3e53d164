"""A brief out of what a foreign format holds, with what ``source.toml`` adds, and with what was left out said."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass

from authoring.sources import fields
from authoring.sources.defaults import Defaults
from bootcamp_kit.brief import MAX_ATTRIBUTION, UNKNOWN_LICENCE, Brief, Sample, Solution, Source
from bootcamp_kit.errors import UsageError

MAX_ACCEPTED = 5
MAX_WRONG = 10
MAX_TESTS = 50
MAX_CODE_CHARS = 100_000
MAX_TEST_CHARS = 20_000
MAX_NOTES = 40


@dataclass(frozen=True, slots=True)
class Found:
    """What was read, before limits and defaults.

    Attributes:
        kind: The format's name; the family too where nobody names one.
        name: What the source calls it.
        licence: SPDX or ``unknown``.
        others as in :class:`bootcamp_kit.brief.Brief`.
    """

    kind: str
    name: str
    id: str
    title: str
    text: str
    samples: tuple[Sample, ...] = ()
    solution: Solution | None = None
    accepted: tuple[Solution, ...] = ()
    wrong: tuple[Solution, ...] = ()
    tests: tuple[Sample, ...] = ()
    licence: str = UNKNOWN_LICENCE
    url: str = ""
    attribution: str = ""
    family: str = ""
    tags: tuple[str, ...] = ()
    seconds: float = 0.0
    judge: str = ""
    notes: tuple[str, ...] = ()


def brief_of(found: Found, defaults: Defaults, *, where: str) -> Brief:
    """The brief.

    Raises:
        UsageError: names the file and what is wrong.
    """
    notes = list(found.notes)
    text = found.text.strip() + "\n"
    if not text.strip():
        raise UsageError(f"brief {where}", "its text is empty", "give a statement")
    samples = _fitting(found.samples, fields.MAX_SAMPLES, "sample", notes)
    solution = found.solution
    if solution and len(solution.code) > MAX_CODE_CHARS:
        notes.append(f"the solution of {len(solution.code):,} characters is left out")
        solution = None
    licence = found.licence if found.licence != UNKNOWN_LICENCE else defaults.licence or UNKNOWN_LICENCE
    everything = [text, *(part for sample in (*samples, *found.tests) for part in (sample.input, sample.output))]
    everything += [code.code for code in (solution, *found.accepted, *found.wrong) if code]
    if any("\0" in part for part in everything):
        raise UsageError(f"brief {where}", "a NUL character inside", "save it as plain text")
    try:
        return Brief(
            id=found.id,
            family=defaults.family or found.family or found.kind,
            title=found.title,
            text=text,
            source=Source(
                kind=found.kind,
                name=_line(found.name, fields.MAX_SHORT),
                licence=licence,
                sha256=hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest(),
                url=_line(found.url or defaults.url, fields.MAX_SHORT),
                attribution=_line(found.attribution or defaults.attribution, MAX_ATTRIBUTION),
            ),
            samples=samples,
            solution=solution,
            tags=tuple(dict.fromkeys(tag for tag in (*found.tags, *defaults.tags) if tag.isprintable()))[:12],
            accepted=_codes(found.accepted, MAX_ACCEPTED, "further solution", notes),
            wrong=_codes(found.wrong, MAX_WRONG, "wrong submission", notes),
            tests=_fitting(found.tests, MAX_TESTS, "test", notes),
            seconds=found.seconds,
            judge=found.judge,
            notes=tuple(_line(note, 300) for note in notes[:MAX_NOTES]),
        )
    except UsageError as error:
        raise UsageError(f"brief {where}, {error.asked}", error.found, error.do) from error


def _fitting(samples: Iterable[Sample], most: int, what: str, notes: list[str]) -> tuple[Sample, ...]:
    given = list(samples)
    kept = [item for item in given if len(item.input) + len(item.output) <= MAX_TEST_CHARS][:most]
    _say_lost(len(given) - len(kept), f"{len(given)} {what}s", notes)
    return tuple(kept)


def _codes(solutions: Iterable[Solution], most: int, what: str, notes: list[str]) -> tuple[Solution, ...]:
    """The first of them, each text once."""
    given = list({(item.language, item.code): item for item in solutions}.values())
    kept = [item for item in given if len(item.code) <= MAX_CODE_CHARS][:most]
    _say_lost(len(given) - len(kept), f"{len(given)} {what}s", notes)
    return tuple(kept)


def _say_lost(lost: int, of_what: str, notes: list[str]) -> None:
    if lost:
        notes.append(f"of {of_what} left out, too many or too long: {lost}")


def _line(text: str, most: int) -> str:
    """One printable line of at most ``most`` characters."""
    line = " ".join("".join(char if char.isprintable() else " " for char in text).split())
    return line if len(line) <= most else line[: most - 1] + "…"
