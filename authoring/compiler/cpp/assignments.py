"""Writes assignments."""

from __future__ import annotations

from authoring.compiler.cpp.base import RANK
from authoring.compiler.cpp.nodes import (
    INTEGERS,
    Assign,
    Choice,
    Make,
    Name,
    NotCovered,
)
from authoring.compiler.cpp.operators import Operators
from authoring.compiler.cpp.values import Known, Value


class Assignments(Operators):
    """``a = b`` and ``a += b``."""

    def assigned(self, expr: Assign) -> Value:
        """``a = b`` and ``a += b``; the value is the place."""
        if isinstance(expr.target, Choice):
            raise NotCovered("an assignment to a choice", expr.line)
        if expr.op == "=":
            target, value = self._two_places(expr)
            self._store(expr, target, self.fit(value, target.type, expr.line))
            return Value(target.text, target.type, atom=True)
        op = expr.op[:-1]
        target, value = self._two_places(expr)
        if target.type.name == "struct":
            self.line(self.operate(expr.op, target, value, expr.line).text)
        elif target.type.name == "string" and op == "+":
            self._append(expr, target, value)
        elif target.type.name in RANK:
            self._update(expr, op, target, value)
        elif target.type.name == "iter":
            moved = self._on_places(op, target, value, expr.line)
            self._store(expr, target, self._place(moved, moved.type, moved.type, expr.line))
        else:
            raise NotCovered(f"{expr.op} of a {target.type.name}", expr.line)
        return Value(target.text, target.type, atom=True)

    def _two_places(self, expr: Assign) -> tuple[Value, Value]:
        """The right side first, as C++17 has it, where it writes lines; then the place."""
        mark = len(self.lines)
        if isinstance(expr.value, Make) and expr.value.type is None:
            target = self.steady_place(self.place(expr.target))
            return target, self.make(Make(expr.line, target.type, expr.value.args, braces=True), [])
        value = self.value(expr.value)
        if len(self.lines) == mark and not value.fixed and not isinstance(expr.target, Name):
            target = self.place(expr.target)
            if len(self.lines) > mark:
                value, _ = self._kept(value, mark)
            return self.steady_place(target) if expr.op != "=" or "(" in target.text else target, value
        return self.steady_place(self.place(expr.target)), value

    def _append(self, expr: Assign, target: Value, value: Value) -> None:
        self._note_store(expr.target)
        if value.type.name in INTEGERS:
            self.line(f"{target.text}.append({value.text})")
        else:
            self.line(f"{target.text}.extend({self._string(value, value.type, expr.line).text})")

    def _update(self, expr: Assign, op: str, target: Value, value: Value) -> None:
        done = self.combined(op, Value(target.text, target.type, atom=True), value, expr.line)
        fitted = self.fit(done, target.type, expr.line)
        self._note_store(expr.target)
        simple = f"{target.text} {op} "
        if fitted.text.startswith(simple) and fitted.text == f"{simple}{value.inner}" and op not in ("/", "%"):
            self.line(f"{target.text} {op}= {value.text}")
        else:
            self.line(f"{target.text} = {fitted.text}")

    def _store(self, expr: Assign, target: Value, value: Value) -> None:
        known: Known | None = None
        if isinstance(expr.target, Name):
            known = self.look_up(expr.target.name, expr.line)
        if self.is_scalar(target.type) or (known is not None and not known.alias) or known is None:
            self._note_store(expr.target)
            self.line(f"{target.text} = {value.text}")
        elif target.type.name in ("vector", "string", "pair", "stack", "queue", "deque"):
            self.line(f"{target.text}[:] = {value.text}")
        else:
            self.line(f"{target.text}.assign({value.text})")
