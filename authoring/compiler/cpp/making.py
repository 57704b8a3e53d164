"""Writes values of a type: constructors, casts, initialiser lists."""

from __future__ import annotations

from collections.abc import Sequence

from authoring.compiler.cpp.base import RANK
from authoring.compiler.cpp.library import Library
from authoring.compiler.cpp.nodes import (
    INTEGERS,
    LONG,
    STRING,
    VOID,
    Call,
    Expr,
    Make,
    Name,
    NotCovered,
    Type,
)
from authoring.compiler.cpp.values import Value, Written


class Making(Library):
    """``T(a, b)``, ``T{a, b}`` and ``(T)a``."""

    def _chosen(self, key: str, expr: Call) -> Written:
        raise NotImplementedError

    def _argument(self, type_: Type, value: Value, line: int) -> str:
        raise NotImplementedError

    def make(self, node: Make, given: Sequence[Value]) -> Value:
        """``T(a, b)``, ``T{a, b}`` and ``(T)a``."""
        if node.type is None:
            raise NotCovered("an initialiser list", node.line)
        type_ = self.resolved(node.type)
        name = type_.name
        if not node.args and not given:
            return Value(self.default(type_, node.line), type_, atom=True, fresh=True)
        if name in RANK or name == "cstr":
            if len(node.args) != 1:
                raise NotCovered(f"a {name} of {len(node.args)} values", node.line)
            return self.fit(self.value(node.args[0]), type_, node.line)
        if name == "struct":
            return self._struct(node, type_, given)
        if name == "pair":
            return self._pair(node, type_)
        if name == "string":
            return self._made_string(node)
        if name in ("vector", "array", "deque", "stack", "queue"):
            return self._made_list(node, type_)
        if name in ("set", "multiset", "uset", "map", "umap", "priority_queue"):
            return self._made_tree(node, type_)
        if name in ("iter", "function"):
            return self.fit(self.value(node.args[0]), type_, node.line)
        raise NotCovered(f"a {name} made of values", node.line)

    def element(self, arg: Expr, type_: Type, line: int) -> Value:
        """A value of that type for an initialiser, a nested list too."""
        if isinstance(arg, Make) and arg.type is None:
            return self.make(Make(line, self.resolved(type_), arg.args, braces=True), [])
        return self.fit(self.value(arg), type_, line)

    def elements(self, args: Sequence[Expr], types: Sequence[Type], line: int) -> list[str]:
        """The texts of several."""
        pairs = list(zip(args, types, strict=True))
        found = self.in_order(*(lambda arg=arg, type_=type_: self.element(arg, type_, line) for arg, type_ in pairs))
        return [value.text for value in found]

    def _pair(self, node: Make, type_: Type) -> Value:
        if len(node.args) == 1 and not node.braces:
            return self.fit(self.value(node.args[0]), type_, node.line)
        if len(node.args) != len(type_.args):
            raise NotCovered("a pair of other than its values", node.line)
        texts = self.elements(node.args, type_.args, node.line)
        return Value(f"[{', '.join(texts)}]", type_, atom=True, fresh=True)

    def _made_string(self, node: Make) -> Value:
        if len(node.args) == 1:
            return self.fit(self.value(node.args[0]), STRING, node.line)
        values = self.in_order(*(lambda arg=arg: self.value(arg) for arg in node.args))
        if len(values) == 2 and values[0].type.name in INTEGERS and values[1].type.name == "char":
            return Value(f"[{values[1].text}] * {values[0].inner}", STRING, fresh=True)
        if len(values) == 2 and values[0].type.name == "iter":
            return self._part_of(values, STRING, node.line)
        raise NotCovered("a string made of these values", node.line)

    def _part_of(self, values: Sequence[Value], type_: Type, line: int) -> Value:
        (c, low), (_, high) = (self.base_and_place(value, line) for value in values)
        if values[0].type.of in ("set", "multiset", "uset"):
            return Value(f"{self.helper('thawed')}(tuple({c}.k[{low}:{high}]))", type_, atom=True, fresh=True)
        text = f"{self.helper('part')}({c}, {low}, {high})"
        if not self.is_scalar(values[0].type.args[0]):
            text = f"{self.helper('copied')}({text})"
        return Value(text, type_, atom=True, fresh=True)

    def _made_list(self, node: Make, type_: Type) -> Value:
        inner = self.resolved(type_.args[0]) if type_.args else VOID
        if node.braces:
            node = self._grouped(node, type_, inner)
            texts = self.elements(node.args, [inner] * len(node.args), node.line)
            text = f"[{', '.join(texts)}]"
            if type_.name == "array" and "Lazy(" in (whole := self.default(type_, node.line) if type_.extent else ""):
                name = self.temporary()
                self.line(f"{name} = {whole}")
                self.line(f"{self.helper('put')}({name}, 0, {text})")
                return Value(name, type_, atom=True, fresh=True)
            if type_.name == "array" and type_.extent is not None:
                count = self.constant(type_.extent)
                if count is None or count > 4096:
                    raise NotCovered("a long array with values", node.line)
                if count > len(texts):
                    text += f" + [{self.default(inner)} for _ in range({count - len(texts)})]"
            return Value(text, type_, atom=type_.extent is None, fresh=True)
        if len(node.args) == 1:
            value = self.value(node.args[0])
            if value.type.name not in RANK:
                return self.fit(value, type_, node.line)
            value = self.fit(value, LONG, node.line)
            default = self.default(inner, node.line)
            if self.is_scalar(inner):
                return Value(f"[{default}] * {value.inner}", type_, fresh=True)
            return Value(f"[{default} for _ in range({value.text})]", type_, atom=True, fresh=True)
        if len(node.args) != 2:
            raise NotCovered(f"a {type_.name} of {len(node.args)} values", node.line)
        first, second = self.in_order(lambda: self.value(node.args[0]), lambda: self._filler(node.args[1], inner))
        if first.type.name == "iter" or first.type.name == "array":
            return self._part_of((first, second), type_, node.line)
        first = self.fit(first, LONG, node.line)
        if self.is_scalar(inner):
            return Value(f"[{self.fit(second, inner, node.line).text}] * {first.inner}", type_, fresh=True)
        fill = second.text if not second.fresh or second.text.isidentifier() else self.steady(second).text
        filled = Value(fill, inner, atom=fill.isidentifier())
        return Value(f"[{self.copied(filled)} for _ in range({first.text})]", type_, atom=True, fresh=True)

    def _grouped(self, node: Make, type_: Type, inner: Type) -> Make:
        """A flat list of values for an array of arrays, row by row."""
        if type_.name != "array" or inner.name != "array" or inner.extent is None:
            return node
        width = self.constant(inner.extent)
        if not width or any(isinstance(arg, Make) and arg.type is None for arg in node.args):
            return node
        rows = [node.args[at : at + width] for at in range(0, len(node.args), width)]
        return Make(node.line, type_, [Make(node.line, None, list(row), braces=True) for row in rows], braces=True)

    def _filler(self, arg: Expr, inner: Type) -> Value:
        if isinstance(arg, Make) and arg.type is None:
            return self.make(Make(arg.line, inner, arg.args, braces=True), [])
        value = self.value(arg)
        return value

    def _made_tree(self, node: Make, type_: Type) -> Value:
        if not node.braces and len(node.args) == 1:
            return self.fit(self.value(node.args[0]), type_, node.line)
        name = self.temporary()
        self.line(f"{name} = {self.default(type_, node.line)}")
        if node.braces:
            for arg in node.args:
                if type_.name in ("map", "umap"):
                    if not (isinstance(arg, Make) and len(arg.args) == 2):
                        raise NotCovered("a map made of these values", node.line)
                    key = self.frozen(self.value(arg.args[0]), type_.args[0], node.line)
                    self.line(f"{name}[{key}] = {self.element(arg.args[1], type_.args[1], node.line).text}")
                elif type_.name == "priority_queue":
                    raise NotCovered("a priority queue made of values", node.line)
                else:
                    value = self.element(arg, type_.args[0], node.line)
                    self.line(f"{name}.insert({self.frozen(value, type_.args[0], node.line)})")
            return Value(name, type_, atom=True, fresh=True)
        if len(node.args) == 2 and type_.name in ("set", "multiset", "uset"):
            first, second = self.in_order(*(lambda arg=arg: self.value(arg) for arg in node.args))
            (c, low), (_, high) = self.base_and_place(first, node.line), self.base_and_place(second, node.line)
            item = self.frozen(
                Value("one", first.type.args[0] if first.type.args else type_.args[0], atom=True),
                type_.args[0],
                node.line,
            )
            self.line(f"for one in {self.helper('part')}({c}, {low}, {high}):")
            self.line(f"    {name}.insert({item})")
            return Value(name, type_, atom=True, fresh=True)
        raise NotCovered(f"a {type_.name} made of these values", node.line)

    def _struct(self, node: Make, type_: Type, given: Sequence[Value]) -> Value:
        struct = self.structs[type_.of]
        count = len(given) or len(node.args)
        if not given and len(node.args) == 1 and not (isinstance(node.args[0], Make) and node.args[0].type is None):
            with self.apart():
                only = self.value(node.args[0])
            if only.type.name == "struct" and only.type.of == type_.of:
                return self.fit(self.value(node.args[0]), type_, node.line)
        if struct.makers:
            key = f"{type_.of}.new"
            call = Call(node.line, Name(node.line, key), node.args)
            if given:
                fitting = [one for one in self.functions.get(key, ()) if len(one.node.params) == count]
                if len(fitting) != 1:
                    raise NotCovered(f"a {type_.of} made of one value", node.line)
                return Value(
                    f"{fitting[0].name}({self._argument(fitting[0].params[0], given[0], node.line)})",
                    type_, atom=True, fresh=True,
                )  # fmt: skip
            return self.called(call, self._chosen(key, call), node.args)
        if given or not node.braces:
            raise NotCovered(f"a {type_.of} made of one value", node.line)
        if count > len(struct.fields):
            raise NotCovered(f"a {type_.of} of {count} values", node.line)
        texts = self.elements(node.args, [one.type for one in struct.fields[:count]], node.line)
        return Value(f"{self.class_name(type_.of)}({', '.join(texts)})", type_, atom=True, fresh=True)
