"""What the statement reader understands: Input sections as people write them, and the format they become."""

from __future__ import annotations

import string
from typing import Any

import pytest

from authoring.compiler.compile import understand
from authoring.compiler.grammar import read
from authoring.compiler.input_format import InputFormat
from authoring.compiler.outcome import Refused, Stage
from authoring.compiler.plain import plain
from authoring.compiler.sections import Sections, cut, sentences
from tests.authoring.compiler.contest import INPUT, contest


def number(name: str, low: object, high: object) -> dict[str, Any]:
    return {"name": name, "low": str(low), "high": str(high)}


def numbers(name: str, count: str, low: object, high: object, **more: Any) -> dict[str, Any]:
    return {"name": name, "count": count, "low": str(low), "high": str(high), **more}


def word(name: str, low: object, high: object, alphabet: str) -> dict[str, Any]:
    return {"name": name, "low": str(low), "high": str(high), "alphabet": alphabet}


def rows(name: str, count: str, *items: dict[str, Any]) -> dict[str, Any]:
    return {"name": name, "count": count, "items": list(items)}


def line(*items: dict[str, Any]) -> dict[str, Any]:
    return {"items": list(items)}


AZ = string.ascii_lowercase
A_LIST = [line(number("n", 1, 100)), line(numbers("a", "n", 1, 1000))]
A_GRID = [line(number("n", 1, 50), number("m", 1, 50)), rows("grid", "n", word("text", "m", "m", ".#"))]

UNDERSTOOD: list[tuple[str, list[dict[str, Any]]]] = [
    (
        "The first line contains an integer n (1 ≤ n ≤ 100). The second line contains n integers a_1, a_2, …, a_n "
        "(1 ≤ a_i ≤ 1000).",
        A_LIST,
    ),
    (
        "The first line of the input contains one positive integer $n$ ($n \\le 100$) — the length of the array.\n\n"
        "The second line contains $n$ space-separated integers $a_1, \\ldots, a_n$ ($1 \\leq a_i \\leq 10^3$), "
        "where $a_i$ is the height of the $i$-th tree.",
        A_LIST,
    ),
    (
        "- The first line contains `n`, the number of stones.\n"
        "- The second line contains `n` integers `a_i`, separated by single spaces.\n"
        "- `1 <= n <= 100`\n- `1 <= a_i <= 1,000` for each `i`",
        A_LIST,
    ),
    (
        "The first line contains n (1 ≤ n ≤ 100). The second line contains n integers, each between 1 and 1000, "
        "inclusive. The i-th of them is a_i.",
        A_LIST,
    ),
    (
        "The input consists of a single line containing three integers a, b and c (0 <= a <= b <= c < 2·10^5).",
        [line(number("a", 0, 199999), number("b", "a", 199999), number("c", "b", 199999))],
    ),
    (
        "One line with four integers x_1, y_1, x_2, y_2 where |x_1|, |y_1|, |x_2|, |y_2| ≤ 50.",
        [line(*(number(name, -50, 50) for name in ("x_1", "y_1", "x_2", "y_2")))],
    ),
    (
        "The first line contains two integers n and m (1 ≤ n, m ≤ 50). Each of the next n lines contains m characters, "
        "each either '.' or '#'.",
        A_GRID,
    ),
    (
        "The first line contains integers n and m, the size of the board (1<=n,m<=50). The next n lines describe the "
        "board. Each of them contains m symbols: `.` is an empty cell, `#` is a wall.",
        A_GRID,
    ),
    (
        "The only line contains a string s of lowercase English letters (1 ≤ |s| ≤ 100).",
        [line(word("s", 1, 100, AZ))],
    ),
    ("A single line contains a binary string s, whose length is between 2 and 60.", [line(word("s", 2, 60, "01"))]),
    (
        "The first line contains an integer n (2 ≤ n ≤ 60). The second line contains a string of n characters, each of "
        "which is `L`, `R` or `S`.",
        [line(number("n", 2, 60)), line(word("text", "n", "n", "LRS"))],
    ),
    (
        "The first line contains n (1 ≤ n ≤ 9). The second line contains string s of length n. Each character is"
        " either "
        "«R» or «G».",
        [line(number("n", 1, 9)), line(word("s", "n", "n", "RG"))],
    ),
    (
        "The first line contains an integer n (2 ≤ n ≤ 100). The second line contains a permutation p_1, p_2, …, p_n"
        " of "
        "the integers from 1 to n.",
        [line(number("n", 2, 100)), line(numbers("p", "n", 1, "n", permutation=True))],
    ),
    (
        "The first line contains an integer n (2 ≤ n ≤ 50). The second line contains n integers a_i (1 ≤ a_i ≤ 10^9). "
        "All a_i are distinct. The array a is sorted in increasing order.",
        [line(number("n", 2, 50)), line(numbers("a", "n", 1, 10**9, distinct=True, order="increasing"))],
    ),
    (
        "The first line contains two integers n and q (1 ≤ q ≤ n ≤ 50). Then q lines follow, each containing two"
        " integers "
        "l and r (1 ≤ l ≤ r ≤ n).",
        [line(number("n", 1, 50), number("q", 1, "n")), rows("l_r", "q", number("l", 1, "r"), number("r", 1, "n"))],
    ),
    (
        "The first line contains n (1 ≤ n ≤ 8). The next n lines contain n integers each. The j-th number in the i-th "
        "line is c_{i,j} (0 ≤ c_{i,j} ≤ 9).",
        [line(number("n", 1, 8)), rows("c", "n", numbers("c", "n", 0, 9))],
    ),
    (
        "The first line contains an integer n (1 ≤ n ≤ 50). Each of the next n lines contains a string s_i and an"
        " integer "
        "c_i (1 ≤ |s_i| ≤ 10, 1 ≤ c_i ≤ 5). Every string consists of lowercase English letters.",
        [line(number("n", 1, 50)), rows("s_c", "n", word("s", 1, 10, AZ), number("c", 1, 5))],
    ),
    (
        "The first line contains an integer n (3 ≤ n ≤ 20). The second line contains n - 1 integers d_i (1 ≤ d_i ≤ 5).",
        [line(number("n", 3, 20)), line(numbers("d", "n - 1", 1, 5))],
    ),
]


