"""Conditions on a whole input: their small language, how sentences set them, and that samples have to keep them."""

from __future__ import annotations

import random
import time
from typing import Any

import pytest

from authoring.compiler import condition_functions, conditions
from authoring.compiler.compile import understand
from authoring.compiler.emit_instances import Emitter
from authoring.compiler.grammar import read
from authoring.compiler.input_format import Rows
from authoring.compiler.levels import ladders
from authoring.compiler.outcome import Refused
from authoring.compiler.promises import check as check_promises
from authoring.compiler.sections import Sections
from authoring.compiler.stdio_text import Misread, parse, render
from authoring.compiler.wording import check as check_wording
from authoring.compiler.wording import check_defined
from bootcamp_kit.python_source import parse_python
from tests.authoring.compiler.contest import INPUT, STORY, contest

SPELLED = [
    ("n*m<=40", "n * m <= 40"),
    ("(r - l + 1) % k == 0", "(r - l + 1) % k == 0"),
    ("1<=x<=sum(a)", "1 <= x <= sum(a)"),
    ("is_prime( p )", "is_prime(p)"),
    ('s[0]!="0"', 's[0] != "0"'),
    ("a-(b-c) >= 0", "a - (b - c) >= 0"),
    ("0 not in a", "0 not in a"),
]


@pytest.mark.parametrize(("text", "expected"), SPELLED)
def test_a_condition_has_one_spelling(text: str, expected: str) -> None:
    assert conditions.normal(text) == expected
    assert conditions.normal(expected) == expected


HOSTILE = (
    "__import__('os').system('id') == 0", "open('x') == 0", "a.b == 0", "(lambda: 0)() == 0", "[x for x in a] == 0",
    "n if m else k", "n ** 10 ** 10 == 0", "f'{n}' == 0", "a[n] == 0", "a[7] == 0", "'ab' in s", "(n == 0) == 1", "n",
    "n == True", "n == 1.5", "sum(*a) == 0", "max(a, key=n) == 0", "sum == 0", "n == 0 or m == 0", "(" * 90 + "n == 0",
    "n == " + "9" * 50, "x" * 300 + " == 0", "", "\x00", "n == 0\nimport os",
)  # fmt: skip


@pytest.mark.parametrize("text", HOSTILE)
def test_anything_else_is_no_condition(text: str) -> None:
    with pytest.raises(conditions.NotACondition):
        conditions.normal(text)


VALUES = {"n": 7, "m": 2, "a": [3, 1, 2], "b": [4, 4], "s": "abca", "w": ["x", "yz"]}
HOLDING = [
    ("is_prime(n)", True), ("is_prime(m)", True), ("is_prime(n + m)", False), ("is_prime(0)", False),
    ("is_power_of_two(m)", True), ("is_power_of_two(n)", False), ("is_palindrome(s)", False), ("all_distinct(a)", True),
    ("all_distinct(a, b)", False), ("one_each(3, a)", True), ("holds_all(a, 3)", True), ("holds_all(a, 4)", False),
    ("rises(a)", False), ("never_falls(b)", True), ("total_length(w) <= 3", True), ("len(s) == 4", True),
    ('"c" in s', True), ('s[-1] != "a"', False), ("sum(a) == n - 1", True), ("5 not in a", True), ("min(a) >= 1", True),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), HOLDING)
def test_a_condition_is_evaluated(text: str, expected: bool) -> None:
    assert conditions.holds(text, VALUES) is expected


@pytest.mark.parametrize("text", ["z == 0", "n + s == 0", "sum(n) == 0", "n % (m - 2) == 0", "a < 3", "is_prime(s)"])
def test_a_condition_without_a_value_is_an_error(text: str) -> None:
    with pytest.raises(conditions.NotACondition):
        conditions.holds(text, VALUES)


