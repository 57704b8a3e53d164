"""The state of the writer: lines, names, scopes, conversions between types."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import fields, is_dataclass

from authoring.compiler.cpp.nodes import (
    INT,
    INTEGERS,
    SCALARS,
    STRING,
    Expr,
    Function,
    Make,
    Node,
    NotCovered,
    Number,
    Struct,
    Type,
)
from authoring.compiler.cpp.values import RESERVED, Frame, Known, Value, Written

WIDTH = {"uint": 32, "ulong": 64, "int": 32, "long": 64}
RANK = {"bool": 0, "char": 0, "int": 1, "uint": 2, "long": 3, "ulong": 4, "double": 5}
LISTED = frozenset({"vector", "string", "pair", "stack", "queue", "deque", "umap_pair"})
SHORT = 600
"""Arrays up to so many elements are made at once."""


def walk(node: object) -> Iterator[Node]:
    """The node and all below it."""
    if isinstance(node, Node):
        yield node
    if isinstance(node, list | tuple):
        for one in node:
            yield from walk(one)
    elif is_dataclass(node) and not isinstance(node, Type):
        for one in fields(node):
            yield from walk(getattr(node, one.name))


class Base:
    """What all parts of the writer share."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.depth = 0
        self.used: set[str] = set()
        self.structs: dict[str, Struct] = {}
        self.functions: dict[str, list[Written]] = {}
        self.generic: dict[str, list[Function]] = {}
        self.globals: dict[str, Known] = {}
        self.global_names: set[str] = set()
        self.frame = Frame(None, Type("void"))
        self.made: list[str] = []

    # ------------------------------------------------------------------ lines

    def line(self, text: str) -> None:
        """One line at the present depth."""
        self.lines.append("    " * self.depth + text)

    @contextmanager
    def apart(self, deeper: int = 0) -> Iterator[list[str]]:
        """Lines written inside come into a list of their own."""
        lines, self.lines = self.lines, []
        self.depth += deeper
        try:
            yield self.lines
        finally:
            self.lines = lines
            self.depth -= deeper

    def helper(self, name: str) -> str:
        """A helper's name; it is noted that the program needs it."""
        self.used.add(name)
        return name

    # ------------------------------------------------------------------ names

    def temporary(self) -> str:
        """A new name."""
        self.frame.temporaries += 1
        return self.fresh_name(f"t{self.frame.temporaries}")

    def fresh_name(self, name: str) -> str:
        """The name, changed where it is taken."""
        base = name.lstrip("_") or "v"
        found, number = base, 1
        while found in RESERVED or found in self.global_names or self._taken(found):
            number += 1
            found = f"{base}_{number}" if number > 2 else f"{base}_"
        self.frame.names.add(found)
        return found

    def _taken(self, name: str) -> bool:
        frame: Frame | None = self.frame
        while frame is not None:
            if name in frame.names:
                return True
            frame = frame.outer
        return False

    def declare(self, name: str, type_: Type, text: str = "", *, alias: bool = False) -> Known:
        """A new variable in the innermost scope."""
        known = Known(text or self.fresh_name(name), type_, self.frame, alias)
        self.frame.scopes[-1][name] = known
        return known

    def look_up(self, name: str, line: int) -> Known:
        """A variable.

        Raises:
            NotCovered: there is none of that name.
        """
        frame: Frame | None = self.frame
        while frame is not None:
            for scope in reversed(frame.scopes):
                if name in scope:
                    return scope[name]
            frame = frame.outer
        if name in self.globals:
            return self.globals[name]
        raise NotCovered(f"the name {name}", line)

    def rebind(self, known: Known) -> None:
        """A variable of an outer function is bound anew: Python has to be told."""
        if known.alias or known.frame is self.frame:
            return
        self.frame.rebound[known.text] = known.frame is None

    # ------------------------------------------------------------------ types

    def resolved(self, type_: Type) -> Type:
        """A template's parameter as what it stands for."""
        frame: Frame | None = self.frame
        if type_.name == "param":
            while frame is not None:
                if type_.of in frame.types:
                    return frame.types[type_.of]
                frame = frame.outer
            raise NotCovered(f"the template parameter {type_.of}")
        if any(arg.name == "param" or arg.args for arg in type_.args):
            args = tuple(self.resolved(arg) for arg in type_.args)
            return Type(type_.name, args, type_.of, type_.extent, type_.ref)
        return type_

    def default(self, type_: Type, line: int = 0) -> str:
        """A value as C++ makes it where nothing is said."""
        type_ = self.resolved(type_)
        match type_.name:
            case "bool":
                return "False"
            case name if name in INTEGERS:
                return "0"
            case "double":
                return "0.0"
            case "cstr":
                return '""'
            case "vector" | "string" | "stack" | "queue" | "deque":
                return "[]"
            case "pair":
                return f"[{', '.join(self.default(arg, line) for arg in type_.args)}]"
            case "struct":
                return f"{type_.of}_0()" if self._has_maker(type_.of) else f"{self.class_name(type_.of)}()"
            case "set" | "uset":
                return f"{self.helper('Sorted')}()"
            case "multiset":
                return f"{self.helper('Sorted')}(True)"
            case "map" | "umap":
                return f"{self.helper('Mapped')}(lambda: {self.default(type_.args[1], line)})"
            case "priority_queue":
                return f"{self.helper('Heap')}({self.heap_order(type_, line)})"
            case "array":
                return self._array(type_, line)
            case "iter" | "function" | "greater" | "less" | "opaque":
                return "None"
        raise NotCovered(f"a variable of the type {type_.name}", line)

    def _has_maker(self, name: str) -> bool:
        return any(not maker.params for maker in self.structs[name].makers)

    def class_name(self, name: str) -> str:
        """The Python class of a struct."""
        return f"{name}_" if name in RESERVED else name

    def heap_order(self, type_: Type, line: int) -> str:
        """The comparison of a priority queue; "" for its elements' own."""
        if len(type_.args) < 3 or type_.args[2].name == "less":
            return ""
        if type_.args[2].name == "greater":
            return "lambda a, b: b < a"
        if type_.args[2].name == "struct":
            return f"{self.default(type_.args[2], line)}.op_call"
        raise NotCovered("a priority queue with an order of its own", line)

    def _array(self, type_: Type, line: int) -> str:
        inner = self.default(type_.args[0], line)
        if type_.extent is None:
            raise NotCovered("an array without an extent", line)
        extent = self.value(type_.extent)
        count = self.constant(type_.extent)
        if count is None or count > SHORT or self._elements(type_) > 4 * SHORT:
            self.helper("Lazy")
            return (
                f"Lazy(lambda: {inner}, {extent.text})"
                if count is not None
                else (f"[{inner} for _ in range({extent.text})]")
            )
        scalar = type_.args[0].name in SCALARS
        return f"[{inner}] * {extent.inner}" if scalar else f"[{inner} for _ in range({extent.text})]"

    def _elements(self, type_: Type) -> int:
        if type_.name != "array" or type_.extent is None:
            return 1
        return (self.constant(type_.extent) or SHORT) * self._elements(type_.args[0])

    def constant(self, expr: Expr) -> int | None:
        """The value of an extent that can be told without running: numbers, constants, and sums of them."""
        from authoring.compiler.cpp.constants import constant

        return constant(expr, self.constants)

    constants: dict[str, int]

    def is_scalar(self, type_: Type) -> bool:
        """Whether its values are numbers, or never changed in place."""
        return type_.name in SCALARS or type_.name in ("iter", "function")

    # ------------------------------------------------------------------ conversions

    def copied(self, value: Value) -> str:
        """The value's text, as one that nothing else holds."""
        type_ = self.resolved(value.type)
        if value.fresh or self.is_scalar(type_):
            return value.text
        if type_.name in ("vector", "pair", "stack", "queue", "deque", "string") and all(
            self.is_scalar(arg) for arg in type_.args
        ):
            return f"{value.inner}[:]"
        if type_.name in ("vector", "pair", "array", "stack", "queue", "deque"):
            return f"{self.helper('copied')}({value.text})"
        return f"{value.inner}.copy()"

    def fit(self, value: Value, type_: Type, line: int) -> Value:
        """The value as one of another type, ready to be stored.

        Raises:
            NotCovered: there is no conversion.
        """
        to, is_ = self.resolved(type_), self.resolved(value.type)
        if to.name == "auto":
            return Value(self.copied(value), Type(is_.name, is_.args, is_.of, is_.extent), atom=value.atom, fresh=True)
        if is_.name in RANK and to.name in RANK:
            return self._number(value, is_, to)
        if to.name == "string":
            return self._string(value, is_, line)
        if to.name == "iter":
            return self._place(value, is_, to, line)
        if is_.name == to.name and (to.name != "struct" or to.of == is_.of):
            return Value(self.copied(value), to, atom=value.atom, fresh=True)
        if {is_.name, to.name} <= {"cstr"} or to.name == "function":
            return value
        if to.name == "struct":
            made = self.make(Make(line, to, []), [value])
            return made
        raise NotCovered(f"a {is_.name} as a {to.name}", line)

    def make(self, node: Make, given: Sequence[Value]) -> Value:
        """A struct made of values."""
        raise NotImplementedError

    def _number(self, value: Value, is_: Type, to: Type) -> Value:
        if to.name == "bool":
            if is_.name == "bool":
                return Value(f"bool({value.text})", to, atom=True) if value.truth else value
            return Value(f"{value.inner} != 0", to)
        if value.truth:
            value = Value(f"bool({value.text})", is_, atom=True)
        if to.name == "double":
            if is_.name == "double":
                return value
            return Value(f"float({value.text})", to, atom=True)
        if is_.name == "double":
            return Value(f"int({value.text})", to, atom=True)
        if to.name in ("uint", "ulong") and not value.small and is_.name not in ("bool", "uint", to.name):
            return Value(f"{value.inner} & {hex((1 << WIDTH[to.name]) - 1)}", to)
        narrow = is_.name in ("uint", "ulong") and to.name in ("int", "long", "char") and not value.small
        if narrow and WIDTH.get(to.name, 8) <= WIDTH[is_.name]:
            return Value(f"{self.helper('signed')}({value.text}, {WIDTH.get(to.name, 8)})", to, atom=True)
        return Value(value.text, to, atom=value.atom, small=value.small, fixed=value.fixed)

    def _string(self, value: Value, is_: Type, line: int) -> Value:
        if is_.name == "string":
            return Value(self.copied(value), STRING, atom=value.atom, fresh=True)
        if is_.name == "cstr":
            return Value(f"{self.helper('codes')}({value.text})", STRING, atom=True, fresh=True)
        if is_.name in ("iter", "array"):
            return Value(
                f"{self.helper('c_text')}({self._place(value, is_, is_, line).text})", STRING, True, fresh=True
            )
        raise NotCovered(f"a {is_.name} as a string", line)

    def _place(self, value: Value, is_: Type, to: Type, line: int) -> Value:
        """A pointer or iterator as one value."""
        if is_.name == "iter":
            if value.text:
                return value
            text = f"{self.helper('At')}({value.base}, {value.at})"
            return Value(text, is_, atom=True, base=value.base, at=value.at)
        if is_.name == "array":
            return Value(f"{self.helper('At')}({value.text}, 0)", Type("iter", is_.args, of="array"), atom=True)
        if is_.name == "cstr" and to.args[0].name == "char":
            text = f"{self.helper('At')}({self.helper('codes')}({value.text}) + [0], 0)"
            return Value(text, Type("iter", (Type("char"),), of="array"), atom=True)
        raise NotCovered(f"a {is_.name} as a pointer", line)

    def base_and_place(self, value: Value, line: int) -> tuple[str, str]:
        """An iterator or array as its sequence and a place in it."""
        if value.type.name == "array":
            return value.inner, "0"
        if value.type.name != "iter":
            raise NotCovered(f"a {value.type.name} as a pointer", line)
        if value.base:
            return value.base, value.at
        return f"{value.inner}.c", f"{value.inner}.i"

    def value(self, expr: Expr) -> Value:
        """An expression as Python; what it does beforehand is written as lines."""
        raise NotImplementedError


def arithmetic(left: Type, right: Type, line: int) -> Type:
    """The type of a sum."""
    if left.name not in RANK or right.name not in RANK:
        raise NotCovered(f"arithmetic with {left.name} and {right.name}", line)
    most = max(left.name, right.name, key=RANK.__getitem__)
    return INT if RANK[most] < 1 else Type(most)


__all__ = ["Base", "Number", "arithmetic", "walk"]
