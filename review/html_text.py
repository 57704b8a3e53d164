"""Text for an HTML page: safe, whoever wrote it; and the frame of a page that loads and runs nothing."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from review.dossier_style import STYLE
from review.visible import one_line, visible

MAX_TEXT = 20_000
POLICY = "default-src 'none'; style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'"
_MARKS = {
    "pass": ("ok", "✓"),
    "fail": ("bad", "✗"),
    **dict.fromkeys(("major", "minor", "error", "inconclusive"), ("warn", "!")),
}


def page(title: str, parts: Iterable[str]) -> str:
    """A whole HTML document."""
    body = "\n".join(parts)
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{escape(POLICY)}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{t(title)}</title><style>{STYLE}</style></head>"
        f"<body><main>\n{body}\n</main></body></html>\n"
    )


def section(title: str, body: str) -> list[str]:
    """A headed part of the page."""
    return [f"<section><h2>{t(title)}</h2>", body, "</section>"]


def row(cells: Iterable[str], tag: str = "td") -> str:
    """A line of a table."""
    return f"<tr>{''.join(f'<{tag}>{t(cell, 600)}</{tag}>' for cell in cells)}</tr>"


def status(word: str) -> str:
    """A status in its colour, with a sign for those who see none."""
    kind, sign = _MARKS.get(word, ("soft", "–"))
    return f'<span class="{kind}">{sign} {t(word or "not measured")}</span>'


def block(text: str) -> str:
    """Text in the line, or on lines of its own where it is long."""
    return pre(text, 4_000) if "\n" in text or len(text) > 200 else f"<code>{t(text)}</code>"


def pre(text: str, at_most: int = MAX_TEXT) -> str:
    """Text with its line breaks."""
    return f"<pre>{escape(visible(text, at_most=at_most))}</pre>"


def lines_of(data: bytes) -> list[str]:
    """The lines of a file."""
    return data.decode("utf-8", "replace").removesuffix("\n").split("\n")


def t(text: str, at_most: int = 200, *, fold: bool = True) -> str:
    """Text of anybody's, made safe: on one line unless told otherwise, control characters spelled out, HTML escaped."""
    return escape(one_line(text, at_most=at_most) if fold else visible(text, at_most=at_most))