@pytest.mark.parametrize(("text", "blocks"), UNDERSTOOD)
def test_an_input_section_becomes_a_format(text: str, blocks: list[dict[str, Any]]) -> None:
    found = read(Sections("", text, "Print it."))
    expected = InputFormat.model_validate({"blocks": [_kinds(block) for block in blocks]})
    assert found == expected


def _kinds(block: dict[str, Any]) -> dict[str, Any]:
    def kind(item: dict[str, Any]) -> str:
        return "word" if "alphabet" in item else "numbers" if "count" in item else "number"

    items = [{"kind": kind(item), **item} for item in block["items"]]
    return {**block, "kind": "rows" if "count" in block else "line", "items": items}


TESTS = [
    "The first line contains a single integer $t$ ($1 \\le t \\le 1000$) — the number of test cases. The description"
    " of "
    "the test cases follows.\n\nThe first line of each test case contains an integer n (1 ≤ n ≤ 100).\n\nThe second"
    " line "
    "of each test case contains n integers a_i (1 ≤ a_i ≤ 1000).\n\nIt is guaranteed that the sum of n over all test "
    "cases does not exceed 200.",
    "The first line contains the number of test cases t (1 ≤ t ≤ 9). Each test case consists of two lines. The first"
    " line "
    "contains an integer n (1 ≤ n ≤ 100). The second line contains n integers a_i (1 ≤ a_i ≤ 1000).",
]


@pytest.mark.parametrize("text", TESTS)
def test_several_test_cases_become_a_format_of_one(text: str) -> None:
    found = read(Sections("", text, "Print it."))
    assert found.tests == "t"
    assert found.blocks == InputFormat.model_validate({"blocks": [_kinds(block) for block in A_LIST]}).blocks


def test_each_of_t_lines_is_a_test_case() -> None:
    text = "The first line contains the number of test cases t. Each of the next t lines contains x (1 ≤ x ≤ 7)."
    found = read(Sections("", text, "Print it."))
    assert found.tests == "t"
    assert found.blocks == InputFormat.model_validate({"blocks": [_kinds(line(number("x", 1, 7)))]}).blocks


def test_a_sum_over_all_test_cases_bounds_each_of_them() -> None:
    text = TESTS[0].replace("exceed 200", "exceed 60")
    assert read(Sections("", text, "Print it.")).blocks[0].items[0].high == "60"  # type: ignore[union-attr]


def test_bounds_may_stand_in_a_constraints_section() -> None:
    sections = Sections("", "The first line contains n. The second line contains n integers a_i.", "Print it.")
    found = read(Sections("", sections.input, "", "- 1 ≤ n ≤ 100\n- 1 ≤ a_i ≤ 1000"))
    assert found.blocks == InputFormat.model_validate({"blocks": [_kinds(block) for block in A_LIST]}).blocks


