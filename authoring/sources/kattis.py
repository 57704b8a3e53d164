"""Kattis and ICPC problem packages: ``problem.yaml``, statement, samples, secret tests, and judged submissions.

Both the older layout (``problem_statement/``, ``validation:``) and the newer (``statement/``, ``type:``) are read.

Not covered: submissions of several files, tests that carry arguments or attachments, and statements in other
languages where there is an English one.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from authoring.sources import cleaning, latex, naming
from authoring.sources.defaults import defaults_for
from authoring.sources.foreign import Found, brief_of
from authoring.sources.package import Package
from bootcamp_kit.brief import UNKNOWN_LICENCE, Brief
from bootcamp_kit.errors import UsageError

KIND = "kattis"
_MAX_YAML = 50_000
_MAX_BRACKETS = 200
_DEEP = re.compile(r"(?:[-?] +){20}|^ {100}\S", re.MULTILINE)
MARK = "problem.yaml"
_LICENCES = {
    "cc0": "CC0-1.0",
    "cc by": "CC-BY-4.0",
    "cc by-sa": "CC-BY-SA-4.0",
    "public domain": "LicenseRef-public-domain",
}
_STATEMENT = re.compile(r"(?:problem_statement|statement)/problem(?:\.([A-Za-z-]{2,8}))?\.(tex|md)")
_TITLE = re.compile(r"\\problemname\s*\{([^{}]*)\}")
_NEXT_SAMPLE = re.compile(r"\{\{\s*(?:nextsample|remainingsamples)\s*\}\}|\\(?:nextsample|remainingsamples)\b")


def read(path: Path, *, root: Path) -> Brief:
    """Read the package in the folder ``path``.

    Raises:
        UsageError: names the file and what is wrong.
    """
    package = Package(path, root=root)
    facts = _yaml(package)
    text, title, notes = _statement(package, facts.get("constants"))
    programs = package.programs("submissions/accepted")
    wrong = package.programs("submissions/wrong_answer")
    solution, accepted = (programs[0], programs[1:]) if programs else (None, ())
    samples = package.samples("data/sample")
    cleaned = cleaning.clean(text, samples, solution.code if solution else "")
    licence, licence_note = _licence(facts)
    limits = facts.get("limits")
    limit = limits.get("time_limit") if isinstance(limits, dict) else None
    name = naming.title(title or _name(facts) or path.resolve().name, "untitled")
    source, url = _source(facts)
    return brief_of(
        Found(
            kind=KIND,
            name=source or name,
            id=naming.task_id("kattis", path.resolve().name),
            title=name,
            text=cleaned.text,
            samples=cleaned.samples,
            solution=solution,
            accepted=accepted,
            wrong=wrong,
            tests=package.samples("data/secret"),
            licence=licence,
            url=url,
            attribution=_attribution(facts, source),
            tags=_tags(facts),
            seconds=float(limit) if isinstance(limit, int | float) and 0 < limit < 3600 else 0.0,
            judge=_judge(facts, package),
            notes=(*licence_note, *notes, *package.notes, *cleaned.notes),
        ),
        defaults_for(path, root=root),
        where=str(path),
    )


def _yaml(package: Package) -> dict[str, Any]:
    import yaml

    text = package.text(MARK)
    where = f"brief {package.path / MARK}"
    if len(text) > _MAX_YAML or len(re.findall(r"[\[{]", text)) > _MAX_BRACKETS or _DEEP.search(text):
        raise UsageError(where, "too long or nested too deeply", "a package's facts are short")
    try:
        if any(isinstance(token, yaml.AliasToken) for token in yaml.scan(text, Loader=yaml.SafeLoader)):
            raise UsageError(where, "a YAML alias", "write the value out")
        raw = yaml.safe_load(text)
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise UsageError(where, f"not YAML: {' '.join(str(error).split())[:200]}", "correct it") from error
    if not isinstance(raw, dict):
        raise UsageError(where, "not a table of keys", "see the package format")
    return raw


def _statement(package: Package, constants: Any) -> tuple[str, str, tuple[str, ...]]:
    """Markdown text, the title it names or "", and notes.

    Raises:
        UsageError: no statement.
    """
    names = package.listed("problem_statement") + package.listed("statement")
    found = [(match[1] or "", match[2], name) for name in names if (match := _STATEMENT.fullmatch(name))]
    if not found:
        raise UsageError(f"package {package.path}", "no statement/problem.LANGUAGE.tex or .md", "add the statement")
    language, form, name = min(found, key=lambda item: (item[0] not in ("en", ""), item[0], item[1]))
    raw = _filled(package.text(name), constants)
    notes: list[str] = [] if language in ("en", "") else [f"the statement is in the language {language!r}"]
    title = ""
    if form == "tex":
        if told := _TITLE.search(raw):
            title = latex.to_markdown(told[1])[0].strip()
        text, left = latex.to_markdown(_NEXT_SAMPLE.sub("", _TITLE.sub("", raw)))
        notes += left
    else:
        text = _NEXT_SAMPLE.sub("", raw)
    return text, title, tuple(notes)


def _filled(text: str, constants: Any) -> str:
    """``{{name}}`` stands for a constant of ``problem.yaml``."""
    known = constants if isinstance(constants, dict) else {}

    def value(found: re.Match[str]) -> str:
        told = known.get(found[1])
        return str(told)[:100] if isinstance(told, int | float | str) else found[0]

    return re.sub(r"\{\{\s*(\w{1,60})\s*\}\}", value, text)


def _licence(facts: dict[str, Any]) -> tuple[str, tuple[str, ...]]:
    word = str(facts.get("license", "unknown")).strip().lower()
    if word in _LICENCES:
        return _LICENCES[word], ()
    if word in ("unknown", ""):
        return UNKNOWN_LICENCE, ()
    return UNKNOWN_LICENCE, (f"the package's licence {word[:40]!r} is no SPDX licence: taken as unknown",)


def _name(facts: dict[str, Any]) -> str:
    name = facts.get("name")
    if isinstance(name, dict):
        name = name.get("en") or next(iter(name.values()), "")
    return name if isinstance(name, str) else ""


def _source(facts: dict[str, Any]) -> tuple[str, str]:
    source: Any = facts.get("source")
    if isinstance(source, list) and source:
        source = source[0]
    if isinstance(source, dict):
        return str(source.get("name", ""))[:200], str(source.get("url", ""))[:200]
    return (source if isinstance(source, str) else ""), str(facts.get("source_url") or "")[:200]


def _attribution(facts: dict[str, Any], source: str) -> str:
    """The rights owner, else the authors, else the source: the order in which the format names who owns the rights."""
    credits: Any = facts.get("credits")
    authors = credits.get("authors") if isinstance(credits, dict) else credits
    for told in (facts.get("rights_owner"), authors, facts.get("author"), source):
        people = _people(told)
        if people:
            return ", ".join(people)
    return ""


def _people(told: Any) -> list[str]:
    """Names without mail addresses."""
    items = told if isinstance(told, list) else [told]
    names = [item.get("name") if isinstance(item, dict) else item for item in items]
    return [re.sub(r"<[^<>]*>", "", name).strip() for name in names if isinstance(name, str) and name.strip()][:20]


def _tags(facts: dict[str, Any]) -> tuple[str, ...]:
    words = facts.get("keywords")
    listed = words.split() if isinstance(words, str) else words if isinstance(words, list) else []
    return ("contest", *(word.lower() for word in listed if isinstance(word, str) and 0 < len(word) <= 40))


def _judge(facts: dict[str, Any], package: Package) -> str:
    """How answers are judged: the default validator compares tokens, whatever their case."""
    told = f"{facts.get('type', '')} {facts.get('validation', '')}".lower()
    if "interactive" in told or "multi-pass" in told:
        return "interactive"
    if "custom" in told or package.listed("output_validator") or package.listed("output_validators"):
        return "custom"
    return "tolerance" if "float" in str(facts.get("validator_flags", "")) else "exact"
