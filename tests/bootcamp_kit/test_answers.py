"""The shared parser reads the last delimited answer, strictly, in linear time."""

import contextlib
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bootcamp_kit import answers
from bootcamp_kit.errors import Malformed


def wrapped(text: str) -> str:
    return f"thinking …\n<answer>{text}</answer>"


@pytest.mark.parametrize(
    ("response", "content"),
    [
        ("<answer>5</answer>", "5"),
        ("<answer>1</answer> no, <answer>2</answer>", "2"),
        ("I write <answer> here. <answer>3</answer>", "3"),
        ("<answer>\r\n 7 \r\n</answer>\r\n", "7"),
        ("<answer>**8**</answer>", "8"),
        ("**<answer>8</answer>**", "8"),
        ("<answer>`9`</answer>", "9"),
        ("<answer>\n```\n1 2\n3 4\n```\n</answer>", "1 2\n3 4"),
        ("<answer>```text\nab\n```</answer>", "ab"),
        ("x" * 100_000 + "<answer>5</answer>", "5"),
    ],
)
def test_last_answer_reads_the_final_delimited_content(response: str, content: str) -> None:
    assert answers.last_answer(response) == content


@pytest.mark.parametrize(
    "response",
    [
        "",
        "5",
        "<answer>",
        "</answer>",
        "<answer></answer>",
        "<answer> \n </answer>",
        "<answer>5",
        "<answer>5</answer> wait <answer>6",
        "5</answer>",
        "<answer>1</answer>2</answer>" + "<answer>",
        "<answer>" + "1" * 200_000 + "</answer>",
        "<ANSWER>5</ANSWER>",
    ],
)
def test_last_answer_refuses_what_is_not_clearly_delimited(response: str) -> None:
    with pytest.raises(Malformed):
        answers.last_answer(response)


def test_an_answer_closed_twice_is_not_guessed() -> None:
    with pytest.raises(Malformed):
        answers.last_answer("<answer>1</answer>2</answer>")


@pytest.mark.parametrize(
    ("text", "value"),
    [("5", 5), ("+5", 5), ("-5", -5), ("−5", -5), ("1,234", 1234), ("５", 5), ("5.", 5), (" 7 ", 7), ("٣", 3)],
)
def test_integer_accepts_right_rewrites(text: str, value: int) -> None:
    assert answers.integer(text) == value


@pytest.mark.parametrize(
    "text",
    [
        "",
        "5.0",
        "1,23",
        "12,34,567",
        "five",
        "5 6",
        "0x5",
        "1e3",
        "5/1",
        "²",
        "--5",
        "5..",
        "nan",
        "True",
        "1_000",
        "9" * 5000,
        "5\x00",
    ],
)
def test_integer_refuses_everything_else(text: str) -> None:
    with pytest.raises(Malformed):
        answers.integer(text)


@pytest.mark.parametrize(
    ("text", "value"),
    [("1 2 3", [1, 2, 3]), ("[1, 2, 3]", [1, 2, 3]), ("1,2,3.", [1, 2, 3]), ("1\n2", [1, 2]), ("(−1 4)", [-1, 4])],
)
def test_integers_accepts_the_usual_separators(text: str, value: list[int]) -> None:
    assert answers.integers(text) == value


@pytest.mark.parametrize("text", ["", "[]", "1;2", "[1,2", "1 two", "[[1,2]]", "1,,2", "1.5 2", "[print(1)]"])
def test_integers_refuses_everything_else(text: str) -> None:
    with pytest.raises(Malformed):
        answers.integers(text)


@pytest.mark.parametrize(("text", "value"), [("0.5", 0.5), (".5", 0.5), ("5", 5.0), ("-1e-3", -0.001), ("2.50.", 2.5)])
def test_decimal_accepts_plain_numbers(text: str, value: float) -> None:
    assert answers.decimal(text) == value


@pytest.mark.parametrize("text", ["nan", "inf", "1e999", "-inf", "1/2", "50%", "5 m", "", ".", "1e", "0x1p3", "1_0.0"])
def test_decimal_refuses_everything_else(text: str) -> None:
    with pytest.raises(Malformed):
        answers.decimal(text)


def test_close_is_relative_to_the_expected_value_only() -> None:
    assert answers.close(100.0, 100.4, absolute=0.0, relative=0.01)
    assert not answers.close(1e300, 1.0, absolute=0.0, relative=0.01)
    assert not answers.close(float("inf"), 1.0, absolute=1.0)
    assert not answers.close(float("nan"), 1.0, absolute=1.0)


def test_grid_checks_shape_and_symbols() -> None:
    assert answers.grid("#.\n.#", symbols="#.", rows=2, columns=2) == ["#.", ".#"]
    assert answers.grid("# .\r\n. #\n", symbols="#.") == ["#.", ".#"]
    for bad in ["", "#.\n#", "#x", "##\n##\n##"]:
        with pytest.raises(Malformed):
            answers.grid(bad, symbols="#.", rows=2, columns=2)


def test_choice_and_word_take_one_token_only() -> None:
    assert answers.choice("yes.", ("YES", "NO")) == "YES"
    with pytest.raises(Malformed):
        answers.choice("YES or NO", ("YES", "NO"))
    with pytest.raises(Malformed):
        answers.choice("yes", ("YES", "NO"), fold_case=False)
    assert answers.word("abc.") == "abc"
    with pytest.raises(Malformed):
        answers.word("a b")


@given(st.text(max_size=300))
def test_no_reader_raises_anything_but_malformed(text: str) -> None:
    for reader in (
        answers.last_answer,
        answers.integer,
        answers.integers,
        answers.decimal,
        answers.word,
        answers.tokens,
        lambda item: answers.grid(item, symbols="#."),
        lambda item: answers.choice(item, ("YES", "NO")),
        lambda item: answers.last_answer(wrapped(item)),
    ):
        with contextlib.suppress(Malformed):
            reader(text)


@pytest.mark.parametrize(
    "response",
    [
        "<answer>" * 200_000,
        "<answer>" * 100_000 + "</answer>" * 100_000,
        "<answer>```" + "`\n" * 40_000 + "</answer>",
        "<answer>" + "1," * 49_000 + "x</answer>",
    ],
)
def test_hostile_responses_are_read_in_linear_time(response: str) -> None:
    start = time.process_time()
    for reader in (answers.integer, answers.integers, answers.decimal):
        with contextlib.suppress(Malformed):
            reader(answers.last_answer(response))
    assert time.process_time() - start < 60, "a quadratic reader takes minutes on this"


@pytest.mark.parametrize("content", ["*.*", "*..\n..*", "__x__", "$1$", "`a`"])
def test_answers_made_of_marks_are_kept_where_the_task_says_so(content: str) -> None:
    assert answers.last_answer(f"<answer>{content}</answer>", marks=False) == content
    assert answers.last_answer(f"<answer>\n```\n{content}\n```\n</answer>", marks=False) == content
    assert answers.last_answer(f"<answer>{content}</answer>") != content
