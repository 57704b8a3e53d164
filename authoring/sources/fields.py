"""The keys of a brief, the same in every format, and the brief that is built from them."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

from bootcamp_kit.brief import Brief, Sample, Solution, Source
from bootcamp_kit.errors import UsageError

KNOWN: dict[str, tuple[str, ...]] = {
    "": ("id", "family", "title", "licence", "tags", "source", "solution"),
    "source": ("kind", "name", "url", "attribution"),
    "solution": ("language", "file"),
}
REQUIRED = ("id", "family", "title", "licence")
MAX_SHORT = 200
MAX_SAMPLES = 100
_LANGUAGES = {"python": "python3", "py": "python3", "py3": "python3", "c++": "cpp"}


def check_keys(raw: Mapping[str, Any], table: str, known: Sequence[str], where: str) -> None:
    """Refuse keys nobody reads.

    Raises:
        UsageError: names the first one.
    """
    for key in raw:
        if key not in known:
            label = f"{table}.{key}" if table else key
            raise UsageError(f"brief {where}, key {label[:80]!r}", "unknown", f"known keys: {', '.join(known)}")


def short_text(raw: Mapping[str, Any], key: str, where: str, *, default: str | None = None) -> str:
    """One line of text.

    Raises:
        UsageError: missing, not text, empty, of several lines, or too long.
    """
    value = raw.get(key, default)
    if value is None:
        hint = "an SPDX expression such as CC0-1.0" if key == "licence" else "write it into the front matter"
        raise UsageError(f"brief {where}, key {key!r}", "missing", hint)
    if not isinstance(value, str) or (not value.strip() and value != default):
        raise UsageError(f"brief {where}, key {key!r}", f"{str(value)[:40]!r} is not text", "write it in quotes")
    if len(value) > MAX_SHORT or not value.isprintable():
        raise UsageError(f"brief {where}, key {key!r}", "not one short line", f"at most {MAX_SHORT} characters")
    return value.strip()


def table(raw: Mapping[str, Any], key: str, where: str) -> Mapping[str, Any]:
    """A sub-table with known keys only; empty where there is none.

    Raises:
        UsageError: not a table, or a key nobody reads.
    """
    value = raw.get(key, {})
    if not isinstance(value, dict):
        raise UsageError(f"brief {where}, key {key!r}", "not a table", f"write it as [{key}]")
    check_keys(value, key, KNOWN[key], where)
    return value


def language(name: str) -> str:
    """One word per language: ``python3``, ``python2``, ``cpp``, …."""
    return _LANGUAGES.get(name.strip().lower(), name.strip().lower())


def build(
    raw: Mapping[str, Any],
    where: str,
    *,
    text: str,
    samples: Sequence[Sample],
    solution: Solution | None,
    wrong: Sequence[Solution] = (),
    tests: Sequence[Sample] = (),
) -> Brief:
    """A brief from its keys and its parts.

    Raises:
        UsageError: names the file and the key.
    """
    known = {key: short_text(raw, key, where) for key in REQUIRED}
    tags = raw.get("tags", [])
    if not isinstance(tags, list) or not all(isinstance(tag, str) and 0 < len(tag) <= 40 for tag in tags):
        raise UsageError(f"brief {where}, key 'tags'", "not a list of short texts", 'e.g. ["grid", "paths"]')
    if not text.strip():
        raise UsageError(f"brief {where}", "its text is empty", "write the rules below the front matter")
    parts = [text, *(part for sample in (*samples, *tests) for part in (sample.input, sample.output))]
    if any("\0" in part for part in (*parts, *(code.code for code in (solution, *wrong) if code))):
        raise UsageError(f"brief {where}", "a NUL character inside", "save it as plain text")
    for what, given in (("samples", samples), ("tests", tests), ("wrong solutions", wrong)):
        if len(given) > MAX_SAMPLES:
            raise UsageError(f"brief {where}", f"{len(given)} {what}", f"keep at most {MAX_SAMPLES}")
    origin = table(raw, "source", where)
    text = text.strip() + "\n"
    try:
        source = Source(
            kind=short_text(origin, "kind", where, default="brief"),
            name=short_text(origin, "name", where, default=known["title"]),
            licence=known["licence"],
            sha256=hashlib.sha256(text.encode()).hexdigest(),
            url=short_text(origin, "url", where, default=""),
            attribution=short_text(origin, "attribution", where, default=""),
        )
        return Brief(
            id=known["id"],
            family=known["family"],
            title=known["title"],
            text=text,
            source=source,
            samples=tuple(samples),
            solution=solution,
            tags=tuple(tags),
            wrong=tuple(wrong),
            tests=tuple(tests),
        )
    except UsageError as error:
        if error.asked.startswith(f"brief {where}"):
            raise
        raise UsageError(f"brief {where}, {error.asked}", error.found, error.do) from error
