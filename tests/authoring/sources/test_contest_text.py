"""Plain-text statements: sections, samples, and samples that hold the words a heading would."""

from __future__ import annotations

from authoring.sources.contest_text import take_apart
from bootcamp_kit.brief import Sample

STATEMENT = """Count the words.

Input

A number n, then n words.

Output

Print one number.

Examples

Input


2
Note
on


Output


1
2

Input

1
a

Output

1

Note

Words are words. See <image>.
"""


def test_sections_become_headings_and_examples_become_samples() -> None:
    parts = take_apart(STATEMENT)
    assert parts.samples == (Sample("2\nNote\non\n", "1\n2\n"), Sample("1\na\n", "1\n"))
    assert "## Input\n\nA number n" in parts.text
    assert parts.text.endswith("## Note\n\nWords are words. See <image>.\n")
    assert "Examples" not in parts.text
    assert parts.notes == ("1 picture missing in the source, marked <image>",)


def test_examples_that_do_not_alternate_stay_in_the_statement_and_are_told_of() -> None:
    odd = STATEMENT.replace("Output\n\n\n1\n2", "Input\n\n\n1\n2")
    parts = take_apart(odd)
    assert parts.samples == ()
    assert "Examples" in parts.text
    assert "alternate" in parts.notes[0]


def test_a_text_without_sections_stays_as_it_is() -> None:
    assert take_apart("Fill the grid.\nExample: none").text == "Fill the grid.\nExample: none\n"


def test_samples_that_are_named_by_themselves_are_found_without_an_examples_heading() -> None:
    text = "Add up.\n\nInput:\n\nn\n\nOutput:\n\nn\n\nSAMPLE INPUT\n3\n\nSAMPLE OUTPUT\n4\n\nExplanation\n\nSo it is.\n"
    parts = take_apart(text)
    assert parts.samples == (Sample("3\n", "4\n"),)
    assert parts.text.startswith("Add up.\n\n## Input\n\nn\n\n## Output\n\nn\n")
    assert "SAMPLE" not in parts.text
    assert "So it is." in parts.text
