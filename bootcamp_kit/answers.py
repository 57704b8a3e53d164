"""Shared, strict answer parsing: the last delimited answer of a response, then one typed reader.

Prompts ask for ``<answer>…</answer>``. Reading rules, the same for every task:

* the *last* ``</answer>`` closes it and the nearest ``<answer>`` before it opens it, so decoys earlier in the text do
  not count; an opened answer that is never closed after it is malformed, not guessed;
* around the content, white space, one Markdown code fence and bold, italic or inline-code marks are dropped;
* Unicode minus signs and full-width or other decimal digits are folded to ASCII; nothing else is rewritten.

Every reader takes time linear in the text and never executes it.

Raises everywhere: :class:`bootcamp_kit.errors.Malformed`.
"""

from __future__ import annotations

import math
import re
import unicodedata

from bootcamp_kit.errors import Malformed

OPEN, CLOSE = "<answer>", "</answer>"
MAX_ANSWER_CHARS = 100_000
MAX_DIGITS = 4_000
_INTEGER = re.compile(r"[+-]?(?:\d{1,4000}|\d{1,3}(?:,\d{3}){1,1000})\.?", re.ASCII)
_DECIMAL = re.compile(r"[+-]?(?:\d{1,400}(?:\.\d{0,400})?|\.\d{1,400})(?:[eE][+-]?\d{1,4})?", re.ASCII)
_FENCE = re.compile(r"```[A-Za-z0-9_+-]{0,20}[ \t]*\r?\n(.*?)\r?\n?[ \t]*```", re.DOTALL)
_MINUS = str.maketrans({"−": "-", "‐": "-", "‑": "-", "–": "-", "﹣": "-", "－": "-", "＋": "+", "\u00a0": " "})


def last_answer(response: str, *, marks: bool = True) -> str:
    """The content of the last ``<answer>…</answer>``, cleaned of white space around it and Markdown marks.

    Args:
        response: The whole response.
        marks: Whether Markdown marks around the content are dropped. False where a right answer may itself begin and
            end with ``*``, ``_``, a backtick or ``$``, as a grid of such cells does: a code fence is dropped still.
    """
    end = response.rfind(CLOSE)
    last_open = response.rfind(OPEN)
    if end < 0:
        raise Malformed(f"no {OPEN}…{CLOSE} in the response" if last_open < 0 else f"{OPEN} is never closed")
    if last_open > end:
        raise Malformed(f"the last {OPEN} is never closed")
    start = response.rfind(OPEN, 0, end)
    if start < 0:
        raise Malformed(f"{CLOSE} without {OPEN}")
    content = response[start + len(OPEN) : end]
    if CLOSE in content:
        raise Malformed(f"{CLOSE} without {OPEN}")
    if len(content) > MAX_ANSWER_CHARS:
        raise Malformed(f"the answer has {len(content)} characters, more than {MAX_ANSWER_CHARS}")
    content = _unmarked(content) if marks else _unfenced(content)
    if not content:
        raise Malformed("the answer is empty")
    return content


def _unfenced(text: str) -> str:
    text = text.strip()
    fenced = _FENCE.fullmatch(text) if text.startswith("```") else None
    return fenced[1].strip("\r\n") if fenced else text


def _unmarked(text: str) -> str:
    text = _unfenced(text)
    for mark in ("**", "__", "`", "*", "$"):
        if len(text) > 2 * len(mark) and text.startswith(mark) and text.endswith(mark):
            inner = text[len(mark) : -len(mark)]
            if mark not in inner:
                text = inner.strip()
    return text


def _ascii_digits(text: str) -> str:
    if text.isascii():
        return text
    text = text.translate(_MINUS)
    return "".join(str(unicodedata.digit(char)) if char.isdecimal() else char for char in text)


def integer(text: str) -> int:
    """One integer: a sign, digits, thousands commas in the right places, one full stop behind. ``5.0`` is not one."""
    folded = _ascii_digits(text).strip()
    if not _INTEGER.fullmatch(folded):
        raise Malformed(f"not one integer: {_shown(text)}")
    return int(folded.rstrip(".").replace(",", ""))


