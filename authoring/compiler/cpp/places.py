"""Writes names and places: what can be read and assigned to, in the order C++ evaluates it."""

from __future__ import annotations

from collections.abc import Callable

from authoring.compiler.cpp.base import Base
from authoring.compiler.cpp.nodes import (
    CHAR,
    DOUBLE,
    INT,
    ULONG,
    Assign,
    Call,
    Expr,
    Index,
    Make,
    Member,
    Name,
    NotCovered,
    Number,
    Type,
    Unary,
)
from authoring.compiler.cpp.values import RESERVED, Frame, Value, Written

_CONSTANTS = {"INT_MAX": (2147483647, INT), "INT_MIN": (-2147483648, INT), "RAND_MAX": (2147483647, INT)}
_CONSTANTS |= {"LLONG_MAX": ((1 << 63) - 1, Type("long")), "LLONG_MIN": (-(1 << 63), Type("long"))}
_CONSTANTS |= {"LONG_LONG_MAX": ((1 << 63) - 1, Type("long")), "LONG_MAX": ((1 << 63) - 1, Type("long"))}
_CONSTANTS |= {"UINT_MAX": ((1 << 32) - 1, Type("uint")), "ULLONG_MAX": ((1 << 64) - 1, ULONG), "EOF": (-1, INT)}
_CONSTANTS |= {"npos": ((1 << 64) - 1, ULONG), "NULL": (0, INT), "nullptr": (0, INT)}
_REALS = {"M_PI": "3.141592653589793", "DBL_MAX": "1.7976931348623157e308", "M_E": "2.718281828459045"}


