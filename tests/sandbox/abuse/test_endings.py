"""Exits half way, crashes, and answers that are not the JSON they should be."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from sandbox.calls import JobOutcome, Observation
from tests.sandbox.abuse.conftest import LIMITS, Fort
from tests.sandbox.adding_task import generate, task_files

pytestmark = pytest.mark.docker
Run = Callable[[str], Observation]
ENDS = [
    ("sys.exit(0)", "import sys\nprint(1)\nsys.exit(0)", JobOutcome.OK, ""),
    ("sys.exit(3)", "import sys\nsys.exit(3)", JobOutcome.EXCEPTION, "SystemExit: 3"),
    ("_exit(0) half way", "import os\nprint(1)\nos._exit(0)", JobOutcome.KILLED, "exit code 0 and no answer"),
    ("a segmentation fault", "import ctypes\nctypes.string_at(1)", JobOutcome.KILLED, "SIGSEGV"),
    ("abort", "import os\nos.abort()", JobOutcome.KILLED, "SIGABRT"),
    ("recursion", "f = lambda: f()\nf()", JobOutcome.EXCEPTION, "RecursionError"),
    ("an exception whose text raises", "class E(Exception):\n def __str__(self): 1 / 0\nraise E", JobOutcome.EXCEPTION,
     "str() raised"),
    ("an exception that exits", "import os\nclass E(Exception):\n def __str__(self): os._exit(0)\nraise E",
     JobOutcome.KILLED, "exit code 0"),
]  # fmt: skip
VALUES = [
    ("too deep", "x = []\n    for _ in range(200_000): x = [x]\n    return x", "nested deeper"),
    ("NaN", "return float('nan')", "not finite"),
    ("infinity", "return [1e999]", "not finite"),
    ("ten million digits", "return 1 << 33_000_000", "digits"),
    ("a lone surrogate", "return '\\ud800'", "surrogates"),
    ("a key that is no text", "return {1: 2}", "key of type int"),
    ("a subclass of int", "return type('I', (int,), {})(3)", "not plain JSON data"),
    ("a subclass of dict", "return type('D', (dict,), {'items': lambda s: 1 / 0})()", "not plain JSON data"),
]


@pytest.mark.parametrize(("source", "outcome", "error"), [end[1:] for end in ENDS], ids=[end[0] for end in ENDS])
def test_it_ends_as_it_did(run: Run, source: str, outcome: JobOutcome, error: str) -> None:
    seen = run(source)
    assert seen.outcome is outcome and error in seen.error, seen
    assert (seen.value is not None) is (outcome is JobOutcome.OK)


def test_recursion_without_pythons_limit_ends_somehow_and_never_well(run_out: Run) -> None:
    seen = run_out("import sys\nsys.setrecursionlimit(10**9)\nx = []\nfor _ in range(60_000): x = [x]\nrepr(x)\n1 / 0")
    assert not seen.ok and seen.value is None


def test_what_is_printed_at_exit_is_nobodys_answer(run: Run) -> None:
    seen = run("import atexit, os\natexit.register(os.write, 4, b'\\0' * 8 + b'{}')\nprint(1)")
    assert seen.value == {"stdout": "1\n"}


def test_values_that_are_not_plain_json_are_the_tasks_exception(fort: Fort) -> None:
    cases = "\n".join(f"  if n == {n}:\n    {body}" for n, (_, body, _) in enumerate(VALUES))
    body = f"def generate(self, rng, params):\n  n = params['top']\n{cases}"
    with fort.sandbox.box(task_files(body), LIMITS) as box:
        calls = [generate(0) for _ in VALUES]
        calls = [type(call)(call.op, {**call.args, "params": {"top": n}}) for n, call in enumerate(calls)]
        for (name, _, error), seen in zip(VALUES, box.batch(calls), strict=True):
            assert seen.outcome in (JobOutcome.EXCEPTION, JobOutcome.OUT_OF_MEMORY) and error in seen.error, (
                name,
                seen,
            )


def test_a_huge_number_that_fits_the_digits_limit_passes_whole(fort: Fort) -> None:
    with fort.sandbox.box(task_files("def generate(self, rng, params): return 10 ** 4299"), LIMITS) as box:
        assert box.fresh(generate(1)).value == 10**4299
