"""Rows of the CodeContests form: description, tests, solutions and incorrect solutions.

Lists may be lists of objects or, as tables store them, objects of lists. Languages may be words or that data set's
numbers. A row says nothing of its licence unless it has a key ``licence``; ``source.toml`` can.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from authoring.sources import cleaning, contest_text, languages, naming
from authoring.sources.defaults import Defaults
from authoring.sources.foreign import Found, brief_of
from authoring.sources.package import by_preference
from bootcamp_kit.brief import UNKNOWN_LICENCE, Brief, Sample, Solution
from bootcamp_kit.errors import UsageError

KIND = "codecontests"
_LANGUAGES = {
    "0": "", "1": "python2", "2": "cpp", "3": "python3", "4": "java", "unknown_language": "", "python": "python2",
    "python2": "python2", "python3": "python3", "cpp": "cpp", "c++": "cpp", "java": "java",
}  # fmt: skip
_SITES = {1: "CodeChef", 2: "Codeforces", 3: "HackerEarth", 4: "Code Jam", 5: "AtCoder", 6: "Aizu"}
_CODEFORCES = 2
_MOST_READ = 2_000
KEYS = frozenset({
    "name", "description", "public_tests", "private_tests", "generated_tests", "solutions", "incorrect_solutions",
    "source", "time_limit", "url", "licence", "license", "attribution", "tags", "cf_tags", "cf_contest_id", "cf_index",
    "input_file", "output_file",
})  # fmt: skip
"""What is read of a row."""


def is_row(raw: Mapping[str, Any]) -> bool:
    """Whether a JSON object has this form."""
    return "description" in raw and bool({"public_tests", "private_tests", "solutions"} & raw.keys())


def read(raw: Mapping[str, Any], defaults: Defaults, *, where: str) -> Brief:
    """One row.

    Raises:
        UsageError: names the line, and the key.
    """
    description, name = _text(raw, "description", where), _text(raw, "name", where, default="")
    if not name:
        raise UsageError(f"brief {where}, key 'name'", "missing", "give each row a name")
    parts = contest_text.take_apart(_unix(description))
    shown = _tests(raw, "public_tests", where) or parts.samples
    right = by_preference(_programs(raw, "solutions", where))
    cleaned = cleaning.clean(parts.text, shown, right[0].code if right else "")
    notes = list(parts.notes)
    if raw.get("input_file") or raw.get("output_file"):
        notes.append("the source reads and writes named files; the samples are taken as standard input and output")
    site = raw.get("source")
    seconds = _seconds(raw.get("time_limit"))
    return brief_of(
        Found(
            kind=KIND,
            name=": ".join(filter(None, (_SITES.get(site, "") if isinstance(site, int) else str(site or ""), name))),
            id=naming.task_id("cc", name),
            title=naming.title(name, "untitled"),
            text=cleaned.text,
            samples=cleaned.samples,
            solution=right[0] if right else None,
            accepted=right[1:],
            wrong=by_preference(_programs(raw, "incorrect_solutions", where)),
            tests=(*_tests(raw, "private_tests", where), *_tests(raw, "generated_tests", where)),
            licence=_licence(raw, where),
            url=_url(raw),
            attribution=_text(raw, "attribution", where, default=""),
            tags=("contest", *_tags(raw)),
            seconds=seconds,
            notes=tuple(notes) + cleaned.notes,
        ),
        defaults,
        where=where,
    )


def _text(raw: Mapping[str, Any], key: str, where: str, default: str | None = None) -> str:
    value = raw.get(key, default)
    if not isinstance(value, str):
        raise UsageError(f"brief {where}, key {key!r}", "missing or not text", "see authoring/sources/README.md")
    return value


def _licence(raw: Mapping[str, Any], where: str) -> str:
    key = "licence" if "licence" in raw else "license"
    return _text(raw, key, where, default=UNKNOWN_LICENCE) or UNKNOWN_LICENCE


def _rows(raw: Mapping[str, Any], key: str, fields: tuple[str, str], where: str) -> list[tuple[Any, Any]]:
    """Pairs of the two fields, from a list of objects or an object of lists."""
    value = raw.get(key)
    if value is None:
        return []
    if isinstance(value, dict):
        left, right = (value.get(field) for field in fields)
        if isinstance(left, list) and isinstance(right, list) and len(left) == len(right):
            return list(zip(left, right, strict=True))[:_MOST_READ]
    elif isinstance(value, list) and all(isinstance(item, dict) for item in value):
        return [(item.get(fields[0]), item.get(fields[1])) for item in value[:_MOST_READ]]
    raise UsageError(f"brief {where}, key {key!r}", "neither a list of objects nor an object of equal lists", "mend it")


def _tests(raw: Mapping[str, Any], key: str, where: str) -> tuple[Sample, ...]:
    rows = _rows(raw, key, ("input", "output"), where)
    if not all(isinstance(part, str) for row in rows for part in row):
        raise UsageError(f"brief {where}, key {key!r}", "input or output missing or not text", "give both")
    return tuple(Sample(_unix(given), _unix(printed)) for given, printed in rows)


def _programs(raw: Mapping[str, Any], key: str, where: str) -> list[Solution]:
    found = []
    for spoken, code in _rows(raw, key, ("language", "solution"), where):
        if not isinstance(code, str):
            raise UsageError(f"brief {where}, key {key!r}", "a solution is not text", "give language and solution")
        told = str(spoken).strip().lower()
        language = _LANGUAGES.get(told, told if told.isascii() and told.isalnum() else "")
        found.append(Solution(language or languages.detect(code), _unix(code)))
    return found


def _seconds(value: Any) -> float:
    if isinstance(value, dict):
        parts = [value.get("seconds", 0), value.get("nanos", 0)]
        if not all(isinstance(part, int | float) for part in parts):
            return 0.0
        value = parts[0] + parts[1] / 1e9
    return float(value) if isinstance(value, int | float) and 0 < value < 3600 else 0.0


def _url(raw: Mapping[str, Any]) -> str:
    contest, index = raw.get("cf_contest_id"), raw.get("cf_index")
    if raw.get("source") == _CODEFORCES and isinstance(contest, int) and contest > 0 and isinstance(index, str):
        return f"https://codeforces.com/problemset/problem/{contest}/{index}" if index.isalnum() else ""
    url = raw.get("url")
    return url if isinstance(url, str) else ""


def _tags(raw: Mapping[str, Any]) -> list[str]:
    tags = raw.get("cf_tags") or raw.get("tags") or []
    return [tag for tag in tags if isinstance(tag, str) and 0 < len(tag) <= 40] if isinstance(tags, list) else []


def _unix(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")
