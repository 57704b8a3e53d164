"""Makes text that somebody else wrote safe to print: no control sequence, no hidden direction mark, no endless line."""

from __future__ import annotations

import re
import unicodedata

BROKEN_FROM = 60
"""A line of a paragraph of at least so many characters was broken for its width; a shorter one ends on purpose."""
_OWN_LINE = re.compile(r"\s|[-*+>|#]|\d{1,3}[.)]\s")
_HIDDEN = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}


def visible(text: str, *, at_most: int = 20_000) -> str:
    r"""The text with everything escaped that a terminal would obey or not show; tabs and line feeds stay.

    Escaped as ``\x1b``, ``\u202e``, …: control and format characters, surrogates, private and unassigned code points.
    """
    cut = text[:at_most]
    shown = cut if cut.isascii() and cut.isprintable() else "".join(map(_shown, cut))
    return shown + (f" … ({len(text) - at_most} more characters)" if len(text) > at_most else "")


def one_line(text: str, *, at_most: int = 200) -> str:
    """The text on one line: white space folded to single blanks, the rest escaped, cut with an ellipsis."""
    folded = " ".join(text[: 4 * at_most].split())
    shown = visible(folded, at_most=4 * at_most)
    return shown if len(shown) <= at_most else shown[: at_most - 1] + "…"


def reflowed(text: str) -> str:
    """Text whose paragraphs were broken into lines for some other width, each on one line again.

    Lists, tables, headings, indented lines and fenced code stay as they are; so does a line that ends early.
    """
    found: list[str] = []
    fenced = joined = False
    for line in text.split("\n"):
        fence = line.lstrip().startswith(("```", "~~~"))
        plain = bool(line.strip()) and not fence and not fenced and not _OWN_LINE.match(line)
        if joined and plain:
            found[-1] = f"{found[-1].rstrip()} {line.strip()}"
        else:
            found.append(line)
        fenced ^= fence
        joined = plain and len(line) >= BROKEN_FROM
    return "\n".join(found)


def _shown(char: str) -> str:
    if char in "\n\t" or unicodedata.category(char) not in _HIDDEN:
        return char
    return ascii(char)[1:-1]