def test_primes_are_told_from_what_looks_like_one() -> None:
    primes = {value for value in range(2, 2_000) if all(value % at for at in range(2, value))}
    assert {value for value in range(2_000) if condition_functions.is_prime(value)} == primes
    assert not condition_functions.is_prime(3_215_031_751)  # passes for the bases 2, 3, 5 and 7
    assert condition_functions.is_prime(10**18 + 9)


TOLD = [
    ("two integers n and m (1 ≤ n, m ≤ 9, n·m ≤ 40)", "", ("n*m <= 40",)),
    ("two integers p and k (2 ≤ p ≤ 99, p is prime, 1 ≤ k ≤ 9)", "", ("is_prime(p)",)),
    ("two integers n and k (2 ≤ n ≤ 99, 1 ≤ k ≤ 9)", "n is guaranteed to be prime.", ("is_prime(n)",)),
    ("two integers n and k (1 ≤ n, k ≤ 99; n + k ≠ 9)", "", ("n + k != 9",)),
    ("two integers n and k (1 ≤ n ≤ 99, 1 ≤ k ≤ 9, n mod k = 0)", "", ("n % k == 0",)),
    ("a string s of digits (1 ≤ |s| ≤ 9)", "It is guaranteed that s has no leading zeros.", ('s[0] != "0"',)),
    ("a binary string s (1 ≤ |s| ≤ 9)", "It is guaranteed that s is a palindrome.", ("is_palindrome(s)",)),
    ("a binary string s (1 ≤ |s| ≤ 9)", "It is guaranteed that the string s contains at least one '1'.", ('"1" in s',)),
]


@pytest.mark.parametrize(("line", "more", "expected"), TOLD)
def test_a_sentence_sets_a_condition(line: str, more: str, expected: tuple[str, ...]) -> None:
    found = read(Sections("", f"The only line contains {line}. {more}", "Print it."))
    assert found.conditions == tuple(map(conditions.normal, expected))
    assert "draw" in Emitter(found, ()).text(title="T", mix="mixed")


LISTED = "The first line contains n and k (1 ≤ n, k ≤ 50). The second line contains n integers a_i (0 ≤ a_i ≤ 9). {}"
PAIRS = (
    "The first line contains n and k (1 ≤ n, k ≤ 50). Each of the next n lines contains two integers l_i and"
    " r_i (1 ≤ l_i ≤ r_i ≤ 9). {}"
)
MORE = [
    (LISTED, "It is guaranteed that the sum of all a_i is at least k.", ("sum(a) >= k",), ()),
    (LISTED, "The sum of a_i does not exceed 100.", ("sum(a) <= 100",), ()),
    (LISTED, "Each number from 1 to k occurs at least once in the sequence.", ("holds_all(a, k)",), ()),
    (LISTED, "At least one of the values is non-zero.", ("min(a) >= 0", "sum(a) >= 1"), ()),
    (PAIRS, "The segments are given in strictly increasing order of l_i.", ("rises(l)",), ()),
    (PAIRS, "All l_i are distinct.", ("all_distinct(l)",), ()),
    (PAIRS, "It is guaranteed that r_i - l_i + 1 is divisible by k.", (), ("(r - l + 1) % k == 0",)),
    (PAIRS, "It is guaranteed that r_i - l_i + 1 is a power of two.", (), ("is_power_of_two(r - l + 1)",)),
]


@pytest.mark.parametrize(("text", "more", "whole", "rows"), MORE)
def test_a_sentence_speaks_of_lists_and_rows(
    text: str, more: str, whole: tuple[str, ...], rows: tuple[str, ...]
) -> None:
    found = read(Sections("", text.format(more), "Print it."))
    assert found.conditions == whole
    assert tuple(condition for block in found.rows() for condition in block.conditions) == rows


def test_order_and_equality_among_bounds() -> None:
    text = (
        "The first line contains n and q (1 ≤ n ≤ 9, q = 1). The second line contains n integers (1 ≤ a_1 < a_2"
        " < … < a_n ≤ 99)."
    )
    with pytest.raises(Refused):
        read(Sections("", text, "Print it."))
    named = text.replace("n integers (", "n integers a_1, a_2, …, a_n (")
    first, second = read(Sections("", named, "Print it.")).blocks
    assert (first.items[1].low, first.items[1].high) == ("1", "1")
    assert (second.items[0].order, second.items[0].high) == ("increasing", "99")  # type: ignore[union-attr]


