"""Texts that would make a careless search start over and over are read, or refused, at once."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from authoring.sources import read_briefs
from authoring.sources.cleaning import clean
from authoring.sources.contest_text import take_apart
from authoring.sources.languages import detect
from authoring.sources.latex import to_markdown
from tests.authoring.sources.test_internbootcamp import FILE, checkout
from tests.authoring.sources.test_packages import KATTIS, POLYGON, package

LONG = 200_000
PIECES = (
    *("\\(", "\\[", "$", "$$", "\\begin{verbatim}", "\\begin{tabular}{", "\\begin{tabular}{l}", "\\emph{", "\\item"),
    *("{", "%", "\\\\", "\\includegraphics{", "\\verb|", "\n", " ", "\\href{a}{", "``"),
)
SECONDS = 60.0


def quickly(work: Callable[[], object]) -> None:
    start = time.process_time()
    work()
    assert time.process_time() - start < SECONDS


@pytest.mark.parametrize("piece", PIECES)
def test_latex_without_end(piece: str) -> None:
    quickly(lambda: to_markdown(piece * (LONG // len(piece))))


@pytest.mark.parametrize(
    "piece",
    ["\n", " ", "# ", "input\n", "Examples\nInput\n", "Examples\n", "def f(\n", '"', "10", "≤ 10", "&lt;", "a1, a"],
)
def test_plain_text_without_end(piece: str) -> None:
    text = piece * (LONG // len(piece))
    quickly(lambda: take_apart(text))
    quickly(lambda: clean(text))
    quickly(lambda: detect(text))


def test_packages_and_files_without_end(tmp_path: Path) -> None:
    package(tmp_path / "a", POLYGON, **{"problem.xml": "<problem>" + "<!--" * (LONG // 4)})
    package(tmp_path / "b", POLYGON, **{"statement-sections/english/legend.tex": "\\begin{example}" * (LONG // 15)})
    package(tmp_path / "c", KATTIS, **{"problem.yaml": 'name: x\nauthor: "' + " " * 40_000 + '"\n'})
    checkout(tmp_path / "d", x=FILE.replace("请完成", "\n" * LONG + "请完"), y=FILE.replace("Input", "\n" * LONG))
    (tmp_path / "e.jsonl").write_text(json.dumps({"question": "\n" * LONG, "answer": " " * LONG}) + "\n")
    for name in ("a", "b", "c", "d", "e.jsonl"):
        quickly(lambda path=tmp_path / name: read_briefs(path))
