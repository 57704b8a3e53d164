"""Lists, ends of roads and names that are told in still other words, and the same words with a condition in them."""

from __future__ import annotations

import pytest

from authoring.compiler import evidence, promises
from authoring.compiler.grammar import read
from authoring.compiler.in_words import in_words
from authoring.compiler.input_format import InputFormat
from authoring.compiler.outcome import Refused
from authoring.compiler.sections import Sections

N = "The first line contains an integer n (2 ≤ n ≤ 9)."
GRID = "The first line contains n and m (1 ≤ n, m ≤ 9)."


def format_of(input_: str, story: str = "") -> InputFormat:
    return read(Sections(story, input_, "Print it."))


def told(input_: str, story: str = "") -> str:
    return " / ".join(in_words(format_of(input_, story)))


def refused(input_: str, story: str = "") -> str:
    with pytest.raises(Refused) as caught:
        sections = Sections(story, input_, "Print it.")
        promises.check(sections, read(sections))
    return caught.value.refusal.reason


READ = [
    (
        f"{N} The next line contains n integers — the jars' heights h_1, h_2, ..., h_n (1 ≤ h_i ≤ 5).",
        "h, n integers 1 … 5",
    ),
    (f"{N} The second line contains n space-separated integers (1 ≤ w_i ≤ 7) — the weights.", "w, n integers 1 … 7"),
    (
        f"{N} The second line contains integers a_i (1 ≤ a_i ≤ 5) which are the heights of the jars.",
        "a, n integers 1 … 5",
    ),
    (
        f'{N} Next n lines contain descriptions of pairs of jars in the format "u v", where u and v (1 ≤ u, v'
        f" ≤ 5) are"
        " numbers of the jars.",
        "u = 1 … 5; v = 1 … 5",
    ),
    (
        f"{N} The second line contains n integers s_1, …, s_n (1 ≤ s_i ≤ 5) — the weights of the jars in the order they"
        " stand along the wall.",
        "s, n integers 1 … 5",
    ),
    (
        f"{N} It's guaranteed that given description forms a tree.".replace(
            "It's", "Each of the next n - 1 lines contains two integers u and v (1 ≤ u, v ≤ n). It's"
        ),
        "a tree",
    ),
    (
        f"{N} Each of the next n lines contains two integers. They are the numbers of cities connected by a"
        f" corresponding road.",
        "u = 1 … n; v = 1 … n",
    ),
    (
        f"{N} The second line contains a string s of length n. The j-th character of s is equal to L if the"
        f" j-th lamp is"
        " low, and R if the j-th lamp is red.",
        "s, a word of n from LR",
    ),
    (
        f"{N} The second line contains n integers c_1, …, c_n (0 ≤ c_i ≤ 5). c_i equals to 0 if the jar number i is"
        " uncoloured, otherwise the i-th jar has colour c_i.",
        "c, n integers 0 … 5",
    ),
    (
        f"{GRID} The second line contains m integers c_1, …, c_m (1 ≤ c_i ≤ n). It is guaranteed that for all j"
        f" between 1"
        " and n there is an index k such that c_k = j.",
        "holds_all(c, n)",
    ),
    (
        f"{N} The second line contains n-1 integers, p_1, …, p_{{n-1}}; p_i (p_i ≤ i) describes a road between"
        f" cities p_i and"
        " i+1.",
        "p, n - 1 integers 1 … i",
    ),
    (
        "The first line contains a string plan — the list of steps. The string plan contains between 1 and 9"
        " characters,"
        " inclusive, and contains only characters 'x' and 'y'.",
        "s, a word of 1 … 9 from xy",
    ),
    (
        f"{GRID} Next n lines contain m integers each, the i-th of them contains integers a_i1, a_i2, ..., a_im"
        " (0 ≤ a_ij ≤ 9).",
        "a, m integers 0 … 9",
    ),
    (
        f"{N} The next n lines describe one plan each: the i-th among them contains an integer m_i (1 ≤ m_i ≤ n) — the"
        " amount of jars, followed by a space, then by a lowercase English letter c_i — the colour.",
        "c, a word of 1 from a … z",
    ),
]
READ += [
    (
        "The first line contains the number of test cases t (1 ≤ t ≤ 5). The first line of each test case contains n"
        " (1 ≤ n ≤ 9)."
        " The second line contains s, the third line contains t. Both strings s and u have length n.".replace(
            ", the third line contains t", ". The third line contains u"
        )
        + " Both strings consist of digits.",
        "s, a word of n from digits",
    ),
    (
        "The input consists of a single line containing s. It contains only lowercase Latin letters, the length of"
        " s is from 1"
        " to 9.",
        "s, a word of 1 … 9 from a … z",
    ),
    (
        f"{N} Each of the next n lines contains two integers a_i and b_i (1 ≤ a_i < b_i ≤ 99). No two jars start"
        f" or end in the"
        " same hour, that is, a_i ≠ a_j, a_i ≠ b_j, b_i ≠ a_j, b_i ≠ b_j for all i, j (where i ≠ j).",
        "all_distinct(a, b)",
    ),
    (
        f"{N} Each of the next n lines contains two integers t, x (1 ≤ t ≤ 2; 1 ≤ x ≤ 5). It is guaranteed that"
        f" there exists at"
        " least one query of type 2.",
        "2 in t",
    ),
    (
        f"{N} The second line contains n integers. The i-th integer is the weight of the i-th jar (between 0 and 7).",
        "n integers 0 … 7",
    ),
    ("The first line contains n, m and k (1 ≤ n ≤ 9; 1 ≤ m; 2 ≤ k; m·k ≤ n).", "m · k ≤ n"),
    (
        f"{N} The second line contains n integers a_i (1 ≤ a_i ≤ 5). It is guaranteed that note that the order in"
        f" which jars"
        " appear in the input doesn't matter.".replace("It is guaranteed that note", "Note"),
        "a, n integers 1 … 5",
    ),
]


