"""Reads expressions."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from authoring.compiler.cpp.nodes import (
    AUTO,
    Assign,
    Binary,
    Block,
    Call,
    Choice,
    Expr,
    Index,
    Lambda,
    Make,
    Member,
    Name,
    NotCovered,
    SizeOf,
    Text,
    Type,
    Unary,
    Variable,
)
from authoring.compiler.cpp.reading import Reading, characters, plain

_LEVELS = (("||",), ("&&",), ("|",), ("^",), ("&",), ("==", "!="), ("<", ">", "<=", ">="), ("<<", ">>"), ("+", "-"))
LEVELS = (*_LEVELS, ("*", "/", "%"))
SUM = 8
_ASSIGNS = {"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="}
_CASTS = {"static_cast", "const_cast", "reinterpret_cast"}
_GENERIC = {"max", "min", "make_pair", "swap", "accumulate", "__gcd", "gcd", "lcm", "get", "make_tuple", "abs"}

_Made: TypeAlias = "Callable[[Name, Expressions], Expr]"


class Expressions(Reading):
    """Recursive descent by precedence."""

    generics: set[str]

    def expression(self) -> Expr:
        """With commas."""
        left = self.assignment()
        while self.is_op(","):
            line = self.line
            self.at += 1
            left = Binary(line, ",", left, self.assignment())
        return left

    def assignment(self) -> Expr:
        """Without commas."""
        line, left = self.line, self.binary(0)
        if self.take("?"):
            yes = self.expression()
            self.need(":")
            return Choice(line, left, yes, self.assignment())
        op = self._operator()
        if op in _ASSIGNS:
            self._pass(op)
            value = self.braces(None) if self.is_op("{") else self.assignment()
            return Assign(line, op, left, value)
        return left

    def sum_expression(self) -> Expr:
        """Above comparisons, as inside ``<…>``."""
        return self.binary(SUM)

    def _operator(self) -> str:
        """The operator that stands here, ``>>`` and ``>>=`` put together."""
        token = self.token
        if token.kind != "op":
            return ""
        if token.text == ">" and self.peek().kind == "op" and self.peek().glued:
            if self.peek().text == ">":
                return ">>"
            if self.peek().text == ">=":
                return ">>="
        return token.text

    def _pass(self, op: str) -> None:
        self.at += 2 if op in (">>", ">>=") else 1

    def binary(self, level: int) -> Expr:
        """Operators of a level and those that bind closer."""
        if level == len(LEVELS):
            return self.unary()
        left = self.binary(level + 1)
        while (op := self._operator()) in LEVELS[level]:
            line = self.line
            self._pass(op)
            left = Binary(line, op, left, self.binary(level + 1))
        return left

    def unary(self) -> Expr:
        """Prefix operators and casts."""
        line, token = self.line, self.token
        if token.kind == "op" and token.text in ("-", "+", "!", "~", "*", "&", "++", "--"):
            self.at += 1
            return Unary(line, token.text, self.unary())
        if token.text == "sizeof":
            return self._sizeof()
        if token.text in ("new", "delete", "throw", "goto", "try", "dynamic_cast"):
            raise NotCovered(token.text, line)
        if self.is_op("("):
            place = self.at
            self.at += 1
            if self.starts_type():
                try:
                    type_ = self.type_with_marks()
                    if self.take(")") and self.is_op("{"):
                        return self._postfix(self.braces(plain(type_)))
                    if self.tokens[self.at - 1].text == ")" and not self.is_op(")", ";", ",", "]"):
                        return Make(line, plain(type_), [self.unary()])
                except NotCovered:
                    pass
            self.at = place
        return self._postfix(self._primary())

    def _sizeof(self) -> Expr:
        line = self.line
        self.at += 1
        if self.is_op("("):
            self.at += 1
            inner = self.type_with_marks() if self.starts_type() else self.expression()
            self.need(")")
            return SizeOf(line, inner)
        return SizeOf(line, self.unary())

    def _postfix(self, found: Expr) -> Expr:
        while True:
            line = self.line
            if self.take("("):
                found = Call(line, found, self._arguments(")"))
            elif self.take("["):
                found = Index(line, found, self.expression())
                self.need("]")
            elif self.is_op(".", "->"):
                arrow = self.token.text == "->"
                self.at += 1
                self.take("template")
                found = Member(line, found, self.name(), arrow)
            elif self.is_op("++", "--"):
                found = Unary(line, f"post{self.token.text}", found)
                self.at += 1
            else:
                return found

    def _arguments(self, end: str) -> list[Expr]:
        found = list[Expr]()
        while not self.take(end):
            found.append(self.braces(None) if self.is_op("{") else self.assignment())
            if not self.is_op(end):
                self.need(",")
        return found

    def braces(self, type_: Type | None) -> Make:
        """``{a, b}``."""
        line = self.line
        self.need("{")
        return Make(line, type_, self._arguments("}"), braces=True)

    def _primary(self) -> Expr:
        line, token = self.line, self.token
        if token.kind in ("num", "char"):
            return self.literal()
        if token.kind == "str":
            self.at += 1
            return Text(line, bytes(characters(token.text[1:-1], line)).decode("ascii"))
        if self.take("("):
            inner = self.expression()
            self.need(")")
            return inner
        if self.is_op("["):
            return self._lambda()
        if token.text in _CASTS:
            self.at += 1
            self.need("<")
            type_ = self.type_with_marks()
            self.need(">")
            self.need("(")
            inner = self.expression()
            self.need(")")
            return Make(line, plain(type_), [inner])
        if self.starts_type():
            return self._made()
        if token.text == "::":
            self.at += 1
        return self._named()

    def _made(self) -> Expr:
        line = self.line
        type_ = self.type()
        if self.take("("):
            return Make(line, type_, self._arguments(")"))
        if self.is_op("{"):
            return self.braces(type_)
        raise NotCovered(f"the type {type_.name} in an expression", line)

    def _named(self) -> Expr:
        line, name, std = self.line, self.name(), False
        while self.is_op("::"):
            std = std or name == "std"
            if name not in ("std", "ios", "ios_base", "numeric_limits", "string"):
                raise NotCovered(f"{name}::", line)
            self.at += 1
            owner, name = name, self.name()
            if owner == "string" and name != "npos":
                raise NotCovered(f"string::{name}", line)
            if self.starts_type_after_std(owner, name):
                self.at -= 1
                return self._made()
        if name == "numeric_limits":
            return self._limits(line)
        if self.is_op("<") and (name in _GENERIC or name in self.generics):
            place = self.at
            self.at += 1
            try:
                if self.starts_type() or name == "get":
                    args = self._type_arguments() if name != "get" else self._get_argument()
                    if self.is_op("("):
                        return args(Name(line, name, std), self)
            except NotCovered:
                pass
            self.at = place
        return Name(line, name, std)

    def starts_type_after_std(self, owner: str, name: str) -> bool:
        """``std::vector<…>(…)`` in an expression."""
        return owner == "std" and name in ("string", "vector", "pair", "greater", "less") and self.is_op("<", "(")

    def _limits(self, line: int) -> Expr:
        self.need("<")
        type_ = self.type()
        self.need(">")
        self.need("::")
        which = self.name()
        self.need("(")
        self.need(")")
        return Call(line, Name(line, f"numeric_limits::{which}"), [Make(line, type_, [])])

    def _type_arguments(self) -> _Made:
        types = list[Type]()
        while True:
            types.append(self.type_with_marks())
            if not self.take(","):
                break
        self.need(">")

        def made(name: Name, reading: Expressions) -> Expr:
            reading.need("(")
            args = reading._arguments(")")
            if name.name in ("max", "min", "__gcd", "gcd", "lcm"):
                args = [Make(name.line, types[0], [arg]) for arg in args]
            return Call(name.line, name, args)

        return made

    def _get_argument(self) -> _Made:
        number = self.literal()
        self.need(">")

        def made(name: Name, reading: Expressions) -> Expr:
            reading.need("(")
            return Call(name.line, name, [number, *reading._arguments(")")])

        return made

    def _lambda(self) -> Expr:
        line = self.line
        self.need("[")
        if not self.is_op("]") and not (self.take("&") and self.is_op("]")):
            raise NotCovered("a lambda that captures by value", line)
        self.need("]")
        params = self.parameters() if self.is_op("(") else []
        self.take("mutable")
        result = self.type_with_marks() if self.take("->") else AUTO
        return Lambda(line, params, result, self.block())

    def parameters(self) -> list[Variable]:
        """``(int a, int &b)``."""
        raise NotImplementedError

    def block(self) -> Block:
        """``{ … }``."""
        raise NotImplementedError
