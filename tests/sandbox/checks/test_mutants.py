"""Shapes and near-miss mutants: each kind of answer is changed on its structure and never into an equal answer."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bootcamp_kit import answers
from bootcamp_kit.card import AnswerFormat
from bootcamp_kit.errors import Malformed
from sandbox.checks.mutants import ORDER_KINDS, mutants
from sandbox.checks.structure import delimited, read_shape


def card(kind: str, **more: object) -> AnswerFormat:
    return AnswerFormat(kind=kind, format="f", example="<answer>9</answer>", **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("kind", "content", "shape"),
    [
        ("integer", "-12", "integer"),
        ("integer", " 007 ", "integer"),
        ("decimal", "2.50", "decimal"),
        ("integers", "1, 2, 3", "list"),
        ("integers", "5", "list"),
        ("integers", "[1, 2]", "list"),
        ("integers", "[[1], [2]]", "json"),
        ("strings", "a b c", "list"),
        ("grid", "#.#", "rows"),
        ("text", "1 2\n3 4", "rows"),
        ("string", "0101", "word"),
        ("text", "she came home", "text"),
        ("text", '{"a": 1}', "json"),
        ("text", "(1 2 3)", "text"),
    ],
)
def test_the_shape_fits_the_declared_kind_and_is_written_back_the_same(kind: str, content: str, shape: str) -> None:
    found = read_shape(content, card(kind))
    assert found.kind == shape
    assert read_shape(found.render(found.value), card(kind)).value == found.value


def kinds(content: str, answer: AnswerFormat) -> set[str]:
    return {mutant.kind for mutant in mutants(f"so <answer>{content}</answer>", answer)}


def test_every_kind_of_answer_has_its_own_mutants() -> None:
    assert {"plus_one", "negated", "times_ten", "nan", "digit_appended", "hedge_or", "bare"} <= kinds(
        "12", card("integer")
    )
    assert "boolean" in kinds("1", card("integer"))
    assert {"last_dropped", "last_repeated", "reversed", "first_zero", "empty"} <= kinds("3 1 2", card("integers"))
    assert {"transposed", "ragged", "foreign_symbol", "first_cell"} <= kinds("#.\n..\n.#", card("grid"))
    assert {"inner_last_dropped", "boolean", "nested_once_more"} <= kinds("[[1, 2, 5], [3, 4]]", card("text"))
    assert {"another_choice", "all_choices"} <= kinds("yes", card("choice", choices=("yes", "no")))
    assert "one_per_mille_more" in kinds("2.5", card("decimal"))
    assert {"outside_above", "outside_below"} <= kinds("2.5", card("decimal", tolerance=0.01))


def test_order_mutants_are_left_out_where_any_order_is_right() -> None:
    assert not kinds("3 1 2", card("integers", rewrites=("order",))) & set(ORDER_KINDS)


def test_a_response_without_delimiters_has_no_mutants() -> None:
    assert mutants("12", card("integer")) == []


def test_right_answers_earlier_in_the_text_are_followed_by_another_last_one() -> None:
    for mutant in mutants("<answer>12</answer>", card("integer")):
        if mutant.group == "last":
            cut = delimited(mutant.response)
            assert cut is not None
            assert cut.content != "12"


@settings(max_examples=50, deadline=None)
@given(st.integers(-(10**12), 10**12))
def test_no_integer_mutant_is_read_as_the_right_integer(value: int) -> None:
    for mutant in mutants(f"<answer>{value}</answer>", card("integer")):
        try:
            read = answers.integer(answers.last_answer(mutant.response))
        except Malformed:
            continue
        assert read != value, mutant.kind


@settings(max_examples=50, deadline=None)
@given(st.lists(st.integers(-99, 99), min_size=1, max_size=6))
def test_no_list_mutant_is_read_as_the_right_list(values: list[int]) -> None:
    right = f"<answer>{' '.join(map(str, values))}</answer>"
    for mutant in mutants(right, card("integers")):
        try:
            read = answers.integers(answers.last_answer(mutant.response))
        except Malformed:
            continue
        assert read != values, mutant.kind