@pytest.mark.parametrize(("input_", "found"), READ)
def test_it_is_read(input_: str, found: str) -> None:
    assert found in told(input_)


TRAPS = [
    # The same words with a condition in them.
    f"{N} The second line contains n integers x_1, …, x_n (1 ≤ x_i ≤ 5) — the positions of the jars in the order they"
    " stand along the wall.",
    f"{N} The second line contains n integers a_i (1 ≤ a_i ≤ 5) which are sorted by height.",
    f"{N} The second line contains n integers a_1, …, a_n (1 ≤ a_i ≤ 5), they specify places, all of them distinct.",
    f"{N} Each of the next n lines contains two integers. They are the numbers of distinct cities connected by a road.",
    f"{N} The second line contains n integers c_1, …, c_n (0 ≤ c_i ≤ 5). c_i equals to 0 if the jar is odd,"
    f" otherwise it"
    " never is.",
    f"{N} The second line contains a string s of length n. The j-th character of s is equal to L if the j-th"
    f" lamp is low.",
    f"{N} We know that all numbers n, b, c are positive integers.".replace("n, b", "k, n"),
    f"{N} The plate n is formed by concatenating k copies of a together.",
    f"{N} The numbers a and b denote the only even values.",
    f"{N} The second line contains n integers. The i-th integer is the only prime of the i-th jar (between 0 and 7).",
    f"{N} Each of the next n lines contains two integers x, y (1 ≤ x, y ≤ 2). It is guaranteed that there"
    f" exists at least"
    " one query of type 2.",
    "The first line contains n (1 ≤ n ≤ 9). The fourth line contains n integers a_i (1 ≤ a_i ≤ 5).",
    "The first line contains an integer n and a number s (1 ≤ s ≤ 9). Both strings s and n have length k.",
    f"{N} The second line contains n integers a_1, …, a_n (1 ≤ a_i ≤ 5), each describing a prime number.",
]


@pytest.mark.parametrize("input_", TRAPS)
def test_the_same_words_with_a_condition_are_refused(input_: str) -> None:
    assert "cannot read" in refused(input_) or "bound" in refused(input_)


LINE = "The first line contains a string a (1 ≤ |a| ≤ 9) of digits. The second line contains an integer k (1 ≤ k ≤ 9)."


def test_what_is_said_of_names_that_are_not_read_is_passed_over() -> None:
    assert told(f"{N} We know that all numbers a, b, c are positive integers.") == told(N)
    assert told(f"{LINE} The plate s is formed by concatenating k copies of a together. That is n = |a|·k.") == told(
        LINE
    )


DIFFERENT = f"{N} The second line contains n integers a_1, …, a_n (1 ≤ a_i ≤ n, a_i are pairwise distinct)."


def test_n_different_numbers_up_to_n_are_the_permutation_of_the_story() -> None:
    story = "You are given a list that is a permutation of 1 … n. Count its turns."
    sections = Sections(story, DIFFERENT, "Print it.")
    promises.check(sections, read(sections))
    assert "permutation" in refused(DIFFERENT.replace(", a_i are pairwise distinct", ""), story)


def test_each_number_once_in_pairs_makes_all_of_them_differ() -> None:
    story = "All of the integers in the pairs are distinct. Count them."
    pairs = f"{N} Each of the next n lines contains two integers a_i and b_i (1 ≤ a_i, b_i ≤ 2*n)."
    once = "It is guaranteed that all integers in the pairs are distinct, that is, every integer from 1 to 2 · n is"
    sections = Sections(story, f"{pairs} {once} mentioned exactly once.", "Print it.")
    promises.check(sections, read(sections))
    assert "distinct" in refused(pairs, story)