def test_tie_breaks_and_letter_case_are_no_second_answers() -> None:
    for output in (
        "Print one integer. If there are several answers, print the smallest one.",
        "Print YES or NO. You can print each letter in any case (upper or lower).",
    ):
        assert understand(contest(output=output)).format.tests is None


PLAIN = [
    ("$1 \\le a_{i} \\leq 10^{5}$", "1 ≤ a_i ≤ 100000"),
    ("1&le;a<sub>i</sub>&lt;10<sup>9</sup>", "1≤a_i<1000000000"),
    ("1 ≤ aᵢ ≤ 10⁵", "1 ≤ a_i ≤ 100000"),
    ("2*10**5 and 2·10^5, 2\\cdot 10^5, 2e5", "200000 and 200000, 200000, 200000"),
    ("1,000,000 or 1, 2, 3", "1000000 or 1, 2, 3"),
    ("$a_1, a_2, \\ldots, a_n$ and a[i]", "a_1, a_2, …, a_n and a_i"),
    ("a_1, ..., a_n", "a_1, …, a_n"),
    ("a **bold** and *n* and `m` and '.' or `#` or 'a'", "a bold and n and m and «.» or «#» or «a»"),
    ("n -- the size, n — the size", "n — the size, n — the size"),
    ("n - 1 and n - the number of lamps", "n - 1 and n — the number of lamps"),
    ("c_{i,j} and c_{ij}", "c_ij and c_ij"),
]


@pytest.mark.parametrize(("text", "expected"), PLAIN)
def test_every_notation_becomes_one(text: str, expected: str) -> None:
    assert plain(text) == expected


def test_sentences_end_at_full_stops_and_items_but_not_in_symbols_or_brackets() -> None:
    text = "Each cell is '.' or '#'. The next line (e.g. the last. one) is long; so be it.\n\n- 1 ≤ n ≤ 5\n- b\n"
    assert sentences(text) == [
        "Each cell is «.» or «#»",
        "The next line (e.g. the last. one) is long",
        "so be it",
        "1 ≤ n ≤ 5",
        "b",
    ]


def test_sections_are_found_under_headings_of_any_kind() -> None:
    for text in (
        "Story.\n\n## Input\n\nI.\n\n## Output\n\nO.\n\n## Note\n\nN.",
        "# Title\n\nStory.\n\n### Input Format\n\nI.\n\n### Output Format\n\nO.\n\n### Explanation\n\nN.",
        "Story.\n\n-----Input-----\nI.\n\n-----Output-----\nO.\n\n-----Note-----\nN.",
        "Story.\n\n**Input**\n\nI.\n\n**Output**\n\nO.\n\nNotes:\n\nN.",
    ):
        found = cut(text)
        assert (found.story, found.input, found.output, found.notes) == ("Story.", "I.", "O.", "N."), text


def test_the_format_is_plain_data_that_round_trips() -> None:
    found = read(Sections("", INPUT, "Print it."))
    assert InputFormat.model_validate(found.model_dump()) == found
    assert InputFormat.model_validate_json(found.model_dump_json()) == found


def test_a_refusal_quotes_the_sentence() -> None:
    with pytest.raises(Refused) as refused:
        read(Sections("", "The first line contains three blue whales.", "Print it."))
    assert refused.value.refusal.stage is Stage.GRAMMAR
    assert "three blue whales" in refused.value.refusal.reason