class Places(Base):
    """Names, elements, members."""

    def operate(self, op: str, left: Value, right: Value | None, line: int) -> Value:
        """An operator of a struct."""
        raise NotImplementedError

    def _literal(self, expr: Number) -> Value:
        if expr.type.name == "double":
            return Value(repr(float(expr.value)), DOUBLE, atom=True, fixed=True)
        return Value(str(int(expr.value)), expr.type, atom=True, fixed=True, small=expr.value >= 0)

    def _name(self, expr: Name) -> Value:
        try:
            known = self.look_up(expr.name, expr.line)
        except NotCovered:
            if expr.name in _CONSTANTS:
                number, type_ = _CONSTANTS[expr.name]
                return Value(str(number), type_, atom=number >= 0, fixed=True, small=number >= 0)
            if expr.name in _REALS:
                return Value(_REALS[expr.name], DOUBLE, atom=True, fixed=True)
            if expr.name in self.functions:
                written = self.function_named(expr.name, expr.line)
                return Value(written.name, Type("function", (written.result,)), atom=True, fixed=True)
            raise
        type_ = self.resolved(known.type)
        return Value(known.text, type_, atom=True, fixed=known.text.isdecimal())

    def owner(self) -> str:
        """The struct whose method is written."""
        frame: Frame | None = self.frame
        while frame is not None and not frame.owner:
            frame = frame.outer
        return frame.owner if frame else ""

    def function_named(self, name: str, line: int) -> Written:
        """The one function of a name."""
        found = self.functions[name]
        if len(found) != 1 or found[0].outs:
            raise NotCovered(f"{name} as a value", line)
        return found[0]

    def place(self, expr: Expr) -> Value:
        """An expression that can be read and assigned to."""
        match expr:
            case Name():
                return self._name(expr)
            case Unary(op="*"):
                return self.value(expr)
            case Index():
                return self._indexed(expr)
            case Member():
                return self._member(expr)
            case Unary(op="++" | "--") | Assign():
                self.value(expr)
                return self.place(expr.inner if isinstance(expr, Unary) else expr.target)
            case Call(callee=Name(name="get")):
                return self.value(expr)
            case Call(callee=Member(name="front" | "back" | "top" | "at")):
                return self.value(expr)
            case Make(type=None):
                pass
        raise NotCovered("an expression that is assigned to", expr.line)

    def _pointed(self, value: Value, line: int) -> Value:
        base, at = self.base_and_place(value, line)
        if value.type.of in ("set", "multiset", "map", "uset", "umap"):
            if value.type.of in ("map", "umap"):
                key = self.thawed(f"{base}.k[{at}]", value.type.args[0])
                pair = Type("pair", value.type.args)
                return Value(f"[{key}, {base}.d[{base}.k[{at}]]]", pair, atom=True)
            return Value(self.thawed(f"{base}.k[{at}]", value.type.args[0]), value.type.args[0], atom=True)
        return Value(f"{base}[{at}]", self.resolved(value.type.args[0]), atom=True)

    def thawed(self, text: str, type_: Type) -> str:
        """A key as the value it stands for."""
        return text if self.is_scalar(type_) or type_.name == "struct" else f"{self.helper('thawed')}({text})"

    def frozen(self, value: Value, type_: Type, line: int) -> str:
        """A value as a key."""
        type_ = self.resolved(type_)
        fitted = self.fit(value, type_, line)
        if self.is_scalar(type_) or type_.name == "struct":
            return fitted.text
        if type_.name == "string" or all(self.is_scalar(arg) for arg in type_.args):
            return f"tuple({fitted.text})"
        return f"{self.helper('frozen')}({fitted.text})"

    def _indexed(self, expr: Index) -> Value:
        base, at = self.in_order(lambda: self.value(expr.base), lambda: self.value(expr.at))
        kind = base.type.name
        if kind in ("map", "umap"):
            return Value(f"{base.inner}[{self.frozen(at, base.type.args[0], expr.line)}]", base.type.args[1], atom=True)
        if kind == "struct":
            return self.operate("[]", base, at, expr.line)
        at = self.fit(at, INT, expr.line) if at.type.name == "bool" else at
        if kind in ("vector", "array", "deque"):
            return Value(f"{base.inner}[{at.text}]", self.resolved(base.type.args[0]), atom=True)
        if kind == "string":
            return Value(f"{base.inner}[{at.text}]", CHAR, atom=True)
        if kind == "cstr":
            return Value(f"ord(({base.text} + chr(0))[{at.text}])", CHAR, atom=True)
        if kind == "iter":
            sequence, start = self.base_and_place(base, expr.line)
            place = at.text if start == "0" else f"{start} + {at.inner}"
            return Value(f"{sequence}[{place}]", self.resolved(base.type.args[0]), atom=True)
        raise NotCovered(f"an index into a {kind}", expr.line)

    def _member(self, expr: Member) -> Value:
        if isinstance(expr.base, Name) and expr.base.name == "this":
            fields = {one.name: one for one in self.structs[self.owner()].fields}
            if expr.name not in fields:
                raise NotCovered(f"this->{expr.name}", expr.line)
            type_ = self.resolved(fields[expr.name].type)
            return Value(f"self.{self.field_name(expr.name)}", type_, atom=True)
        base = self.value(expr.base)
        if expr.arrow and base.type.name == "iter":
            if base.type.of in ("map", "umap"):
                c, at = self.base_and_place(base, expr.line)
                if expr.name == "second":
                    return Value(f"{c}.d[{c}.k[{at}]]", base.type.args[1], atom=True)
                return Value(self.thawed(f"{c}.k[{at}]", base.type.args[0]), base.type.args[0], atom=True)
            base = self._pointed(base, expr.line)
        elif expr.arrow:
            raise NotCovered("->", expr.line)
        if base.type.name == "pair" and expr.name in ("first", "second"):
            which = int(expr.name == "second")
            return Value(f"{base.inner}[{which}]", self.resolved(base.type.args[which]), atom=True)
        if base.type.name == "struct":
            for one in self.structs[base.type.of].fields:
                if one.name == expr.name:
                    return Value(f"{base.inner}.{self.field_name(one.name)}", self.resolved(one.type), atom=True)
        raise NotCovered(f".{expr.name} of a {base.type.name}", expr.line)

    def field_name(self, name: str) -> str:
        """A field's name in Python."""
        taken = name in RESERVED or name.startswith("_") or name in ("copy", "assign")
        return f"{name.strip('_')}_" if taken else name

    def in_order(self, *parts: Callable[[], Value]) -> list[Value]:
        """Values of expressions from left to right: an earlier one is kept where a later one writes lines."""
        found = list[Value]()
        for part in parts:
            mark = len(self.lines)
            value = part()
            if len(self.lines) > mark:
                for number, earlier in enumerate(found):
                    if not earlier.fixed and earlier.text:
                        found[number], mark = self._kept(earlier, mark)
            found.append(value)
        return found

    def _kept(self, value: Value, mark: int) -> tuple[Value, int]:
        if not self.is_scalar(value.type) and value.text.isidentifier():
            return value, mark  # the same object still
        name = self.temporary()
        self.lines.insert(mark, "    " * self.depth + f"{name} = {value.text}")
        return Value(name, value.type, atom=True, fixed=True, fresh=value.fresh, small=value.small), mark + 1

    def steady(self, value: Value) -> Value:
        """The value under a name, where its text would do something twice."""
        if value.text.isidentifier() or value.fixed:
            return value
        name = self.temporary()
        self.line(f"{name} = {value.text}")
        return Value(name, value.type, atom=True, fixed=True, fresh=value.fresh)

    def target(self, expr: Expr) -> Value:
        """A place that stays the same whatever runs before it is assigned to."""
        found = self.steady_place(self.place(expr), lasting=True)
        return Value(found.text, found.type, atom=True, fixed=True)

    def steady_place(self, value: Value, *, lasting: bool = False) -> Value:
        """A place that can be read and then assigned; ``lasting`` where the names in it may change meanwhile."""
        text = value.text
        if "(" not in text and ("[" not in text or not lasting):
            return value
        if not text.endswith("]"):
            head, _, tail = text.rpartition(".")
            if not head or ("(" not in head and "[" not in head):
                return value
            name = self.temporary()
            self.line(f"{name} = {head}")
            return Value(f"{name}.{tail}", value.type, atom=True)
        start = _opening(text)
        head, index = text[:start], text[start + 1 : -1]
        if "(" in head or "[" in head or lasting:
            name = self.temporary()
            self.line(f"{name} = {head}")
            head = name
        if not index.isdecimal() and (lasting or not index.isidentifier()):
            name = self.temporary()
            self.line(f"{name} = {index}")
            index = name
        return Value(f"{head}[{index}]", value.type, atom=True)


def _opening(text: str) -> int:
    """Where the bracket that ends a text opens."""
    depth = 0
    for at in range(len(text) - 1, -1, -1):
        depth += (text[at] == "]") - (text[at] == "[")
        if depth == 0:
            return at
    return 0
