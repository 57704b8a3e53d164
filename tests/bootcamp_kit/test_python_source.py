"""Python text is read the same from any number of threads."""

from __future__ import annotations

import ast
import gc
import re
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from bootcamp_kit.python_source import parse_python

SOURCE = "def f(x):\n" + "".join(
    f"    if x > {i}:\n        return [x + {i} * (y := x) for z in range({i})]\n" for i in range(200)
)
ROOT = Path(__file__).parents[2]
ROOMS = ("authoring", "bootcamp_cli", "bootcamp_kit", "chat_models", "evaluation", "review", "sandbox")


class Knot:
    """Only the collector frees it, and its finalizer is Python code: the moment at which threads change."""

    def __init__(self) -> None:
        self.me = self

    def __del__(self) -> None:
        sum(range(50))


@pytest.fixture
def restless() -> Iterator[None]:
    """Threads change often and the collector runs often."""
    interval, threshold = sys.getswitchinterval(), gc.get_threshold()
    sys.setswitchinterval(1e-6)
    gc.set_threshold(100)
    yield
    sys.setswitchinterval(interval)
    gc.set_threshold(*threshold)


def parsed_by_four_threads(parse: Callable[[str], Any]) -> list[BaseException]:
    failed: list[BaseException] = []

    def work() -> None:
        for _ in range(12):
            for _ in range(20):
                Knot()
            try:
                parse(SOURCE)
            except SystemError as error:
                failed.append(error)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return failed


@pytest.mark.usefixtures("restless")
def test_four_threads_read_the_same_text_without_disturbing_each_other() -> None:
    assert parsed_by_four_threads(parse_python) == []


@pytest.mark.usefixtures("restless")
def test_a_library_that_parses_by_itself_at_the_same_moment_does_no_harm() -> None:
    stop = threading.Event()

    def library() -> None:
        while not stop.is_set():
            try:
                ast.parse(SOURCE)
            except SystemError:
                continue

    other = threading.Thread(target=library)
    other.start()
    try:
        assert parsed_by_four_threads(parse_python) == []
    finally:
        stop.set()
        other.join()


def test_the_tree_is_that_of_the_standard_library() -> None:
    assert ast.dump(parse_python(SOURCE)) == ast.dump(ast.parse(SOURCE))
    assert ast.dump(parse_python("1 + x", mode="eval")) == ast.dump(ast.parse("1 + x", mode="eval"))


def test_what_is_not_python_is_said_with_the_name_of_its_file() -> None:
    with pytest.raises(SyntaxError) as raised:
        parse_python("def f(:", filename="solver.py")
    assert raised.value.filename == "solver.py"


def test_no_other_file_of_the_product_parses_python_itself() -> None:
    alone = {
        str(path.relative_to(ROOT))
        for room in ROOMS
        for path in (ROOT / room).rglob("*.py")
        if re.search(r"\bast\.(parse|literal_eval)\(", path.read_text())
    }
    assert alone == {"bootcamp_kit/python_source.py"}
