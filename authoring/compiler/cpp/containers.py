"""Writes calls of methods: of containers, strings and the program's own structs."""

from __future__ import annotations

from collections.abc import Sequence

from authoring.compiler.cpp.assignments import Assignments
from authoring.compiler.cpp.nodes import (
    BOOL,
    CHAR,
    INT,
    LONG,
    STRING,
    ULONG,
    VOID,
    Call,
    Expr,
    Make,
    Member,
    Name,
    NotCovered,
    Type,
)
from authoring.compiler.cpp.values import Value, Written

_TREES = ("set", "multiset", "map", "uset", "umap")


class Containers(Assignments):
    """Methods by the kind of what they are called on."""

    def method(self, expr: Call, callee: Member) -> Value:
        """A call of a method."""
        if isinstance(callee.base, Name) and callee.base.name in ("cin", "cout", "ios", "cerr"):
            return self.stream_method(expr, callee.base.name, callee.name)
        if isinstance(callee.base, Call) and isinstance(callee.base.callee, Member) and callee.name == "flush":
            return Value("", VOID)
        if isinstance(callee.base, Name) and callee.base.name == "this":
            return self._by_name(expr, Name(expr.line, callee.name)) or Value("", VOID)
        base = self.value(callee.base)
        if callee.arrow:
            if base.type.name != "iter":
                raise NotCovered("->", expr.line)
            base = self._pointed(base, expr.line)
        kind = base.type.name
        if kind == "struct":
            return self.called(expr, self._method_named(base.type.of, callee.name, expr), expr.args, base.inner)
        if kind in ("vector", "deque", "stack", "queue", "array"):
            return self._of_list_kind(expr, callee, base)
        if kind == "string":
            return self._of_string(expr, callee, base)
        if kind in _TREES:
            return self._of_tree(expr, callee, base)
        if kind == "priority_queue":
            return self._of_heap(expr, callee, base)
        raise NotCovered(f".{callee.name}() of a {kind}", expr.line)

    def _by_name(self, expr: Call, callee: Name) -> Value | None:
        raise NotImplementedError

    def _method_named(self, owner: str, name: str, expr: Call) -> Written:
        raise NotImplementedError

    def called(self, expr: Call, written: Written, args: Sequence[Expr], on: str = "") -> Value:
        """A call of one of the program's functions."""
        raise NotImplementedError

    def stream_method(self, expr: Call, stream: str, name: str) -> Value:
        """``cin.tie(0)`` and its like."""
        raise NotImplementedError

    def element(self, arg: Expr, type_: Type, line: int) -> Value:
        """A value of that type, a nested initialiser too."""
        raise NotImplementedError

    def _effect(self, text: str) -> Value:
        self.line(text)
        return Value("", VOID)

    def _common(self, name: str, base: Value) -> Value | None:
        if name == "size":
            return Value(f"len({base.text})", ULONG, atom=True, small=True)
        if name == "length":
            return Value(f"len({base.text})", ULONG, atom=True, small=True)
        if name == "empty":
            return Value(f"not {base.inner}" if base.type.name in ("vector", "string", "deque", "stack", "queue")
                         else f"len({base.text}) == 0", BOOL)  # fmt: skip
        return None

    def _ends(self, name: str, base: Value) -> Value | None:
        args = base.type.args if base.type.name != "string" else (CHAR,)
        of = base.type.name
        match name:
            case "begin" | "cbegin":
                return Value("", Type("iter", args, of=of), base=base.inner, at="0")
            case "end" | "cend":
                return Value("", Type("iter", args, of=of), base=base.inner, at=f"len({base.text})")
            case "rbegin" | "rend":
                at = "begin" if name == "rbegin" else "end"
                return Value("", Type("iter", args, of="back"), base=base.inner, at=at)
        return None

    def _of_list_kind(self, expr: Call, callee: Member, base: Value) -> Value:
        name, line = callee.name, expr.line
        kind, inner = base.type.name, self.resolved(base.type.args[0])
        if name == "size" and kind == "array" and base.type.extent is not None:
            return Value(f"{self.value(base.type.extent).text}", ULONG, atom=True, small=True)
        found = self._common(name, base) or (self._ends(name, base) if kind in ("vector", "deque") else None)
        if found is not None:
            return found
        text = base.inner
        match name, len(expr.args):
            case ("push_back" | "push" | "emplace_back" | "emplace" | "push_front", count):
                return self._pushed(expr, text, inner, front=name == "push_front", many=count)
            case ("pop_back", 0):
                return self._effect(f"{text}.pop()")
            case ("pop", 0):
                return self._effect(f"{text}.pop({'' if kind == 'stack' else '0'})")
            case ("pop_front", 0):
                return self._effect(f"{text}.pop(0)")
            case ("back" | "top", 0):
                return Value(f"{text}[-1]", inner, atom=True)
            case ("front", 0):
                return Value(f"{text}[0]", inner, atom=True)
            case ("at", 1):
                return Value(f"{text}[{self.value(expr.args[0]).text}]", inner, atom=True)
            case ("clear", 0):
                return self._effect(f"{text}.clear()")
            case ("reserve" | "shrink_to_fit", _):
                return Value("", VOID)
            case ("resize" | "assign", 1 | 2):
                return self._sized(expr, name, base, inner)
            case ("erase", _):
                return self._erased(expr, base)
            case ("insert", 2 | 3):
                return self._inserted(expr, base, inner)
        raise NotCovered(f".{name}() of a {kind}", line)

    def _pushed(self, expr: Call, text: str, inner: Type, *, front: bool, many: int) -> Value:
        if many == 1:
            value = self.element(expr.args[0], inner, expr.line)
        else:
            braces = inner.name not in ("vector", "string", "deque")
            value = self.make(Make(expr.line, inner, expr.args, braces=braces), [])
        return self._effect(f"{text}.insert(0, {value.text})" if front else f"{text}.append({value.text})")

    def _sized(self, expr: Call, name: str, base: Value, inner: Type) -> Value:
        count = self.value(expr.args[0])
        if count.type.name == "iter" and name == "assign":
            (c, low), (_, high) = (self.base_and_place(self.value(arg), expr.line) for arg in expr.args)
            return self._effect(f"{base.inner}[:] = {self.helper('copied')}({self.helper('part')}({c}, {low}, {high}))")
        count = self.fit(count, LONG, expr.line)
        if len(expr.args) == 2:
            filler = self.element(expr.args[1], inner, expr.line)
            if not self.is_scalar(inner):
                filler = Value(self.copied(Value(self.steady(filler).text, inner, atom=True)), inner)
        else:
            filler = Value(self.default(inner, expr.line), inner)
        if name == "assign":
            return self._effect(f"{base.inner}[:] = [{filler.text} for _ in range({count.text})]")
        size = self.steady(count).text
        self.line(f"del {base.inner}[{size}:]")
        return self._effect(f"{base.inner}.extend([{filler.text} for _ in range({size} - len({base.text}))])")

    def _erased(self, expr: Call, base: Value) -> Value:
        places = [self.base_and_place(self.value(arg), expr.line)[1] for arg in expr.args]
        if len(places) == 1:
            return self._effect(f"del {base.inner}[{places[0]}]")
        return self._effect(f"del {base.inner}[{places[0]}:{places[1]}]")

    def _inserted(self, expr: Call, base: Value, inner: Type) -> Value:
        _, at = self.base_and_place(self.value(expr.args[0]), expr.line)
        if len(expr.args) == 2:
            value = self.element(expr.args[1], inner, expr.line)
            return self._effect(f"{base.inner}.insert({at}, {value.text})")
        (c, low), (_, high) = (self.base_and_place(self.value(arg), expr.line) for arg in expr.args[1:])
        part = f"{self.helper('copied')}({self.helper('part')}({c}, {low}, {high}))"
        return self._effect(f"{base.inner}[{at}:{at}] = {part}")

    def _of_string(self, expr: Call, callee: Member, base: Value) -> Value:
        name, line = callee.name, expr.line
        if (found := self._common(name, base) or self._ends(name, base)) is not None:
            return found
        text, args = base.inner, expr.args
        match name, len(args):
            case ("push_back", 1):
                return self._effect(f"{text}.append({self.value(args[0]).text})")
            case ("pop_back", 0):
                return self._effect(f"{text}.pop()")
            case ("clear", 0):
                return self._effect(f"{text}.clear()")
            case ("c_str" | "data", 0):
                return Value(text, STRING, atom=True)
            case ("back", 0):
                return Value(f"{text}[-1]", CHAR, atom=True)
            case ("front", 0):
                return Value(f"{text}[0]", CHAR, atom=True)
            case ("at", 1):
                return Value(f"{text}[{self.value(args[0]).text}]", CHAR, atom=True)
            case ("substr", 1):
                return Value(f"{text}[{self.value(args[0]).text}:]", STRING, atom=True, fresh=True)
            case ("substr", 2):
                start, count = self.in_order(*(lambda arg=arg: self.value(arg) for arg in args))
                low = self.steady(start)
                return Value(f"{text}[{low.text}:{low.inner} + {count.inner}]", STRING, atom=True, fresh=True)
            case ("find", 1 | 2):
                values = self.in_order(*(lambda arg=arg: self.value(arg) for arg in args))
                part = (
                    f"[{values[0].text}]" if values[0].type.name == "char" else self.fit(values[0], STRING, line).text
                )
                start_ = f", {values[1].text}" if len(values) > 1 else ""
                return Value(f"{self.helper('search')}({text}, {part}{start_})", ULONG, atom=True)
            case ("resize" | "assign", 1 | 2):
                return self._sized(expr, name, base, CHAR)
            case ("append", 1):
                return self._effect(f"{text}.extend({self.fit(self.value(args[0]), STRING, line).text})")
            case ("insert", 2):
                at, what = self.in_order(*(lambda arg=arg: self.value(arg) for arg in args))
                if at.type.name == "iter":
                    return self._effect(f"{text}.insert({self.base_and_place(at, line)[1]}, {what.text})")
                place = self.steady(at).text
                return self._effect(f"{text}[{place}:{place}] = {self.fit(what, STRING, line).text}")
            case ("erase", 1 | 2):
                return self._erased_text(expr, base)
            case ("compare", 1):
                other = self.fit(self.steady(self.value(args[0])), STRING, line).inner
                return Value(f"({text} > {other}) - ({text} < {other})", INT)
        raise NotCovered(f".{name}() of a string", line)

    def _erased_text(self, expr: Call, base: Value) -> Value:
        values = self.in_order(*(lambda arg=arg: self.value(arg) for arg in expr.args))
        if values[0].type.name == "iter":
            return self._erased(expr, base)
        low = self.steady(values[0])
        end = f"{low.inner} + {values[1].inner}" if len(values) > 1 else ""
        return self._effect(f"del {base.inner}[{low.text}:{end}]")

    def _of_heap(self, expr: Call, callee: Member, base: Value) -> Value:
        inner = self.resolved(base.type.args[0])
        if (found := self._common(callee.name, base)) is not None:
            return found
        match callee.name:
            case "push" | "emplace":
                many = callee.name == "emplace" and len(expr.args) > 1
                arg: Expr = Make(expr.line, None, expr.args, braces=True) if many else expr.args[0]
                return self._effect(f"{base.inner}.push({self.element(arg, inner, expr.line).text})")
            case "pop":
                return self._effect(f"{base.inner}.values.pop()")
            case "top":
                return Value(f"{base.inner}.values[-1]", inner, atom=True)
        raise NotCovered(f".{callee.name}() of a priority queue", expr.line)

    def _of_tree(self, expr: Call, callee: Member, base: Value) -> Value:
        name, line, text = callee.name, expr.line, base.inner
        kind, key = base.type.name, self.resolved(base.type.args[0])
        if name in ("begin", "rbegin") and kind in ("uset", "umap"):
            raise NotCovered(f"the order of a {kind}", line)
        if (found := self._common(name, base)) is not None:
            return found
        place = Type("iter", base.type.args, of=kind)
        if name in ("begin", "cbegin", "end", "cend"):
            return Value("", place, base=text, at="0" if name.endswith("begin") else f"len({text})")
        if name == "rbegin":
            return Value("", place, base=text, at=f"len({text}) - 1")
        if name == "clear":
            return self._effect(f"{text}.clear()")
        if name in ("reserve", "max_load_factor"):
            return Value("", VOID)
        if name in ("insert", "emplace"):
            return self._put_in(expr, base)
        if name == "erase" and len(expr.args) == 1:
            brace = isinstance(expr.args[0], Make) and expr.args[0].type is None
            value = self.element(expr.args[0], key, line) if brace else self.value(expr.args[0])
            if value.type.name == "iter":
                return self._effect(f"{text}.pop({self.base_and_place(value, line)[1]})")
            return Value(f"{text}.remove({self.frozen(value, key, line)})", ULONG, atom=True, small=True)
        if len(expr.args) == 1:
            wanted = self.frozen(self.element(expr.args[0], key, line), key, line)
            if name == "count":
                return Value(f"{text}.count({wanted})", ULONG, atom=True, small=True)
            if name == "find":
                return Value("", place, base=text, at=f"{text}.find({wanted})")
            if name in ("lower_bound", "upper_bound"):
                bisect = self.helper("bisect_left" if name == "lower_bound" else "bisect_right")
                return Value("", place, base=text, at=f"{bisect}({text}.k, {wanted})")
            if name == "at" and kind in ("map", "umap"):
                return Value(f"{text}[{wanted}]", self.resolved(base.type.args[1]), atom=True)
        raise NotCovered(f".{name}() of a {kind}", line)

    def _put_in(self, expr: Call, base: Value) -> Value:
        line, key = expr.line, self.resolved(base.type.args[0])
        if base.type.name in ("map", "umap"):
            if len(expr.args) == 2:
                first, second = (self.element(arg, base.type.args[n], line) for n, arg in enumerate(expr.args))
            else:
                pair = self.steady(self.element(expr.args[0], Type("pair", base.type.args), line))
                first = Value(f"{pair.text}[0]", key, atom=True)
                second = Value(f"{pair.text}[1]", base.type.args[1], atom=True)
            return self._effect(f"{base.inner}.add({self.frozen(first, key, line)}, {second.text})")
        many = len(expr.args) > 1
        if many and isinstance(expr.args[0], Call):
            with self.apart():
                first = self.value(expr.args[0])
            if first.type.name == "iter":
                made = self.make(Make(line, base.type, expr.args), [])
                self.line(f"for one in {made.text}.k:")
                return self._effect(f"    {base.inner}.insert(one)")
        arg: Expr = Make(line, None, expr.args, braces=True) if many else expr.args[0]
        return self._effect(f"{base.inner}.insert({self.frozen(self.element(arg, key, line), key, line)})")
