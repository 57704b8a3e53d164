"""The compiler's small parts: expressions, bounds, reading and writing inputs, answer forms, levels."""

from __future__ import annotations

import pytest

from authoring.compiler import expressions
from authoring.compiler.bounds import Bounds, note_chains, range_phrase
from authoring.compiler.emit_instances import Emitter
from authoring.compiler.grammar import read
from authoring.compiler.input_format import InputFormat
from authoring.compiler.levels import ladders
from authoring.compiler.outcome import Refused, Stage
from authoring.compiler.plain import plain
from authoring.compiler.sections import Sections
from authoring.compiler.shape import Shape, infer
from authoring.compiler.stdio_text import Misread, parse, render, tidy
from authoring.compiler.texts import block_literal, literal


def format_of(text: str) -> InputFormat:
    return read(Sections("", text, "Print it."))


@pytest.mark.parametrize(
    ("text", "normal", "value"),
    [
        ("2n-1", "2*n - 1", 9),
        ("n·m", "n*m", 15),
        ("min(n, 3) - m", "min(n, 3) - m", 0),
        ("n - (m - 1)", "n - (m - 1)", 3),
        ("-n", "-n", -5),
        ("n//2", "n//2", 2),
        ("10 - 3", "7", 7),
    ],
)
def test_expressions_have_one_spelling_and_a_value(text: str, normal: str, value: int) -> None:
    assert expressions.normal(text) == normal
    assert expressions.evaluate(expressions.normal(text), {"n": 5, "m": 3}) == value


@pytest.mark.parametrize(
    "text", ["", "n +", "n ** 9", "n / 2", "f(n)", "n.x", "__import__('os')", "True", "n if m else 1"]
)
def test_nothing_else_is_an_expression(text: str) -> None:
    with pytest.raises(expressions.NotAnExpression):
        expressions.normal(text)


@pytest.mark.parametrize(
    ("text", "low", "high", "relations"),
    [
        ("1 ≤ n, m ≤ 9", {"n": 1, "m": 1}, {"n": 9, "m": 9}, []),
        ("1 ≤ n ≤ 9, 2 ≤ m ≤ 5", {"n": 1, "m": 2}, {"n": 9, "m": 5}, []),
        ("1 ≤ a_1, a_2, …, a_n ≤ 9", {"a": 1}, {"a": 9}, []),
        ("0 < x < 10", {"x": 1}, {"x": 9}, []),
        ("100 ≥ n > 1", {"n": 2}, {"n": 100}, []),
        ("1 ≤ k ≤ n ≤ 9", {"k": 1, "n": 1}, {"k": 9, "n": 9}, [("k", "n")]),
        ("0 ≤ a_i < 2n", {"a": 0}, {}, [("a", "2*n - 1")]),
        ("1 ≤ |s| ≤ 20; |x| ≤ 5", {"|s|": 1}, {"|s|": 20, "|x|": 5}, []),
        ("1 ≤ n ≤ 9 and 1 ≤ n ≤ 7", {"n": 1}, {"n": 7}, []),
    ],
)
def test_chains_bound_their_variables(
    text: str, low: dict[str, int], high: dict[str, int], relations: list[tuple[str, str]]
) -> None:
    bounds = Bounds()
    note_chains(plain(text), bounds)
    assert (bounds.low, bounds.high, bounds.relations) == (low, high, relations)


@pytest.mark.parametrize("text", ["1 ≤ k ≤ n, m ≤ 9", "1 ≤ n ≥ 3", "1 ≤ n ≤ many words", "1 ≤ 2", "n"])
def test_a_chain_that_cannot_be_read_is_refused(text: str) -> None:
    with pytest.raises(Refused) as refused:
        note_chains(text, Bounds())
    assert refused.value.refusal.stage is Stage.BOUNDS


def test_ranges_in_words() -> None:
    assert range_phrase("each between 1 and 100, inclusive") == ("1", "100")
    assert range_phrase("from 0 to n - 1") == ("0", "n - 1")
    assert range_phrase("between friends") is None


MIXED = (
    "The first line contains t (1 ≤ t ≤ 9), the number of test cases. The first line of each test case contains two "
    "integers n and m (1 ≤ n, m ≤ 9) and a string s (1 ≤ |s| ≤ 5) of lowercase English letters. The second line of "
    "each test case contains n integers a_i (-9 ≤ a_i ≤ 9). Then n lines follow, each containing two integers l and r "
    "(1 ≤ l ≤ r ≤ m)."
)


