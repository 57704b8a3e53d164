from __future__ import annotations

import pytest

from sandbox.escaping import escaped


@pytest.mark.parametrize(
    ("text", "safe"),
    [
        ("plain é 漢 🎲\n\ttab", "plain é 漢 🎲\n\ttab"),
        ("\x1b[31mred\x1b[0m", "\\x1b[31mred\\x1b[0m"),
        ("a\rb\x00\x7f\x9b", "a\\rb\\x00\\x7f\\x9b"),
        ("\u202eback\u2066\u200b\ufeff", "\\u202eback\\u2066\\u200b\\ufeff"),
        ("\ud800", "\\ud800"),
        ("soft\xadhyphen, filler\u3164, tag\U000e0041", "soft\\xadhyphen, filler\\u3164, tag\\U000e0041"),
    ],
)
def test_nothing_is_left_that_a_terminal_would_obey(text: str, safe: str) -> None:
    assert escaped(text, 100) == safe


def test_long_text_is_cut_with_a_mark() -> None:
    assert escaped("x" * 10, 10) == "x" * 10
    assert escaped("x" * 11, 10) == "x" * 9 + "…"
    assert len(escaped("\x00" * 50, 10)) == 10
