"""A program runs on its input and leaves nothing of itself in the process."""

import gc
import sys

import pytest

from bootcamp_kit.stdio_program import OutputTooLong, run_program


def run(source: str, stdin: str = "", **more: int) -> str:
    return run_program(compile(source, "solution.py", "exec"), stdin, **more)


def test_it_reads_and_prints_as_at_a_shell() -> None:
    assert run("n = int(input())\nprint(n * 2)", "21\n") == "42\n"
    assert run("import sys\nsys.stdout.write(sys.stdin.read().upper())", "ab") == "AB"
    assert run("import sys\nprint(sys.stdin.buffer.read())", "x") == "b'x'\n"
    assert run("print(1)\nraise SystemExit(0)\nprint(2)") == "1\n"


def test_what_it_changed_in_sys_is_put_back() -> None:
    before = sys.stdin, sys.stdout, sys.argv, sys.getrecursionlimit()
    run("import sys\nsys.setrecursionlimit(10**6)\nsys.argv.append('x')\nsys.stdout = None")
    assert (sys.stdin, sys.stdout, sys.argv, sys.getrecursionlimit()) == before


@pytest.mark.parametrize(("source", "error"), [("raise SystemExit(3)", SystemExit), ("1 / 0", ZeroDivisionError)])
def test_a_failure_is_passed_on(source: str, error: type[BaseException]) -> None:
    with pytest.raises(error):
        run(source)


def test_output_is_capped() -> None:
    with pytest.raises(OutputTooLong):
        run("print('x' * 1000)", max_output=100)


def test_what_a_program_held_is_gone_when_it_ends() -> None:
    gc.disable()  # nothing may have to wait for a collection: large lists of many runs do not fit beside each other
    try:
        run(
            "class Big:\n    pass\nbig = Big()\nimport weakref, sys\nsys.seen = weakref.ref(big)\n"
            "def f():\n    return big\n"
        )
        assert sys.__dict__.pop("seen")() is None
    finally:
        gc.enable()
