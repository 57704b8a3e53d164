"""Every rewrite of the vocabulary, applied to a right answer, is read by the kit's own readers as the same answer."""

from __future__ import annotations

import pytest

from bootcamp_kit import answers
from bootcamp_kit.card import AnswerFormat
from sandbox.checks.rewrites import REWRITES, UNIVERSAL, applicable, rewritten


def card(kind: str, **more: object) -> AnswerFormat:
    return AnswerFormat(kind=kind, format="f", example="<answer>9</answer>", **more)  # type: ignore[arg-type]


INTEGER_REWRITES = [
    "whitespace", "crlf", "markdown", "code_fence", "reasoning", "decoy",
    "trailing_period", "unicode_digits", "unicode_minus", "thousands", "leading_plus",
]  # fmt: skip


@pytest.mark.parametrize("name", INTEGER_REWRITES)
@pytest.mark.parametrize("value", [-1234567, 0, 7, 1000])
def test_integer_rewrites_are_read_as_the_same_integer(name: str, value: int) -> None:
    for spelling, response in rewritten(name, f"<answer>{value}</answer>", card("integer")):
        assert answers.integer(answers.last_answer(response)) == value, spelling


@pytest.mark.parametrize(
    "name", ["whitespace", "crlf", "code_fence", "trailing_period", "unicode_minus", "separator", "brackets"]
)
def test_list_rewrites_are_read_as_the_same_list(name: str) -> None:
    spellings = rewritten(name, "so <answer>3, -1, 2</answer>", card("integers"))
    assert spellings
    for spelling, response in spellings:
        assert answers.integers(answers.last_answer(response)) == [3, -1, 2], spelling


@pytest.mark.parametrize("name", ["whitespace", "crlf", "code_fence", "cell_spacing", "reasoning"])
def test_grid_rewrites_are_read_as_the_same_grid(name: str) -> None:
    spellings = rewritten(name, "<answer>\n#.#\n...\n</answer>", card("grid"))
    assert spellings
    for spelling, response in spellings:
        assert answers.grid(answers.last_answer(response), symbols="#.") == ["#.#", "..."], spelling


def test_tolerance_moves_a_decimal_by_less_than_the_declared_tolerance() -> None:
    kind = card("decimal", tolerance=0.01)
    values = [
        answers.decimal(answers.last_answer(text)) for _, text in rewritten("tolerance", "<answer>2.50</answer>", kind)
    ]
    assert len(values) == 2
    assert all(0 < abs(value - 2.5) < 0.01 for value in values)


def test_order_permutes_and_case_changes_case() -> None:
    orders = {answers.last_answer(text) for _, text in rewritten("order", "<answer>1 2 3</answer>", card("integers"))}
    assert orders == {"3 2 1", "2 3 1"}
    cases = {answers.last_answer(text) for _, text in rewritten("case", "<answer>Yes</answer>", card("string"))}
    assert cases == {"yes", "YES"}


def test_a_response_without_delimiters_has_no_rewrites() -> None:
    assert [rewritten(name, "42", card("integer")) for name in REWRITES] == [[]] * len(REWRITES)


def test_applicable_adds_the_universal_ones_and_ignores_unknown_names() -> None:
    found = applicable(card("integer", rewrites=("crlf", "sideways")))
    assert set(found) == {*UNIVERSAL, "crlf"}
    assert "tolerance" in applicable(card("decimal", tolerance=0.1))