@pytest.mark.parametrize(
    ("story", "kept"),
    [
        ("It is known that if he moves along a new lane, it takes 5 seconds.", True),
        ("It is known that if he moves, the list is sorted.", False),
        ("It is guaranteed that under these constraints there is a way.", True),
        ("It is guaranteed that there is a way.", False),
        ("One word will allow guaranteed to enter.", True),
    ],
)
def test_rules_and_theorems_of_the_story_are_no_promises(story: str, *, kept: bool) -> None:
    sections = Sections(story, f"{N} The second line contains n integers a_1, …, a_n (1 ≤ a_i ≤ 5).", "Print it.")
    if kept:
        promises.check(sections, read(sections))
    else:
        assert "promise" in refused(sections.input, story)


ONLY_NUMBERS = [
    ("You can assume that the outer pipes are ordinary pipes.", True),
    ("You can assume that n is even.", False),
    ("You can assume that the given numbers differ.", False),
    ("It is known that frogs in Lakeland can jump only upwards, and a jump is always equal to n inches.", True),
    ("It is known that frogs in Lakeland can jump only where n is odd.", False),
    ("Note that it is always possible to choose some way home.", True),
    ("It is guaranteed that it is always possible to choose some way home.", False),
    ("Can you build a rooted tree with n leaves?", True),
]


@pytest.mark.parametrize(("story", "kept"), ONLY_NUMBERS)
def test_where_single_numbers_are_read_the_story_is_of_its_own_things(story: str, *, kept: bool) -> None:
    if kept:
        sections = Sections(story, N, "Print it.")
        promises.check(sections, read(sections))
    else:
        assert "promise" in refused(N, story)


def test_a_list_keeps_what_the_story_assumes() -> None:
    lists = f"{N} The second line contains n integers a_1, …, a_n (1 ≤ a_i ≤ 5)."
    assert "promise" in refused(lists, "You can assume that the outer pipes are ordinary pipes.")


def test_a_second_number_is_named_and_not_told_of() -> None:
    rows = f"{N} Each of the next n lines contains two integers a_i, b_i (1 ≤ a_i ≤ 5; 1 ≤ b_i ≤ 9)"
    assert "a = 1 … 5; b = 1 … 9" in told(f"{rows} denoting that jars a_i and b_i touch each other.")
    assert "a = 1 … 5; b = 1 … 9" in told(
        f"{N} Each of the next n lines contains two integers a_i b_i — the jars (1 ≤ a_i ≤ 5; 1 ≤ b_i ≤ 9)."
    )


A_SUM = "The second line contains n integers d_1, …, d_n, d_i is the number of jars in the i-th crate (1 ≤ d_i ≤ 50)."


@pytest.mark.parametrize(
    "input_",
    [
        f"The first line contains two integers n and x (1 ≤ n ≤ 9). {A_SUM} It is guaranteed that 1 ≤ x ≤ d_1 +"
        f" d_2 + … + d_n.",
        "The first line contains two integers n, x (1 ≤ n ≤ 9, n ≤ x ≤ s) — the number of crates and the number"
        " of jars where"
        f" s = d_1 + d_2 + … + d_n. {A_SUM}",
    ],
)
def test_a_number_below_the_sum_of_a_list_is_kept_there(input_: str) -> None:
    format_ = format_of(input_)
    assert format_.conditions == ("x <= sum(d)",)
    assert next(item for item in format_.lines() if item.name == "x").high == "n*50"


def test_the_sum_of_all_lengths_bounds_each() -> None:
    rows = f"{N} The next n lines contain the number l_i (1 ≤ l_i) denoting the length of s_i, followed by l_i integers"
    lists = f"{rows} s_{{i, 1}}, s_{{i, 2}}, …, s_{{i, l_i}} (0 ≤ s_{{i, j}} ≤ 7) denoting the sequence s_i."
    assert "l = 1 … 40" in told(f"{lists} It is guaranteed that the sum of all l_i does not exceed 40.")
    assert "bound" in refused(lists)


def test_what_people_cannot_do_behind_a_question_is_no_promise() -> None:
    story = "How many of all numbers fit? You can assume that Pia cannot break a jar."
    sections = Sections(story, f"{N} The second line contains n integers a_i (1 ≤ a_i ≤ 5).", "Print it.")
    promises.check(sections, read(sections))
    assert "promise" in refused(sections.input, "You can assume that Pia cannot give equal numbers to two jars.")


def test_a_product_with_its_sign_is_no_flattened_power() -> None:
    format_ = format_of(f"{N} The second line contains 2·n space-separated integers a_i (1 ≤ a_i ≤ 5).")
    payloads = [{"n": 2, "a": [1, 2, 1, 2]}]
    evidence.check(format_, payloads, "The second line contains 2·n integers a_i.")
    with pytest.raises(Refused, match="may have been"):
        evidence.check(format_, payloads, "The second line contains 2n integers a_i.")