def test_a_sample_has_to_keep_the_conditions() -> None:
    found = read(Sections("", PAIRS.format("It is guaranteed that r_i - l_i + 1 is divisible by k."), "Print it."))
    assert parse(found, "2 3\n1 3\n4 9\n")
    with pytest.raises(Misread, match="not kept"):
        parse(found, "2 3\n1 3\n4 8\n")
    whole = read(Sections("", LISTED.format("The sum of a_i does not exceed 10."), "Print it."))
    with pytest.raises(Misread, match="not kept"):
        parse(whole, "2 3\n9 9\n")


def test_a_condition_on_what_is_not_read_is_refused() -> None:
    for more in ("The sum of all b_i is at least k.", "n is divisible by z.", "The sum of all k is at most 9."):
        with pytest.raises(Refused):
            read(Sections("", LISTED.format(more), "Print it."))


def test_the_generator_of_a_condition_is_python_that_names_nothing_foreign() -> None:
    found = read(Sections("", PAIRS.format("All l_i are distinct. r_i - l_i + 1 is divisible by k."), "Print it."))
    text = Emitter(found, ("n",)).text(title="T", mix="mixed")
    parse_python(text)
    assert "def allowed(" in text
    assert "def all_distinct(" in text


RARE = [
    (LISTED, "The sum of all a_i is equal to k.", "sum(a) == k"),
    (LISTED, "Each number from 1 to k occurs at least once in the sequence.", "holds_all(a, k)"),
    (
        "The first line contains n (2 ≤ n ≤ 50). Each of the next n lines contains two integers a_i and b_i "
        "(1 ≤ a_i, b_i ≤ 2n). {}",
        "Each number from 1 to 2n occurs exactly once among all a_i and b_i.",
        "one_each(2 * n, a, b)",
    ),
]


@pytest.mark.parametrize(("text", "more", "condition"), RARE)
def test_what_chance_hardly_meets_is_made_to_hold(text: str, more: str, condition: str) -> None:
    """Of inputs drawn at random hardly one adds up to a number; a few tries have to be enough."""
    plain = read(Sections("", text.format(""), "Print it."))
    found = plain.model_copy(update={"conditions": (conditions.normal(condition),)})
    names: dict[str, Any] = {"__name__": "instances"}
    code = Emitter(found, ("n",)).text(title="T", mix="mixed").replace("TRIES = 3_000", "TRIES = 60")
    exec(compile(code, "instances.py", "exec", dont_inherit=True), names)  # noqa: S102 - our own generator
    for seed in range(30):
        payload = names["draw"](random.Random(seed), {"n": 12})
        assert parse(found, names["render"](payload)) == [payload]


def test_long_hostile_sentences_are_read_in_no_time() -> None:
    parts = (
        "a_1 + a_2 + … + ",
        "n is divisible by ",
        "x = 1 or x = 1 ",
        "n mod 2 = 0, ",
        "all p_i are ",
        "≠ n + m ",
        "may ",
    )
    for part in parts:
        text = f"The first line contains an integer n (1 ≤ n ≤ 9, {part * (9_000 // len(part))}). {part * 900}."
        started = time.process_time()
        with pytest.raises(Refused):
            read(Sections("", text, "Print it."))
        assert time.process_time() - started < 60


HARMLESS_STORIES = (
    "It can be shown that an answer always exists.",
    "We assume that nobody sleeps on the way.",
    "It is known that ferries leave only at night.",
    "For example, [2, 3, 1] is a permutation, but [1, 2, 2] is not a permutation.",
)


@pytest.mark.parametrize("story", HARMLESS_STORIES)
def test_theorems_and_what_a_story_assumes_of_its_world_are_no_promises(story: str) -> None:
    assert understand(contest(story=f"{STORY} {story}")).format


