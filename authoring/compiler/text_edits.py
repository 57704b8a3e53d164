"""Edits of Python text at the positions of its syntax nodes; everything between stays as it was."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field


@dataclass
class Insertions:
    """Text put before and after nodes, and short spans replaced.

    Nodes must be given outer ones first (as ``ast.walk`` does), so that what is put around an outer node stays
    outside of what is put around an inner one.
    """

    source: bytes
    _starts: list[int] = field(default_factory=list)
    _before: dict[int, list[str]] = field(default_factory=dict)
    _after: dict[int, list[str]] = field(default_factory=dict)
    _replaced: dict[int, tuple[int, str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        at = 0
        for line in self.source.split(b"\n"):
            self._starts.append(at)
            at += len(line) + 1

    def start(self, node: ast.expr | ast.stmt) -> int:
        """Where a node begins, in bytes."""
        return self._starts[node.lineno - 1] + node.col_offset

    def end(self, node: ast.expr | ast.stmt) -> int:
        """Where it ends."""
        assert node.end_lineno is not None and node.end_col_offset is not None
        return self._starts[node.end_lineno - 1] + node.end_col_offset

    def text(self, node: ast.expr | ast.stmt) -> str:
        """Its text."""
        return self.source[self.start(node) : self.end(node)].decode()

    def around(self, node: ast.expr | ast.stmt, before: str, after: str) -> None:
        """Put text on both sides."""
        self._before.setdefault(self.start(node), []).append(before)
        self._after.setdefault(self.end(node), []).insert(0, after)

    def replace(self, start: int, end: int, text: str) -> None:
        """Replace a span in which no node begins or ends."""
        self._replaced[start] = (end, text)

    def operator(self, left: ast.expr, right: ast.expr, sign: str) -> tuple[int, int]:
        """Where the operator between two operands stands; comments between them are passed over.

        Raises:
            ValueError: it is not there.
        """
        at, end = self.end(left), self.start(right)
        while at < end:
            if self.source[at : at + 1] == b"#":
                at = self.source.index(b"\n", at)
            elif self.source[at : at + len(sign)] == sign.encode():
                return at, at + len(sign)
            at += 1
        raise ValueError(f"no {sign} between the operands")

    def result(self) -> str:
        """The edited text."""
        out, at = list[bytes](), 0
        marks = sorted({*self._before, *self._after, *self._replaced})
        for mark in marks:
            if mark < at:
                continue
            out.append(self.source[at:mark])
            at = mark
            out += [text.encode() for text in self._after.get(mark, ())]
            out += [text.encode() for text in self._before.get(mark, ())]
            if mark in self._replaced:
                at, text = self._replaced[mark]
                out.append(text.encode())
                # Nothing begins or ends inside the span; what ends with it is put at its end.
        out.append(self.source[at:])
        return b"".join(out).decode()
