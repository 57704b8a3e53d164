"""Python 2 text as tokens that join to the same text again; no parser of today reads it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

MAX_CODE = 60_000
_TOKEN = re.compile(
    r"(?P<blank>[ \t\f]+|\\\n)"
    r"|(?P<newline>\n)"
    r"|(?P<comment>\#[^\n]*)"
    r"|(?P<string>(?i:[ub]?r?)(?:\"\"\"(?:[^\\]|\\[\s\S])*?\"\"\"|'''(?:[^\\]|\\[\s\S])*?'''"
    r"|\"(?:[^\\\n\"]|\\[\s\S])*\"|'(?:[^\\\n']|\\[\s\S])*'))"
    r"|(?P<number>0[xX][0-9a-fA-F]+[lL]?|0[bB][01]+[lL]?|0[oO][0-7]+[lL]?"
    r"|(?:\d+\.\d*|\.\d+|\d+)(?:[eE][-+]?\d+)?[jJlL]?)"
    r"|(?P<name>[A-Za-z_]\w*)"
    r"|(?P<operator><>|\*\*=|//=|>>=|<<=|[-+*/%&|^=!<>]=|\*\*|//|>>|<<|[^\w\s\"'#])"
)


class NotPython2(ValueError):
    """The text cannot be cut into tokens, or uses something that has no counterpart; says what."""


@dataclass(slots=True)
class Token:
    """``kind`` is a group of the pattern above; ``depth`` counts the brackets that are open around it."""

    kind: str
    text: str
    depth: int = 0

    @property
    def is_code(self) -> bool:
        """Neither white space nor a comment."""
        return self.kind not in ("blank", "comment") and not (self.kind == "newline" and self.depth)


def tokens(code: str) -> list[Token]:
    """Cut the text.

    Raises:
        NotPython2: a string that is not closed, brackets that do not match, or a text that is too long.
    """
    if len(code) > MAX_CODE:
        raise NotPython2(f"a program of {len(code):,} characters")
    code = code.replace("\r\n", "\n").replace("\r", "\n")
    found, at, depth = list[Token](), 0, 0
    while at < len(code):
        match = _TOKEN.match(code, at)
        if not match:
            raise NotPython2(f"cannot read {code[at : at + 20]!r}")
        text = match[0]
        depth -= text in (")", "]", "}") and match.lastgroup == "operator"
        if depth < 0:
            raise NotPython2("a bracket is closed that was never opened")
        found.append(Token(match.lastgroup or "", text, depth))
        depth += text in ("(", "[", "{") and match.lastgroup == "operator"
        at = match.end()
    return found


def simple_statements(all_: Sequence[Token]) -> Iterator[tuple[int, int]]:
    """Start and end of what stands between line breaks, semicolons and the colons of block heads; code only.

    The indices are those of the first token and of the token that ends it (or the length).
    """
    start: int | None = None
    in_lambda = 0
    for at, token in enumerate(all_):
        ends = token.depth == 0 and (token.kind == "newline" or (token.kind == "operator" and token.text in ";:"))
        if token.kind == "name" and token.text == "lambda" and token.depth == 0:
            in_lambda += 1
        if ends and token.text == ":" and in_lambda:
            in_lambda -= 1
            ends = False
        if ends:
            if start is not None:
                yield start, at
            start, in_lambda = None, 0
        elif start is None and token.is_code:
            start = at
    if start is not None:
        yield start, len(all_)


def split(part: Sequence[Token], separator: str) -> list[list[Token]]:
    """A statement's tokens cut at a separator outside brackets that open inside it."""
    base = min((token.depth for token in part), default=0)
    found: list[list[Token]] = [[]]
    for token in part:
        if token.kind == "operator" and token.text == separator and token.depth == base:
            found.append([])
        else:
            found[-1].append(token)
    return found


def text_of(part: Sequence[Token]) -> str:
    """The text again."""
    return "".join(token.text for token in part)
