"""Statements in LaTeX as Markdown."""

from __future__ import annotations

import pytest

from authoring.sources.latex import to_markdown


@pytest.mark.parametrize(
    ("latex", "markdown"),
    [
        ("A \\emph{b \\textbf{c}} $x \\leq 10^5$ % no\nd", "A *b **c*** $x \\leq 10^5$\nd"),
        ("\\section*{Input}\nOne \\texttt{n}.", "## Input\n\nOne `n`."),
        ("\\begin{itemize}\\item a\n\\item b\\end{itemize}", "- a\n- b"),
        ("\\begin{verbatim}\n% kept $ & \\x\n\\end{verbatim}", "```\n% kept $ & \\x\n```"),
        ("50\\% of \\$3 \\& more~x --- ``y''", '50% of $3 & more x — "y"'),
        ("\\(a_i\\) and \\[b\\]", "$a_i$ and $$b$$"),
        (
            "\\begin{tabular}{|l|p{3cm}|} Group & Points \\\\ \\hline $1$ & $5\\;6$ \\\\ \\hline \\end{tabular}",
            "| Group | Points |\n| - | - |\n| $1$ | $5\\;6$ |",
        ),
    ],
)
def test_what_packages_use_becomes_markdown(latex: str, markdown: str) -> None:
    assert to_markdown(latex) == (markdown + "\n", ())


def test_pictures_and_strange_commands_are_told_of() -> None:
    text, notes = to_markdown("See \\includegraphics[width=1cm]{a.png} and \\mymacro{x}.")
    assert "[picture]" in text
    assert "\\mymacro{x}" in text
    assert notes == ("1 picture left out, marked [picture]", "LaTeX left as it was written: \\mymacro")


def test_private_marks_of_ours_in_a_text_do_no_harm() -> None:
    assert to_markdown("a \ue0000\ue001 $b$")[0] == "a 0 $b$\n"
