"""Exponents and indices come back only where the statement shows that it lost them."""

from __future__ import annotations

import pytest

from authoring.compiler.compile import understand
from authoring.compiler.flattened import lost_exponents, repaired
from tests.authoring.compiler.contest import contest


@pytest.mark.parametrize(
    ("copied", "meant"),
    [
        ("(1 ≤ n ≤ 105)", "(1 ≤ n ≤ 10^5)"),
        ("-109 ≤ x ≤ 109", "-10^9 ≤ x ≤ 10^9"),
        ("1 ≤ q ≤ 2·105", "1 ≤ q ≤ 2·10^5"),
        ("modulo 1000000007 (109 + 7)", "modulo 1000000007 (10^9 + 7)"),
        ("an error of 10 - 6", "an error of 10^-6"),
        ("does not exceed 1018", "does not exceed 10^18"),
        ("integers a1, a2, ..., an (1 ≤ ai ≤ 9)", "integers a_1, a_2, ..., a_n (1 ≤ a_i ≤ 9)"),
        ("cells cij of the i-th row", "cells c_{i,j} of the i-th row"),
        ("lamps ai; those kept are aij", "lamps a_i; those kept are a_{i_j}"),
        ("row i holds ai1, ai2 and aij", "row i holds ai1, ai2 and a_{i,j}"),
        ("cost ai, place xi: axi + xi·k", "cost a_i, place x_i: a_{x_i} + x_i·k"),
        ("x1, x2, ..., xr, and y1, y2 with xr ≤ yr", "x_1, x_2, ..., x_r, and y_1, y_2 with x_r ≤ y_r"),
        ("a &lt; b", "a < b"),
        ("1\u200b \u2264 n", "1 \u2264 n"),
    ],
)
def test_what_was_lost_comes_back(copied: str, meant: str) -> None:
    assert repaired(copied) == meant


@pytest.mark.parametrize(
    "text",
    [
        "1 ≤ n ≤ 105, and a_i ≤ 10^9",
        "There are 105 rooms in the house.",
        "1 ≤ n ≤ 100",
        "1 ≤ n ≤ 1050",
        "He moves from a1 to h8, then b2, c3 and d4.",
        "I am in it, as on any day.",
        "On each day, at noon, a_1 comes; it is so, as we do.",
    ],
)
def test_what_was_not_lost_stays(text: str) -> None:
    assert repaired(text) == text
    assert not lost_exponents(text)


def test_the_brief_of_a_task_is_the_statement_as_it_came() -> None:
    """The prompt shows the repaired statement; the reviewer reads what was handed in."""
    brief = contest(
        input_="The first line contains an integer n (1 ≤ n ≤ 105).\n\n"
        "The second line contains n integers a1, a2, ..., an (1 ≤ ai ≤ 109)."
    )
    understood = understand(brief)
    assert understood.handed_in == brief.text
    assert "a_i ≤ 10^9" in understood.brief.text
