"""Words may be drawn from the letters of the samples alone; narrow alphabets stay as they are."""

from __future__ import annotations

import string

from authoring.compiler.input_format import InputFormat, Line, Rows, Word
from authoring.compiler.seen_letters import narrowed


def word(name: str, alphabet: str) -> Word:
    return Word(kind="word", name=name, low="1", high="9", alphabet=alphabet)


def test_wide_alphabets_become_the_most_frequent_letters_of_the_samples() -> None:
    format_ = InputFormat(
        blocks=(
            Line(kind="line", items=(word("s", string.ascii_uppercase), word("t", "01"))),
            Rows(kind="rows", name="rows", count="2", items=(word("u", string.ascii_lowercase),)),
        )
    )
    payloads = [{"s": "VKVKEB", "t": "0", "rows": ["xy", "x"]}, {"s": "KVVAB", "t": "1", "rows": ["y", "y"]}]
    found = [item.alphabet for item in narrowed(format_, payloads).every_item() if isinstance(item, Word)]
    assert found == ["ABKV", "01", "xy"]


def test_a_format_without_wide_words_stays_the_same() -> None:
    format_ = InputFormat(blocks=(Line(kind="line", items=(word("t", "01"),)),))
    assert narrowed(format_, [{"t": "0"}]) == format_
    wide = InputFormat(blocks=(Line(kind="line", items=(word("s", string.ascii_lowercase),)),))
    assert narrowed(wide, [{"s": "aaa"}]) == wide, "one letter would be no word at all"