@pytest.mark.parametrize(
    ("story", "solution"),
    [("It is guaranteed that n is prime.", "is_prime(n)"), ("It is guaranteed that the sum of a_i is at least n.", "")],
)
def test_a_promise_of_the_story_is_kept_where_it_can_be(story: str, solution: str) -> None:
    found = understand(contest(story=f"{STORY} {story}", samples=(("2\n3 5\n", "36\n"),))).format
    assert found.conditions == ((solution,) if solution else ("sum(a) >= n",))


@pytest.mark.parametrize(
    "story",
    ["We assume that the values are sorted.", "It is guaranteed that the answer exists.", "We know that a_1 = 3."],
)
def test_a_promise_of_the_story_that_cannot_be_kept_is_refused(story: str) -> None:
    with pytest.raises(Refused):
        understand(contest(story=f"{STORY} {story}"))


DEFINED = (
    "Output n lines. In the i-th of them print the number of towers seen from the i-th one.",
    'For each query print "Yes" if the road is open, otherwise print "No".',
    "Print n integers: answers to the queries in the order of the input.",
    "Print q lines, in the i-th one a single integer: f(l_i, r_i), the answer to the i-th query.",
    "For each test case, output n space separated integers. The i-th of them equals the length of the longest path.",
    "Print three lines. In each of them print how many trees there are.",
    "Print a string where the i-th character represents the outcome of the game that begins at i.",
)
LEFT_OPEN = (
    "Output n - 1 integers. The i-th of them is written on the i-th edge.",
    "In the first line print the smallest number of moves. Then print n lines, each with the indices of a swap.",
    "Output n lines.",
    "Print the required sequence of lamps without blanks.",
    "On the second line print n integers: the coins which one should hand out in order to reach the largest value.",
)


@pytest.mark.parametrize("output", DEFINED)
def test_a_list_may_be_announced_before_it_is_defined(output: str) -> None:
    check_defined(Sections("Choose and paint edges.", INPUT, output), is_list=True)


@pytest.mark.parametrize("output", LEFT_OPEN)
def test_a_list_that_is_only_announced_is_left_open(output: str) -> None:
    with pytest.raises(Refused):
        check_defined(Sections("Choose and paint edges.", INPUT, output), is_list=True)


def test_a_list_with_bounds_by_index_and_rows_with_lists_are_read_and_checked() -> None:
    parents = (
        "The first line contains n (2 ≤ n ≤ 9). The second line contains n - 1 integers p_2, …, p_n (1 ≤ p_i < i)."
    )
    found = read(Sections("", parents, "Print it."))
    assert parse(found, "4\n1 2 2\n")
    with pytest.raises(Misread, match="outside"):
        parse(found, "4\n1 3 2\n")
    ragged = (
        "The first line contains n (1 ≤ n ≤ 9). Each of the next n lines contains an integer k_i (0 ≤ k_i ≤ 5), "
        "followed by k_i integers a_1, …, a_k (1 ≤ a_j ≤ 9)."
    )
    rows = read(Sections("", ragged, "Print it."))
    payloads = parse(rows, "2\n2 3 4\n0\n")
    assert payloads == [{"n": 2, "k_a": [[2, [3, 4]], [0, []]]}]
    assert render(rows, payloads) == "2\n2 3 4\n0\n"
    pieces = (
        "The first line contains a binary string s (1 ≤ |s| ≤ 9). The second line contains q (1 ≤ q ≤ 9). Each of the "
        "next q lines contains two integers l and r (1 ≤ l ≤ r ≤ |s|)."
    )
    words = read(Sections("", pieces, "Print it."))
    assert parse(words, "010\n1\n1 3\n")
    with pytest.raises(Misread, match="outside"):
        parse(words, "010\n1\n1 4\n")


