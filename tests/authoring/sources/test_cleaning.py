"""Damage is repaired where something proves it, and left where nothing does; either way a note says so."""

from __future__ import annotations

import pytest

from authoring.sources.cleaning import clean
from bootcamp_kit.brief import Sample

PLAIN = "One line holds n (1 ≤ n ≤ 105)."


@pytest.mark.parametrize(
    ("text", "samples", "code", "expected", "proof"),
    [
        ("n holds 1 ≤ n ≤ 2·105", (), "", "n holds 1 ≤ n ≤ 2·10^5", "product 2·105"),
        ("-109 ≤ x ≤ 109, n ≤ 5·103", (), "", "-10^9 ≤ x ≤ 10^9, n ≤ 5·10^3", "product"),
        ("Print it modulo 109 + 7. n ≤ 105", (), "", "Print it modulo 10^9 + 7. n ≤ 10^5", "modulus"),
        (PLAIN, ("3000\n",), "", PLAIN.replace("105", "10^5"), "a sample holds 3000"),
        (PLAIN, (), "int a[100005];", PLAIN.replace("105", "10^5"), "holds 100005"),
        (PLAIN, (), "N = 10**5", PLAIN.replace("105", "10^5"), "names 10^5"),
        ("a1, a2, ..., an; n ≤ 105, ai ≤ 109", (), "", "a1, a2, ..., an; n ≤ 10^5, ai ≤ 10^9", "lost its indices"),
        ("n ≤ 1018. Use %lld.", (), "", "n ≤ 10^18. Use %lld.", "64-bit"),
        ("at most 105 words, k ≤ 3·104", (), "", "at most 10^5 words, k ≤ 3·10^4", "product"),
    ],
)
def test_a_lost_exponent_is_raised_where_something_proves_it(
    text: str, samples: tuple[str, ...], code: str, expected: str, proof: str
) -> None:
    cleaned = clean(text, [Sample(item, "1\n") for item in samples], code)
    assert cleaned.text == expected
    assert len(cleaned.notes) == 1
    assert proof in cleaned.notes[0]


@pytest.mark.parametrize(
    ("text", "samples", "code"),
    [
        (PLAIN, (), ""),
        (PLAIN, ("104\n",), "print(n)"),
        ("0 ≤ x ≤ 109", (), "print(x % 1000000007)"),
        ("1 ≤ n ≤ 105, 1 ≤ m ≤ 10^5", ("3000\n",), ""),
        ("n ≤ 1018 coins", (), ""),
        ("n ≤ 105 and k ≤ 5000", ("3000\n",), ""),
    ],
)
def test_a_hundred_and_five_stays_one_where_nothing_proves_otherwise(
    text: str, samples: tuple[str, ...], code: str
) -> None:
    cleaned = clean(text, [Sample(item, "1\n") for item in samples], code)
    assert cleaned.text == text
    assert "left as it is" in cleaned.notes[0]


@pytest.mark.parametrize("text", ["n ≤ 100", "n ≤ 1000", "room 105 is free", "n ≤ 102, 1.105 ≤ x", "n ≤ 105,000"])
def test_what_does_not_look_like_a_lost_exponent_is_not_spoken_of(text: str) -> None:
    assert clean(text, [Sample("99999999\n", "1\n")]).notes == ()


def test_entities_become_characters_in_statement_and_samples() -> None:
    cleaned = clean("Signs < and > with 1 &lt;= n", [Sample("3 &lt;&gt;\n", "1\n")])
    assert cleaned.text == "Signs < and > with 1 <= n"
    assert cleaned.samples[0].input == "3 <>\n"
    assert len(cleaned.notes) == 2


@pytest.mark.parametrize(
    ("text", "sample", "code"),
    [
        ("Replace every &lt; of an HTML page.", "&lt;", ""),
        ("Print &lt;", "a", "print('&lt;')"),
        ("Reverse the line.", "&lt;b", ""),
    ],
)
def test_entities_that_may_be_meant_are_left(text: str, sample: str, code: str) -> None:
    cleaned = clean(text, [Sample(sample, "1\n")], code)
    assert (cleaned.text, cleaned.samples[0].input) == (text, sample)
    assert "left as it is" in cleaned.notes[0]
