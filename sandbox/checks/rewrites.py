"""Rewrites of a right response that must stay right: the vocabulary of a card's ``answer.rewrites``.

Each name stands for a family of spellings. A card declares the ones its task promises; ``whitespace``, ``reasoning``
and ``decoy`` are tried on every task, because every model writes so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from decimal import Decimal

from bootcamp_kit.answers import CLOSE, OPEN
from bootcamp_kit.card import AnswerFormat
from sandbox.checks.structure import Delimited, Shape, delimited, read_shape

LONG_REASONING_CHARS = 100_000
_FULL_WIDTH = str.maketrans("0123456789", "０１２３４５６７８９")
_TALK = "Let me think step by step.\nFirst I read the rules, then I try small cases.\n"


def _whitespace(cut: Delimited, shape: Shape, answer: AnswerFormat) -> Iterator[tuple[str, str]]:
    yield "blanks inside", cut.wrap(f"  {cut.content.strip()} ")
    yield "lines inside", cut.wrap(f"\n{cut.content.strip()}\n")
    yield "final newline", cut.wrap(cut.content) + "\n"
    yield "blank lines around", f"\n\n{cut.wrap(cut.content)}\n\n \n"


def _crlf(cut: Delimited, shape: Shape, answer: AnswerFormat) -> Iterator[tuple[str, str]]:
    whole = f"Answer:\n{cut.wrap(cut.content)}\n"
    yield "CRLF everywhere", whole.replace("\r\n", "\n").replace("\n", "\r\n")
    inner = cut.content.strip().replace("\r\n", "\n")
    yield "CRLF inside", cut.wrap(f"\r\n{inner}\r\n".replace("\n", "\r\n").replace("\r\r", "\r"))


def _markdown(cut: Delimited, shape: Shape, answer: AnswerFormat) -> Iterator[tuple[str, str]]:
    yield "bold line", cut.before + f"**Answer:** {OPEN}{cut.content}{CLOSE}" + cut.after
    if "\n" not in cut.content.strip() and not set(cut.content) & set("*`_$"):
        yield "bold answer", cut.wrap(f"**{cut.content.strip()}**")
        yield "inline code", cut.wrap(f"`{cut.content.strip()}`")


def _code_fence(cut: Delimited, shape: Shape, answer: AnswerFormat) -> Iterator[tuple[str, str]]:
    inner = cut.content.strip("\r\n") if "\n" in cut.content.strip() else cut.content.strip()
    if "```" not in inner:
        yield "fence", cut.wrap(f"\n```\n{inner}\n```\n")
        yield "fence with a language", cut.wrap(f"```text\n{inner}\n```")


def _reasoning(cut: Delimited, shape: Shape, answer: AnswerFormat) -> Iterator[tuple[str, str]]:
    yield "before", _TALK + cut.wrap(cut.content)
    yield "after", cut.wrap(cut.content) + "\n\nI checked this against every rule."
    yield "think block", f"<think>\nMaybe 1, maybe 2? {_TALK}</think>\n{cut.wrap(cut.content)}"
    times = LONG_REASONING_CHARS // len(_TALK)
    yield "100,000 characters before", _TALK * times + cut.wrap(cut.content)


def _decoy(cut: Delimited, shape: Shape, answer: AnswerFormat) -> Iterator[tuple[str, str]]:
    yield "garbage first", f"Perhaps {OPEN}?{CLOSE}. No: " + cut.wrap(cut.content)
    yield "card's example first", f"The form is {answer.example} and mine is: " + cut.wrap(cut.content)
    yield "bare tag first", f"I will end with {OPEN}.\n" + cut.wrap(cut.content)


def _trailing_period(cut: Delimited, shape: Shape, answer: AnswerFormat) -> Iterator[tuple[str, str]]:
    inner = cut.content.strip()
    if inner and not inner.endswith("."):
        yield "full stop", cut.wrap(inner + ".")


def _unicode_digits(cut: Delimited, shape: Shape, answer: AnswerFormat) -> Iterator[tuple[str, str]]:
    if shape.kind in ("integer", "decimal", "list", "rows"):
        wide = cut.content.translate(_FULL_WIDTH)
        if wide != cut.content:
            yield "full-width digits", cut.wrap(wide)


def _unicode_minus(cut: Delimited, shape: Shape, answer: AnswerFormat) -> Iterator[tuple[str, str]]:
    if shape.kind in ("integer", "decimal", "list") and "-" in cut.content:
        yield "U+2212", cut.wrap(cut.content.replace("-", "−"))
        yield "en dash", cut.wrap(cut.content.replace("-", "–"))


def _thousands(cut: Delimited, shape: Shape, answer: AnswerFormat) -> Iterator[tuple[str, str]]:
    if shape.kind == "integer" and abs(shape.value) >= 1000:
        yield "commas", cut.wrap(f"{shape.value:,}")


def _leading_plus(cut: Delimited, shape: Shape, answer: AnswerFormat) -> Iterator[tuple[str, str]]:
    if shape.kind in ("integer", "decimal") and shape.value > 0 and "+" not in cut.content:
        yield "plus sign", cut.wrap("+" + cut.content.strip())


def _decimal_point(cut: Delimited, shape: Shape, answer: AnswerFormat) -> Iterator[tuple[str, str]]:
    if shape.kind == "integer":
        yield "5.0 for 5", cut.wrap(f"{cut.content.strip()}.0")
    if shape.kind == "decimal":
        yield "trailing zero", cut.wrap(f"{cut.content.strip()}0")
        if cut.content.strip().startswith("0."):
            yield ".5 for 0.5", cut.wrap(cut.content.strip()[1:])


def _order(cut: Delimited, shape: Shape, answer: AnswerFormat) -> Iterator[tuple[str, str]]:
    flat = shape.kind in ("list", "rows") or (shape.kind == "json" and isinstance(shape.value, list))
    if flat and len(shape.value) > 1:
        yield "reversed", cut.wrap(shape.render(shape.value[::-1]))
        yield "rotated", cut.wrap(shape.render(shape.value[1:] + shape.value[:1]))


def _case(cut: Delimited, shape: Shape, answer: AnswerFormat) -> Iterator[tuple[str, str]]:
    for name, changed in (("lower case", cut.content.lower()), ("upper case", cut.content.upper())):
        if changed != cut.content:
            yield name, cut.wrap(changed)


def _separator(cut: Delimited, shape: Shape, answer: AnswerFormat) -> Iterator[tuple[str, str]]:
    if shape.kind == "list" and len(shape.value) > 1:
        for name, mark in (("commas", ", "), ("tight commas", ","), ("blanks", " "), ("lines", "\n")):
            yield name, cut.wrap(mark.join(shape.value))


def _brackets(cut: Delimited, shape: Shape, answer: AnswerFormat) -> Iterator[tuple[str, str]]:
    if shape.kind == "list":
        yield "square brackets", cut.wrap("[" + ", ".join(shape.value) + "]")
        yield "parentheses", cut.wrap("(" + ", ".join(shape.value) + ")")


def _cell_spacing(cut: Delimited, shape: Shape, answer: AnswerFormat) -> Iterator[tuple[str, str]]:
    if shape.kind == "rows" and all(len(cell) == 1 for row in shape.value for cell in row):
        yield "tight", cut.wrap("\n".join("".join(row) for row in shape.value))
        yield "spaced", cut.wrap("\n".join(" ".join(row) for row in shape.value))


def _tolerance(cut: Delimited, shape: Shape, answer: AnswerFormat) -> Iterator[tuple[str, str]]:
    if shape.kind in ("integer", "decimal") and answer.tolerance > 0:
        step = Decimal(repr(answer.tolerance)) * Decimal("0.4")
        for name, change in (("just above", step), ("just below", -step)):
            yield name, cut.wrap(format(Decimal(shape.value) + change, "f"))


Rewrite = Callable[[Delimited, Shape, AnswerFormat], Iterator[tuple[str, str]]]
_BY_NAME: dict[str, Rewrite] = {
    "whitespace": _whitespace,
    "crlf": _crlf,
    "markdown": _markdown,
    "code_fence": _code_fence,
    "reasoning": _reasoning,
    "decoy": _decoy,
    "trailing_period": _trailing_period,
    "unicode_digits": _unicode_digits,
    "unicode_minus": _unicode_minus,
    "thousands": _thousands,
    "leading_plus": _leading_plus,
    "decimal_point": _decimal_point,
    "order": _order,
    "case": _case,
    "separator": _separator,
    "brackets": _brackets,
    "cell_spacing": _cell_spacing,
    "tolerance": _tolerance,
}

REWRITES: tuple[str, ...] = tuple(_BY_NAME)
"""The names a card may use in ``answer.rewrites``."""

UNIVERSAL: tuple[str, ...] = ("whitespace", "reasoning", "decoy")
"""Tried on every task, declared or not."""


def applicable(answer: AnswerFormat) -> tuple[str, ...]:
    """The rewrites to try: declared ones that exist, universal ones, and ``tolerance`` where the card states one."""
    names = {*UNIVERSAL, *answer.rewrites} | ({"tolerance"} if answer.tolerance > 0 else set())
    return tuple(name for name in REWRITES if name in names)


def rewritten(name: str, response: str, answer: AnswerFormat) -> list[tuple[str, str]]:
    """(spelling, response) for each spelling of the rewrite that fits this response; empty where none does."""
    cut = delimited(response)
    if cut is None:
        return []
    return [item for item in _BY_NAME[name](cut, read_shape(cut.content, answer), answer) if item[1] != response]
