"""A C++ program translated to Python prints what the program would print; what is not known is refused by name."""

from __future__ import annotations

import os

import pytest

from authoring.compiler.cpp import NotCovered, translate
from authoring.compiler.purify import purify
from bootcamp_kit.stdio_program import run_program
from sandbox.compiled.programs import compiled_runner
from sandbox.service import Sandbox
from tests.authoring.compiler.cpp.programs import HEAD, NOT_COVERED, PROGRAMS


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_translated_program_prints_the_same(name: str) -> None:
    code, given, wanted = PROGRAMS[name]
    program = translate(HEAD + code)
    assert run_program(compile(program, "<translated>", "exec", dont_inherit=True), given).split() == wanted.split()


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_translated_program_becomes_a_pure_function(name: str) -> None:
    purify(translate(HEAD + PROGRAMS[name][0]), title="A test", author="test")


@pytest.mark.parametrize("name", NOT_COVERED)
def test_what_is_not_known_is_refused(name: str) -> None:
    code, words = NOT_COVERED[name]
    with pytest.raises(NotCovered, match=words):
        translate(HEAD + code)


def test_a_refusal_names_the_line() -> None:
    with pytest.raises(NotCovered, match=r"goto \(line 4\)"):
        translate(HEAD + "int main() {\n  goto end;\n}")


def test_a_macro_that_blows_up_is_refused() -> None:
    doubling = "".join(f"#define m{n + 1} m{n} m{n}\n" for n in range(40))
    with pytest.raises(NotCovered, match="blow up"):
        translate(f"#define m0 x\n{doubling}int main() {{ m40; }}")


def test_deep_nesting_is_refused() -> None:
    with pytest.raises(NotCovered, match="deep"):
        translate(HEAD + "int main() { int x = " + "(" * 6_000 + "1" + ")" * 6_000 + "; }")


def test_parts_that_main_never_reaches_are_left_out() -> None:
    code = HEAD + "mt19937 rng(7); int spare() { return rng(); } int main() { cout << 1; }"
    assert "spare" not in translate(code)


@pytest.mark.docker
@pytest.mark.skipif(not os.environ.get("BOOTCAMP_COMPILER_TESTS"), reason="BOOTCAMP_COMPILER_TESTS, and g++")
@pytest.mark.timeout(3600)
def test_the_compiled_programs_print_what_is_expected_of_the_translations(sandbox: Sandbox) -> None:
    with compiled_runner(sandbox) as run:
        assert run is not None
        for name, (code, given, wanted) in PROGRAMS.items():
            (seen,) = run(HEAD + code, [given])
            assert seen.ok and isinstance(seen.value, dict), (name, seen)
            assert str(seen.value["stdout"]).split() == wanted.split(), name
