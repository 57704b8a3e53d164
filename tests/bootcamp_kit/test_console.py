"""A console behaves like the standard streams that ``stdio_program`` gives, and two calls share nothing."""

from __future__ import annotations

import gc
import sys
import weakref

import pytest

from bootcamp_kit.console import Console, run
from bootcamp_kit.stdio_program import OutputTooLong


def test_lines_are_read_like_input_and_end_in_an_eof_error() -> None:
    def program(console: Console) -> None:
        console.write_line(repr(console.read_line()), repr(console.read_line()), repr(console.read_line()))
        with pytest.raises(EOFError):
            console.read_line()

    assert run(program, "one\n\n three") == "'one' '' ' three'\n"


def test_text_bytes_and_iteration_see_the_same_input() -> None:
    assert run(lambda console: console.write_line(*console.stdin, sep="|", end=""), "a\nb") == "a\n|b"
    assert run(lambda console: console.write_line(console.stdin.buffer.read()), "ä") == "b'\\xc3\\xa4'\n"
    assert run(lambda console: console.write_line(console.stdin.readlines()), "1\n2\n") == "['1\\n', '2\\n']\n"


def test_only_standard_output_counts_and_process_streams_stay_untouched(capsys: pytest.CaptureFixture[str]) -> None:
    def program(console: Console) -> None:
        console.stdout.write("a")
        console.stdout.buffer.write(b"b")
        console.write_line("c", file=console.stderr)
        console.write_line("d", "e", sep="-", end="!", flush=True)

    before = sys.stdin, sys.stdout
    assert run(program, "") == "abd-e!"
    assert (sys.stdin, sys.stdout) == before and capsys.readouterr() == ("", "")


def test_exit_ends_the_program_and_a_failure_status_raises() -> None:
    def stopping(status: object) -> str:
        def program(console: Console) -> None:
            console.write_line("before")
            console.exit(status)

        return run(program, "")

    assert stopping(None) == stopping(0) == "before\n"
    for status in (1, "message"):
        with pytest.raises(SystemExit):
            stopping(status)


def test_the_recursion_limit_of_the_process_is_left_alone() -> None:
    before = sys.getrecursionlimit()
    run(lambda console: console.setrecursionlimit(10**6), "")
    assert sys.getrecursionlimit() == before


def test_output_is_capped() -> None:
    with pytest.raises(OutputTooLong):
        run(lambda console: console.write_line("x" * 100), "", max_output=50)


def test_what_a_program_held_is_gone_when_it_ends() -> None:
    class Big:
        pass

    seen = []

    def program(console: Console) -> None:
        big = Big()
        seen.append(weakref.ref(big))

        def first() -> Big:
            return big if big else first()

        console.write_line(first is not None)

    gc.disable()
    try:
        run(program, "")
        assert seen[0]() is None
    finally:
        gc.enable()