ALSO_READ = (
    "The first line contains two integers n — the number of stones, m — the time of moving between adjacent stones"
    " (1 ≤ n, "
    "m ≤ 9).",
    "The first line contains two integers: n (1 ≤ n ≤ 9) — the number of stones; m (1 ≤ m ≤ 9) — the number of heaps.",
    "The first line contains two integers n and cost (1 ≤ n, cost ≤ 9).",
    "The first line contains an even integer n (2 ≤ n ≤ 8).",
    "The first line contains n (1 ≤ n ≤ 9). Loops are allowed. The stones may coincide. You have to find the best one.",
    "The first line contains n (1 ≤ n ≤ 9). The second line contains n integers a_i. These numbers are integers and"
    " do not "
    "exceed 90 in absolute value.",
    "The first line contains n (1 ≤ n ≤ 9). The second line contains n "
    "distinct integers in increasing order a_1, a_2, …, a_n (1 ≤ a_i ≤ 99).",
    "The first line contains n (1 ≤ n ≤ 9). Each of the next n lines contains a string s of lowercase English"
    " letters. The "
    "length of each string does not exceed six characters.",
    "The first line contains n (2 ≤ n ≤ 9). Each of the next n - 1 lines contains two integers a and b (1 ≤ a, b ≤"
    " n) — they "
    "mean that there is a road between a and b. It is guaranteed that roads are placed in such a way that every"
    " pair of "
    "towns is connected by exactly one path.",
    "The first line contains n (1 ≤ n ≤ 9), the number of boxes of Mr. Green. The second line contains n integers"
    " a_i (1 ≤ a_i "
    "≤ 9). Specifically, the i-th among these is a_i, the weight of the i-th box.",
)  # fmt: skip


@pytest.mark.parametrize("text", ALSO_READ)
def test_more_ways_to_say_it(text: str) -> None:
    assert read(Sections("", text, "Print it.")).blocks


def test_what_a_road_is_between_is_no_range() -> None:
    found = read(Sections("", ALSO_READ[8], "Print it.")).blocks[1]
    assert isinstance(found, Rows)
    assert [(item.low, item.high) for item in found.items] == [("1", "n"), ("1", "n")]  # type: ignore[union-attr]
    assert found.graph
    assert found.graph.kind == "tree"


EDGES = (
    "The first line contains n and m (2 ≤ n ≤ 9, 0 ≤ m ≤ 9). Each of the next m lines has two integers u and v "
    "(1 ≤ u, v ≤ n; u ≠ v)."
)
AT_MOST_ONE = (
    "Each cable links two lamps, but every pair of lamps is linked by at most one cable.",
    "There is at most one cable between any two lamps.",
    "No two lamps are linked by more than one cable.",
    "For each pair of lamps there are no more than one cable connecting each of the pair.",
)


@pytest.mark.parametrize("story", AT_MOST_ONE)
def test_edges_that_the_story_says_never_come_twice_are_drawn_so_or_refused(story: str) -> None:
    loose = Sections(story, EDGES, "Print the sum.")
    with pytest.raises(Refused, match="promise"):
        check_promises(loose, read(loose))
    simple = Sections(story, f"{EDGES} The graph contains no self-loops and multiple edges.", "Print the sum.")
    check_promises(simple, read(simple))


def test_refusals_that_a_reader_would_call_wrong_are_none() -> None:
    """Found by reading refusals of real statements: each has what was refused, and means something else by it."""
    path = (
        "The first line contains n (2 ≤ n ≤ 9). Each of the next n - 1 lines has two integers u and v (1 ≤ u, v ≤ n)."
    )
    tree = Sections("For any two towns there always exists a path.", f"{path} The edges form a tree.", "Print the sum.")
    check_promises(tree, read(tree))
    maze = Sections("The maze is a perfect binary tree of height h.", "The only line has h (1 ≤ h ≤ 9).", "Print it.")
    check_promises(maze, read(maze))
    for story in (
        "A process that judges any solution takes the first of the queue.",
        "The set of real numbers has no gaps.",
        "The towns lie above the sea. They have gates.\n\n<image>\n\nCount them.",
    ):
        check_wording(Sections(story, INPUT, "Print one integer: the sum."))
    circles = "The first line contains n (1 ≤ n ≤ 3). Each of the next n lines contains x and r (1 ≤ x, r ≤ 9)."
    rows = read(Sections("", f"{circles} No two circles have the same x and r.", "Print it.")).blocks[1]
    assert isinstance(rows, Rows)
    assert rows.distinct
    with pytest.raises(Refused):
        read(Sections("", f"{circles} No two circles have the same x and y.", "Print it."))