def test_an_input_reads_and_writes_back() -> None:
    text = "2\n2 3 abc\n-1 5\n1 2\n3 3\n1 1 z\n0\n1 1\n"
    found = parse(format_of(MIXED), text.replace("\n", " \r\n") + "\n\n")
    assert found[0] == {"n": 2, "m": 3, "s": "abc", "a": [-1, 5], "l_r": [[1, 2], [3, 3]]}
    assert render(format_of(MIXED), found) == text
    assert tidy(text + "\n \n") == text.strip()


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("1\n1 3 abc\n5\n2 1\n", "l is 2, outside 1 … r"),
        ("1\n1 3 abc\n5\n1 4\n", "r is 4"),
        ("1\n1 3 abcdef\n5\n1 1\n", "length of s is 6"),
        ("1\n9 3 abc\n5\n1 1\n", "9 values expected"),
        ("1\n1 3 aBc\n5\n1 1\n", "'B'"),
        ("0\n", "0 test cases"),
        ("1\n1 3 abc\n+5\n1 1\n", "not a plain integer"),
        ("1\n1 3 abc\n5\n1 1\n7\n", "left over"),
    ],
)
def test_an_input_outside_its_format_is_misread(text: str, reason: str) -> None:
    with pytest.raises(Misread, match=reason.replace("…", ".")):
        parse(format_of(MIXED), text)


@pytest.mark.parametrize(
    ("outputs", "statement", "rows", "shape"),
    [
        (["5\n", "-3\n"], "Print one integer.", None, Shape("integer")),
        (["5 1\n", "7\n"], "Print the values.", None, Shape("integers")),
        (["YES\n", "NO\n"], "Print 'YES' or `NO`.", None, Shape("choice", ("NO", "YES"))),
        (["yes\n", "no\n"], "Print YES or NO, each letter in any case.", None, Shape("choice", ("no", "yes"))),
        (["yes\n", "no\n"], "Print YES or NO.", None, Shape("string")),
        (["0\n", "1\n"] * 10, "Print 1 if it is, 0 otherwise.", None, Shape("choice", ("0", "1"))),
        (["0\n", "1\n"] * 10, "Print how many.", None, Shape("integer")),
        (["0101\n", "11\n"], "Print the string.", None, Shape("string")),
        (["abc\n", "abd\n"], "Print the string.", None, Shape("string")),
        (["ab 3\n", "b 2\n"], "Print both.", None, Shape("strings")),
        (["#.\n.#\n", "##\n"], "Draw it.", [2, 1], Shape("grid", symbols="#.")),
        (["IMPOSSIBLE\n", "12\n", "4\n"], "Print the number or IMPOSSIBLE.", None, Shape("string")),
    ],
)
def test_outputs_have_a_form(outputs: list[str], statement: str, rows: list[int | None] | None, shape: Shape) -> None:
    assert infer(outputs, statement, grid_rows=rows or [None] * len(outputs)) == shape


@pytest.mark.parametrize("outputs", [["", "5"], ["1.5"], ["a*b"], ["`x`"], ["*.\n.*"], ["Yes", "YES"], ["9" * 5_000]])
def test_outputs_without_a_strict_form_are_refused(outputs: list[str]) -> None:
    with pytest.raises(Refused) as refused:
        infer(outputs, "Print Yes or YES.", grid_rows=[None] * len(outputs))
    assert refused.value.refusal.stage is Stage.OUTPUT


@pytest.mark.parametrize(
    ("things", "values"),
    [
        ("an integer n (1 ≤ n ≤ 10^6)", (30, 200, 2_000, 20_000, 200_000)),
        ("an integer n (1 ≤ n ≤ 7)", (2, 3, 4, 5, 7)),
        ("an integer n (500 ≤ n ≤ 10^9)", (529, 699, 2_499, 20_499, 200_499)),
        ("an integer n (-50 ≤ n ≤ 20)", (10, 20, 30, 40, 50)),
    ],
)
def test_levels_stay_inside_the_bounds_and_differ(things: str, values: tuple[int, ...]) -> None:
    found = ladders(format_of(f"The first line contains {things}."))
    assert len(set(found[0].values)) == 5
    assert found[0].values == values


def test_sizes_that_would_leave_a_line_empty_are_left_out() -> None:
    text = "The first line contains n (0 ≤ n ≤ 20). The second line contains n - 1 integers a_i (1 ≤ a_i ≤ 5)."
    written = Emitter(format_of(text), ["n", "a_max"]).text(title="T", mix="mixed")
    assert 'n = size(rng, 2, 20, params["n"])' in written


def test_text_in_code_is_only_ever_text() -> None:
    nasty = 'a"b\\c\'d\n"""e{f}\u2028\x07\x7f$%s'
    assert eval(literal(nasty)) == nasty  # noqa: S307 - our own literal
    scope: dict[str, str] = {}
    exec(block_literal("TEXT", nasty), scope)  # noqa: S102 - our own literal
    assert scope["TEXT"] == nasty
