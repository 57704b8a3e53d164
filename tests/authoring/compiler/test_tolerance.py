"""Real-number answers: the tolerance of a statement, and references that are too coarse for it."""

from __future__ import annotations

import pytest

from authoring.compiler import tolerance
from authoring.compiler.outcome import Refused
from authoring.compiler.sections import Sections
from bootcamp_kit.stdio_program import run_program

ASKED = "Print the length."


def sections(output: str, notes: str = "") -> Sections:
    return Sections("A rope.", "One integer n.", output, notes=notes)


@pytest.mark.parametrize(
    ("sentence", "size"),
    [
        ("Your answer is accepted if its absolute or relative error does not exceed $10^{-6}$.", 1e-6),
        ("The relative or absolute error must be at most 10 - 9.", 1e-9),
        ("An absolute error of 1e-4 is fine.", 1e-4),
        ("The absolute error should not exceed 0.001.", 1e-3),
        ("An absolute error of 1e-4 or a relative error of 1e-6 is fine.", 0.0),
        ("Print it with 6 digits after the decimal point.", 0.0),
        ("The error is absolute: there are 10 of them.", 0.0),
    ],
)
def test_the_tolerance_is_read_where_it_is_one(sentence: str, size: float) -> None:
    assert tolerance.stated(sections(f"{ASKED} {sentence}")) == pytest.approx(size)


def test_the_output_section_counts_before_the_notes() -> None:
    said = sections("The absolute error may be 1e-3.", notes="An absolute error of 1e-9 is easy.")
    assert tolerance.stated(said) == pytest.approx(1e-3)


def test_sentences_on_tolerance_leave_the_statement() -> None:
    formal = "Formally, let your answer be a and the jury's answer be b. Your answer is accepted if |a - b| <= 1e-6."
    said = sections(f"{ASKED} The absolute or relative error may be 10^-6.\n\n{formal}\n\nOne line.")
    assert tolerance.taken_out(said).output.split() == [*ASKED.split(), "One", "line."]


def test_two_outputs_are_the_same_within_the_tolerance_only() -> None:
    assert tolerance.same("0.500000", "0.5000004", 1e-6)
    assert not tolerance.same("0.500000", "0.5000024", 1e-6)
    assert not tolerance.same("0.5 1", "0.5", 1e-6)
    assert not tolerance.same("nan", "0.5", 1e-6)


def ran(code: str, text: str) -> str:
    return run_program(compile(tolerance.with_noise(code), "<noisy>", "exec", dont_inherit=True), text)


def test_noise_moves_only_what_is_not_exact() -> None:
    steady = "n = int(input())\nprint(sum(float(i) / 3 for i in range(n)))\n"
    assert tolerance.same(ran(steady, "50\n"), str(sum(float(i) / 3 for i in range(50))), 1e-9)
    shaky = "x = float(input())\nprint((x + 1e16 - x - 1e16) / 1e-3)\n"
    assert not tolerance.same(ran(shaky, "0.7\n"), "0.0", 1e-3)


def test_noise_leaves_integers_and_text_alone() -> None:
    code = "n = int(input())\na = [n * 3, n // 2, 2**n]\nprint(a, 'x', len(a), f'{n}')\n"
    assert ran(code, "5\n") == "[15, 2, 32] x 3 5\n"


def test_noise_is_the_same_on_every_run() -> None:
    code = "print(repr(0.1 + 0.2 * 3.0))\n"
    assert ran(code, "") == ran(code, "")


def test_too_few_digits_and_too_large_errors_are_refused() -> None:
    tolerance.check_exact(["0.3333333333"], ["0.3333333334"], 1e-6)
    with pytest.raises(Refused, match="too few"):
        tolerance.check_exact(["0.33", "1"], ["0.33", "1"], 1e-6)
    with pytest.raises(Refused, match="not exact enough"):
        tolerance.check_exact(["0.3333333333"], ["0.3333343333"], 1e-6)