def integers(text: str, *, at_most: int = 10_000) -> list[int]:
    """Integers divided by white space or commas, optionally in one pair of brackets; at least one."""
    folded = _ascii_digits(text).strip().rstrip(".").strip()
    if folded[:1] + folded[-1:] in ("[]", "()", "{}"):
        folded = folded[1:-1]
    parts = re.split(r"\s*,\s*|\s+", folded.strip())
    if len(parts) > at_most:
        raise Malformed(f"more than {at_most} numbers")
    values = []
    for part in parts:
        if not re.fullmatch(r"[+-]?\d{1,4000}", part, re.ASCII):
            raise Malformed(f"not an integer: {_shown(part)}")
        values.append(int(part))
    return values


def decimal(text: str) -> float:
    """One finite decimal number, exponent allowed; no fraction, percent, unit, nan or infinity."""
    folded = _ascii_digits(text).strip()
    if folded.endswith(".") and folded[:-1].endswith(tuple("0123456789")):
        folded = folded[:-1]
    if not _DECIMAL.fullmatch(folded):
        raise Malformed(f"not one decimal number: {_shown(text)}")
    value = float(folded)
    if not math.isfinite(value):
        raise Malformed("the number is not finite")
    return value


def close(value: float, expected: float, *, absolute: float, relative: float = 0.0) -> bool:
    """Whether two finite numbers agree within a declared tolerance; relative to ``expected``, never to ``value``."""
    return math.isfinite(value) and abs(value - expected) <= max(absolute, relative * abs(expected))


def word(text: str) -> str:
    """One token without white space inside; a full stop behind is dropped when letters or digits stand before it."""
    parts = text.split()
    if len(parts) != 1:
        raise Malformed(f"not one word: {_shown(text)}")
    return parts[0][:-1] if len(parts[0]) > 1 and parts[0].endswith(".") and parts[0][-2].isalnum() else parts[0]


def tokens(text: str, *, at_most: int = 10_000) -> list[str]:
    """White-space divided tokens, at least one; line breaks count as white space."""
    parts = text.split()
    if not parts or len(parts) > at_most:
        raise Malformed("no tokens" if not parts else f"more than {at_most} tokens")
    return parts


def lines(text: str, *, at_most: int = 10_000) -> list[str]:
    """Lines without trailing white space; blank lines before and after are dropped, inside they stay."""
    parts = [line.rstrip() for line in text.replace("\r\n", "\n").strip("\n").split("\n")]
    if len(parts) > at_most:
        raise Malformed(f"more than {at_most} lines")
    return parts


def grid(text: str, *, symbols: str, rows: int | None = None, columns: int | None = None) -> list[str]:
    """Rows of one-character cells over ``symbols``, with or without blanks between cells; rectangular.

    Args:
        text: The answer's content.
        symbols: The allowed cell characters; must hold no white space.
        rows: How many rows it must have, where known.
        columns: How many cells in each, where known.
    """
    found = ["".join(line.split()) for line in lines(text) if line.strip()]
    if not found:
        raise Malformed("no rows")
    if len({len(row) for row in found}) != 1:
        raise Malformed("the rows differ in length")
    if (rows is not None and len(found) != rows) or (columns is not None and len(found[0]) != columns):
        raise Malformed(f"the grid is {len(found)}×{len(found[0])}")
    foreign = sorted({char for row in found for char in row} - set(symbols))
    if foreign:
        raise Malformed(f"a foreign symbol: {_shown(foreign[0])}")
    return found


def choice(text: str, choices: tuple[str, ...], *, fold_case: bool = True) -> str:
    """One of ``choices`` exactly (case folded when said), a full stop behind allowed; returns it as declared."""
    found = " ".join(text.split())
    if found.endswith(".") and found not in choices:
        found = found[:-1]
    for option in choices:
        if found == option or (fold_case and found.casefold() == option.casefold()):
            return option
    raise Malformed(f"not one of {', '.join(choices)}: {_shown(text)}")


def _shown(text: str) -> str:
    cut = text[:40]
    return ascii(cut) + ("…" if len(text) > 40 else "")