@pytest.mark.parametrize(
    ("story", "output"),
    [
        ("Find any solution.", "Print it."),
        ("", "Print a real number."),
        ("It is computed in this way.\n\n<image>\n\nCount them.", "Print the sum."),
        ("The digits look odd.\n\n<image>\n\nThat's how they are displayed.", "Print the sum."),
    ],
)
def test_what_only_looks_alike_is_still_refused(story: str, output: str) -> None:
    with pytest.raises(Refused):
        check_wording(Sections(story, INPUT, output))


STATIONS = "The first line contains n (1 ≤ n ≤ 9). Each of the next n lines contains two integers {} (1 ≤ {} ≤ 99). {}"


def test_distinct_positions_are_distinct_rows_only_where_rows_hold_nothing_else() -> None:
    for more in ("All positions of the stations are distinct.", "No two stones have the same position."):
        rows = read(Sections("", STATIONS.format("x and y", "x, y", more), "Print it.")).blocks[1]
        assert isinstance(rows, Rows)
        assert rows.distinct
        prices = read(Sections("", STATIONS.format("x and p", "x, p", more), "Print it."))
        assert prices.conditions == ("all_distinct(x)",)
        with pytest.raises(Refused):
            read(Sections("", STATIONS.format("d and p", "d, p", more), "Print it."))
    with pytest.raises(Refused):
        more = "The rectangles of the different types are different."
        read(Sections("", STATIONS.format("x and y", "x, y", more), "Print it."))


def test_the_ends_of_a_range_stand_in_order() -> None:
    text = "The only line contains integers l and r (1 ≤ l, r ≤ 99)."
    for output, condition in (("Print the number of days on the segment [l, r].", "l"), ("Print l plus r.", "1")):
        found = read(Sections("", text, output)).blocks[0]
        assert found.items[1].low == condition  # type: ignore[union-attr]
    town = "The only line contains integers a and b (1 ≤ a, b ≤ 99)."
    assert read(Sections("A town stands at (a, b).", town, "Print it.")).blocks[0].items[1].low == "1"  # type: ignore[union-attr]


def test_a_size_that_another_number_bounds_still_has_levels() -> None:
    text = (
        "The first line contains n and m (1 ≤ m ≤ n ≤ 999). The second line has m distinct integers a_i (1 ≤ a_i ≤ n)."
    )
    found = read(Sections("", text, "Print it."))
    axes = {axis.name: axis.values for axis in ladders(found)}
    assert axes["m"] == (5, 8, 12, 18, 26)
    assert 'm = size(rng, 1, n, params["m"])' in Emitter(found, axes).text(title="T", mix="mixed")


def test_a_size_that_lies_between_others_needs_no_axis_of_its_own() -> None:
    text = "The first line contains n and m (1 ≤ n ≤ 50, n ≤ m ≤ 2n). "
    text += "The second line contains m integers a_i (0 ≤ a_i ≤ n)."
    found = read(Sections("", text, "Print it."))
    axes = [axis.name for axis in ladders(found)]
    assert axes == ["n"]
    assert "m = between(rng, n, 2*n)" in Emitter(found, axes).text(title="T", mix="mixed")


def test_values_of_a_narrow_range_differ_at_the_first_level_too() -> None:
    text = "The first line contains n (1 ≤ n ≤ 50). The second line contains n integers a_i (0 ≤ a_i ≤ 4)."
    axes = {axis.name: axis.values for axis in ladders(read(Sections("", text, "Print it.")))}
    assert min(axes["a_max"]) >= 1
