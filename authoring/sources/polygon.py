"""Polygon packages: ``problem.xml``, statement sections, tests with their answers, solutions with their tags.

Not covered: answers a package does not hold (they are made by its scripts, which are never run), solutions tagged
``rejected`` (they may only be slow), and statements in other languages where there is an English one.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from authoring.sources import cleaning, latex, naming
from authoring.sources.defaults import defaults_for
from authoring.sources.foreign import Found, brief_of
from authoring.sources.package import MAX_LISTED, Package, by_preference
from bootcamp_kit.brief import Brief, Sample, Solution
from bootcamp_kit.errors import UsageError

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

KIND = "polygon"
MARK = "problem.xml"
_SECTIONS = (
    ("legend", ""),
    ("input", "Input"),
    ("output", "Output"),
    ("interaction", "Interaction"),
    ("scoring", "Scoring"),
    ("notes", "Note"),
)
_EXACT = ("fcmp", "hcmp", "lcmp", "ncmp", "wcmp", "yesno", "nyesno", "icmp")
_TOLERANT = ("acmp", "dcmp", "rcmp", "rcmp4", "rcmp6", "rcmp9", "rncmp")
_PATTERN = re.compile(r"[^%]*%0?\d{0,2}d[^%]*")
_COMMANDS = re.compile(r"\\(InputFile|OutputFile|Note|Notes|Interaction|Scoring|Examples?)\b")
_EXAMPLES = re.compile(r"\\begin\{examples?\}(?:(?!\\begin\{example).)*?\\end\{examples?\}", re.DOTALL)
_HEAD = re.compile(r"\\begin\{problem\}(?:\{[^{}]*\}){1,6}|\\end\{problem\}")
_NAMES = {"InputFile": "Input", "OutputFile": "Output", "Notes": "Note", "Example": "", "Examples": ""}


def read(path: Path, *, root: Path) -> Brief:
    """Read the package in the folder ``path``.

    Raises:
        UsageError: names the file and what is wrong.
    """
    package = Package(path, root=root)
    problem = _xml(package)
    language = _language(problem)
    text, notes = _statement(package, language)
    samples, tests = _tests(package, problem, language)
    right, wrong = _solutions(package, problem)
    cleaned = cleaning.clean(text, samples, right[0].code if right else "")
    short = problem.get("short-name") or path.resolve().name
    names = {item.get("language"): item.get("value", "") for item in problem.iterfind("names/name")}
    title = names.get(language, "")
    limit = problem.findtext("judging/testset/time-limit", "").strip()
    if language not in ("english", ""):
        notes = (*notes, f"the statement is in the language {language!r}")
    return brief_of(
        Found(
            kind=KIND,
            name=short,
            id=naming.task_id("polygon", short),
            title=naming.title(title, naming.title(short, "untitled")),
            text=cleaned.text,
            samples=cleaned.samples,
            solution=right[0] if right else None,
            accepted=tuple(right[1:]),
            wrong=tuple(wrong),
            tests=tests,
            url=problem.get("url", ""),
            tags=("contest",),
            seconds=int(limit) / 1000 if limit.isdecimal() and 0 < int(limit) < 3_600_000 else 0.0,
            judge=_judge(problem),
            notes=(*notes, *package.notes, *cleaned.notes),
        ),
        defaults_for(path, root=root),
        where=str(path),
    )


def _xml(package: Package) -> Element:
    from xml.etree import ElementTree

    text = package.text(MARK)
    where = f"brief {package.path / MARK}"
    if re.search(r"<!(?!--|\[CDATA\[)", text):
        raise UsageError(where, "it declares a document type or entities", "a package's XML needs none: remove them")
    try:
        # Without a document type there is nothing that could expand.
        problem = ElementTree.fromstring(text)
    except ElementTree.ParseError as error:
        raise UsageError(where, f"not XML: {error}", "correct it") from error
    if problem.tag != "problem":
        raise UsageError(where, f"its root is <{problem.tag[:40]}>", "a Polygon package begins with <problem>")
    return problem


def _language(problem: Element) -> str:
    listed = [item.get("language", "") for item in problem.iterfind("statements/statement")]
    spoken = [name for name in listed if re.fullmatch(r"[a-z]{1,30}", name)]
    return "english" if "english" in spoken or not spoken else spoken[0]


def _statement(package: Package, language: str) -> tuple[str, tuple[str, ...]]:
    """Markdown and notes, from the sections, else from the whole statement.

    Raises:
        UsageError: neither is there.
    """
    folder = f"statement-sections/{language}"
    if package.has(f"{folder}/legend.tex"):
        parts: list[str] = []
        notes: list[str] = []
        for name, heading in _SECTIONS:
            if package.has(f"{folder}/{name}.tex"):
                text, left = latex.to_markdown(package.text(f"{folder}/{name}.tex"))
                parts += [f"## {heading}\n\n{text}" if heading else text] if text.strip() else []
                notes += left
        return "\n".join(parts), tuple(dict.fromkeys(notes))
    whole = f"statements/{language}/problem.tex"
    if not package.has(whole):
        raise UsageError(f"package {package.path}", f"neither {folder}/legend.tex nor {whole}", "add the statement")
    raw = _HEAD.sub("", _EXAMPLES.sub("", package.text(whole)))
    raw = _COMMANDS.sub(
        lambda found: f"\\section{{{_NAMES.get(found[1], found[1])}}}" if _NAMES.get(found[1], found[1]) else "", raw
    )
    return latex.to_markdown(raw)


def _tests(package: Package, problem: Element, language: str) -> tuple[tuple[Sample, ...], tuple[Sample, ...]]:
    """Samples and further tests; of those the package holds an answer for."""
    samples: list[tuple[str, str]] = []
    others: list[tuple[str, str]] = []
    for testset in problem.iterfind("judging/testset"):
        patterns = [testset.findtext(f"{kind}-path-pattern", "").strip() for kind in ("input", "answer")]
        if not all(_PATTERN.fullmatch(pattern) for pattern in patterns):
            package.notes.append("a test set without usable path patterns is left out")
            continue
        for number, test in enumerate(list(testset.iterfind("tests/test"))[:MAX_LISTED], 1):
            pair = (patterns[0] % number, patterns[1] % number)
            if all(package.has(name) for name in pair):
                (samples if test.get("sample") == "true" else others).append(pair)
    shown = package.listed(f"statement-sections/{language}") or package.listed(f"statements/{language}")
    examples = [(name, name + ".a") for name in shown if re.search(r"/example\.\d+$", name) and name + ".a" in shown]
    return package.pairs(examples or samples, "the samples"), package.pairs(others, "the test sets")


def _solutions(package: Package, problem: Element) -> tuple[list[Solution], list[Solution]]:
    """Those that are right, the main one first, and those that are wrong."""
    tagged: dict[str, list[Solution]] = {}
    for item in problem.iterfind("assets/solutions/solution"):
        source = item.find("source")
        name = source.get("path", "") if source is not None else ""
        if not name or not package.has(name):
            package.notes.append(f"the solution {name[:80]!r} is not in the package")
            continue
        program = package.program(name)
        if program:
            tagged.setdefault(item.get("tag", ""), []).append(program)
    right = by_preference(tagged.get("main", []) + tagged.get("accepted", []))
    if unclear := len(tagged.get("rejected", [])):
        package.notes.append(f"solutions tagged 'rejected' left out, they may only be slow: {unclear}")
    return list(right), list(by_preference(tagged.get("wrong-answer", []) + tagged.get("presentation-error", [])))


def _judge(problem: Element) -> str:
    if problem.find("assets/interactor") is not None:
        return "interactive"
    checker = problem.find("assets/checker")
    name = (checker.get("name") or "") if checker is not None else ""
    standard = re.fullmatch(r"std::(\w+)\.cpp", name)
    if standard and standard[1] in _EXACT:
        return "exact"
    if standard and standard[1] in _TOLERANT:
        return "tolerance"
    return "custom" if checker is not None else ""
