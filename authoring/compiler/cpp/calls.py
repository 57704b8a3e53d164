"""Writes calls: functions of the program, of the standard library, and what makes values of a type."""

from __future__ import annotations

from collections.abc import Sequence

from authoring.compiler.cpp.base import arithmetic
from authoring.compiler.cpp.making import Making
from authoring.compiler.cpp.nodes import (
    AUTO,
    STRING,
    VOID,
    Call,
    Expr,
    Function,
    Make,
    Member,
    Name,
    NotCovered,
    Type,
    Unary,
)
from authoring.compiler.cpp.operators import METHOD_OF
from authoring.compiler.cpp.reading import plain
from authoring.compiler.cpp.values import Value, Written


class Calls(Making):
    """Calls of everything."""

    def call(self, expr: Call) -> Value:
        """A call.

        Raises:
            NotCovered: of something that is not known.
        """
        callee = expr.callee
        if isinstance(callee, Member):
            return self.method(expr, callee)
        if isinstance(callee, Name):
            found = None if callee.std else self._by_name(expr, callee)
            if found is not None:
                return found
            return self.library(expr, callee.name)
        value = self.value(callee)
        return self._of_value(expr, value)

    def _by_name(self, expr: Call, callee: Name) -> Value | None:
        name = callee.name
        try:
            known = self.look_up(name, expr.line)
        except NotCovered:
            known = None
        if known is not None:
            return self._of_value(expr, Value(known.text, self.resolved(known.type), atom=True))
        owner = self.owner()
        if owner and any(method.name == name for method in self.structs[owner].methods):
            return self.called(expr, self._method_named(owner, name, expr), expr.args, "self")
        if name in self.functions:
            return self.called(expr, self._chosen(name, expr), expr.args)
        if name in self.generic:
            return self._generic(expr, name)
        return None

    def _of_value(self, expr: Call, value: Value) -> Value:
        if value.type.name == "struct":
            return self.called(expr, self._method_named(value.type.of, "operator()", expr), expr.args, value.inner)
        if value.type.name != "function":
            raise NotCovered(f"a call of a {value.type.name}", expr.line)
        known = next((one for one in self.closures if one.name == value.text), None)
        if known is not None:
            return self.called(expr, known, expr.args)
        args = self.in_order(*(lambda arg=arg: self.value(arg) for arg in expr.args))
        wanted = value.type.args[1:] or [AUTO] * len(args)
        texts = [self.fit(one, plain(type_), expr.line).text for one, type_ in zip(args, wanted, strict=True)]
        return Value(f"{value.inner}({', '.join(texts)})", value.type.args[0], atom=True, fresh=True)

    def _method_named(self, owner: str, name: str, expr: Call) -> Written:
        key = f"{owner}.{name}"
        return self._chosen(key, expr)

    def _chosen(self, key: str, expr: Call) -> Written:
        """The overload that takes as many arguments, and those types."""
        found = [one for one in self.functions.get(key, ()) if self._takes(one, len(expr.args))]
        if len(found) == 1:
            return found[0]
        if not found:
            raise NotCovered(f"{key.rpartition('.')[2]} with {len(expr.args)} arguments", expr.line)
        with self.apart():
            types = [self.value(arg).type for arg in expr.args]
        exact = [one for one in found if [type_.name for type_ in one.params] == [type_.name for type_ in types]]
        if len(exact) != 1:
            raise NotCovered(f"{key} with several overloads", expr.line)
        return exact[0]

    @staticmethod
    def _takes(one: Written, count: int) -> bool:
        needed = sum(param.init is None for param in one.node.params)
        return needed <= count <= len(one.node.params)

    def called(self, expr: Call, written: Written, args: Sequence[Expr], on: str = "") -> Value:
        """A call of one of the program's functions; what it hands back for references is stored."""
        params = written.node.params
        given = [*args, *(param.init for param in params[len(args) :])]

        def one(number: int, arg: Expr | None) -> Value:
            assert arg is not None
            if number in written.outs:
                return self.target(arg)
            if isinstance(arg, Make) and arg.type is None:
                return self.make(Make(arg.line, plain(written.params[number]), arg.args, braces=True), [])
            return self.value(arg)

        values = self.in_order(*(lambda number=number, arg=arg: one(number, arg) for number, arg in enumerate(given)))
        texts = []
        for number, value in enumerate(values):
            type_ = self.resolved(params[number].type) if written.params == () else written.params[number]
            if type_.ref and not self.is_scalar(self.resolved(plain(type_))) and value.type.name == plain(type_).name:
                texts.append(value.text)
            else:
                texts.append(self.fit(value, plain(type_), expr.line).text)
        text = f"{on}.{written.name}" if on else written.name
        text = f"{text}({', '.join(texts)})"
        if not written.outs:
            fresh = not written.result.ref
            return Value(text, plain(written.result), atom=True, fresh=fresh)
        places = [values[number] for number in written.outs]
        for number in written.outs:
            target = given[number]
            if isinstance(target, Name):
                self.rebind(self.look_up(target.name, expr.line))
        if written.result.name == "void":
            self.line(f"{', '.join(place.text for place in places)} = {text}")
            return Value("", VOID)
        name = self.temporary()
        self.line(f"{', '.join([name, *(place.text for place in places)])} = {text}")
        return Value(name, plain(written.result), atom=True, fresh=True, fixed=True)

    def _generic(self, expr: Call, name: str) -> Value:
        """A template: one function for each list of types it is called with."""
        fitting = [one for one in self.generic[name] if len(one.params) == len(expr.args)]
        if len(fitting) != 1:
            raise NotCovered(f"the template {name}", expr.line)
        node = fitting[0]
        with self.apart():
            types = [self.value(arg).type for arg in expr.args]
        bound: dict[str, Type] = {}
        for param, type_ in zip(node.params, types, strict=True):
            self._bind(plain(param.type), type_, bound)
        missing = [one for one in node.parameters if one not in bound]
        if missing:
            raise NotCovered(f"the template {name} without its argument {missing[0]}", expr.line)
        key = f"{name}<{','.join(_spelled(bound[one]) for one in node.parameters)}>"
        if key not in self.functions:
            self.instantiate(key, node, bound)
        return self.called(expr, self.functions[key][0], expr.args)

    def _bind(self, param: Type, given: Type, bound: dict[str, Type]) -> None:
        if param.name == "param":
            type_ = STRING if given.name == "cstr" else plain(given)
            bound.setdefault(param.of, type_)
        for one, other in zip(param.args, given.args, strict=False):
            self._bind(one, other, bound)

    def instantiate(self, key: str, node: Function, bound: dict[str, Type]) -> None:
        """Write a template for some types."""
        raise NotImplementedError

    closures: list[Written]

    # ------------------------------------------------------------------ operators of structs

    def operate(self, op: str, left: Value, right: Value | None, line: int) -> Value:
        """An operator of a struct, as a method of the left one."""
        negated = {"!=": ("==", False), ">": ("<", True), ">=": ("<", False), "<=": ("<", True)}
        owner, other = left, right
        if owner.type.name == "struct":
            key = f"{owner.type.of}.operator{op}"
            if key not in self.functions and op in negated and right is not None:
                base, swapped = negated[op]
                inner = self.operate(base, right, left, line) if swapped else self.operate(base, left, right, line)
                return inner if op == ">" else Value(f"not {inner.inner}", inner.type)
            count = 0 if right is None else 1
            found = [one for one in self.functions.get(key, ()) if len(one.node.params) == count]
            exact = [one for one in found if right and one.params and plain(one.params[0]).name == right.type.name]
            found = exact if len(exact) == 1 else found
            if len(found) == 1 and not found[0].outs:
                args = "" if other is None else self._argument(found[0].params[0], other, line)
                text = f"{owner.inner}.{found[0].name}({args})"
                return Value(text, plain(found[0].result), atom=True, fresh=not found[0].result.ref)
        raise NotCovered(f"the operator {op} of a struct", line)

    def _argument(self, type_: Type, value: Value, line: int) -> str:
        if type_.ref and value.type.name == plain(type_).name:
            return value.text
        return self.fit(value, plain(type_), line).text

    # ------------------------------------------------------------------ values of a type


def _spelled(type_: Type) -> str:
    return f"{type_.name}{type_.of}({','.join(_spelled(arg) for arg in type_.args)})"


__all__ = ["METHOD_OF", "Calls", "Unary", "arithmetic"]