PROMISES = (
    "a_i is even", "all a_i are odd", "the first element is 0", "n is a power of two", "no two neighbours are equal",
    "a_1 < a_2 < … < a_n", "a_i ≠ a_j for i ≠ j", "n mod 2 = 0", "n even", "a_i divides a_{i+1}",
    "a contains every value", "consecutive values differ by one", "the array is a zigzag", "a is bitonic", "unimodal",
    "a majority element exists", "the answer fits in 32 bits", "a_i = a_{n+1-i}", "with a_1 = 1", "values are rounded",
    "where a_1 is the root", "a_1 is maximal", "given in order of time", "a rotation of a sorted list", "a heap",
    "the i-th is larger than the one before", "the degrees of a tree", "the moves of a winning game", "primes only",
    "values can not be equal", "values may be equal only at the ends", "values may repeat at most twice",
    "no value can repeat",
    "equal values are not allowed", "values can be zero or one", "values can be equal to 1", "they may be even",
    "there can be three",
    "if a value is 5, the next is 6", "you must choose a rising list", "for example, the list is sorted",
    "it is possible to sort it",
    "if it is 0, all are 0", "otherwise it is the number of the one before", "the digit 3 means that no other follows",
)  # fmt: skip
KEPT = {"n mod 2 = 0": ("n % 2 == 0", "any"), "a_1 < a_2 < … < a_n": (None, "increasing")}
"""What is kept by now where it stands among bounds: by a condition, or by the order of the list."""
PLACES = (
    "The first line contains an integer n ({}) (1 ≤ n ≤ 50). The second line contains n integers a_i (1 ≤ a_i ≤ 9).",
    "The first line contains an integer n (1 ≤ n ≤ 50, {}). The second line contains n integers a_i (1 ≤ a_i ≤ 9).",
    "The first line contains an integer n (1 ≤ n ≤ 50) — {}. The second line contains n integers a_i (1 ≤ a_i ≤ 9).",
    "The first line contains an integer n (1 ≤ n ≤ 50). The second line contains n integers a_i (1 ≤ a_i ≤ 9; {}).",
    "The first line contains an integer n (1 ≤ n ≤ 50). The second line contains n integers a_i ({}) (1 ≤ a_i ≤ 9).",
    "The first line contains an integer n (1 ≤ n ≤ 50). The second line contains n integers a_i (1 ≤ a_i ≤ 9), {}.",
    "The first line contains an integer n (1 ≤ n ≤ 50). The second line contains n integers a_i, where {} (0 ≤ a_i).",
    "The first line contains an integer n (1 ≤ n ≤ 50). The second line contains n integers a_i (1 ≤ a_i ≤ 9): {}.",
    "The first line contains an integer n (1 ≤ n ≤ 50). The second line contains n integers a_i (1 ≤ a_i ≤ 9). Now {}.",
)


@pytest.mark.parametrize("promise", PROMISES)
def test_a_promise_hidden_anywhere_in_the_input_section_is_refused(promise: str) -> None:
    for place in PLACES:
        try:
            found = read(Sections("", place.format(promise), "Print it."))
        except Refused:
            continue
        condition, order = KEPT.get(promise, ("", ""))
        assert (condition in (*found.conditions, None)) and (found.blocks[1].items[0].order == order), (  # type: ignore[union-attr]
            f"{place.format(promise)!r} was read as {found}"
        )


DESCRIPTIONS = (
    "the number of rooms", "the size of the grid", "the heights of the towers from left to right", "in minutes",
    "the number of rows and columns", "the cost of moving to room i", "their weights",
)  # fmt: skip


@pytest.mark.parametrize("description", DESCRIPTIONS)
def test_a_plain_description_is_passed_over(description: str) -> None:
    for place in (PLACES[0], PLACES[2], PLACES[4]):
        assert len(read(Sections("", place.format(description), "Print it.")).blocks) == 2


STORIES = (
    "The number n is odd.",
    "No two towers have the same height.",
    "All heights are distinct.",
    "The heights are given in increasing order.",
    "There is exactly one 'S' on the map.",
    "There is at least one wall.",
    "You may assume that the map is closed.",
    "The words are always in order.",
    "The list is a permutation.",
    "The roads form what is a tree.",
)


@pytest.mark.parametrize("story", STORIES)
def test_a_promise_in_the_story_is_refused(story: str) -> None:
    with pytest.raises(Refused) as refused:
        understand(contest(story=f"Towers stand in a row. {story} How many do you see?"))
    assert refused.value.refusal.stage is Stage.GRAMMAR


def test_a_format_written_by_hand_takes_the_place_of_the_grammar() -> None:
    """What ``--explain`` prints can be put into the statement; the block itself is no part of it."""
    odd = "It starts with n, which is at most fifty; what comes then is said elsewhere."
    with pytest.raises(Refused):
        understand(contest(input_=odd))
    block = f"```input-format\n{understand(contest()).format.model_dump_json(indent=1)}\n```"
    understood = understand(contest(input_=f"{odd}\n\n{block}"))
    assert understood.format == understand(contest()).format
    assert "input-format" not in understood.brief.text


@pytest.mark.parametrize(
    ("block", "reason"),
    [
        ('{"blocks": []}', "blocks"),
        ('{"blocks": [{"kind": "line", "items": [{"kind": "number", "name": "n", "low": "1"}]}]}', "high"),
        ("not JSON", "its top"),
    ],
)
def test_a_faulty_format_written_by_hand_is_refused(block: str, reason: str) -> None:
    with pytest.raises(Refused, match=reason):
        understand(contest(input_=f"Read it.\n\n```input-format\n{block}\n```"))


def test_a_format_written_by_hand_still_has_to_fit_the_samples() -> None:
    format_ = understand(contest()).format.model_dump_json().replace('"1000"', '"4"')
    with pytest.raises(Refused, match="outside"):
        understand(contest(input_=f"Read it.\n\n```input-format\n{format_}\n```"))
