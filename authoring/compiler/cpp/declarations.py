"""Reads declarations: variables, functions, structs, templates."""

from __future__ import annotations

from authoring.compiler.cpp.expressions import Expressions
from authoring.compiler.cpp.nodes import (
    VOID,
    Block,
    Expr,
    Function,
    Make,
    NotCovered,
    Struct,
    Type,
    Unit,
    Variable,
)
from authoring.compiler.cpp.reading import referred
from authoring.compiler.cpp.tokens import Token

_OPERATORS = {"<", ">", "==", "!=", "+", "-", "*", "<=", ">=", "()", "+=", "-=", "*=", "[]", "%", "/", "=", "<<", ">>"}


class Declarations(Expressions):
    """What a program is made of."""

    def __init__(self, found: list[Token]) -> None:
        super().__init__(found)
        self.generics: set[str] = set()
        self._inside = ""

    def unit(self) -> Unit:
        """The program."""
        parts = list[Variable | Function | Struct]()
        while self.token.kind != "end":
            parts += self._part()
        return Unit(parts)

    def _part(self) -> list[Variable | Function | Struct]:
        if self.take(";"):
            return []
        if self.take("using"):
            self._using()
            return []
        if self.take("template"):
            return self._template_part()
        if self.is_op("typedef"):
            self._typedef()
            return []
        if self.is_op("struct", "class") and (self.peek(2).text in ("{", ":") or self.peek().text == "{"):
            return self._struct()
        if self.is_op("struct", "class") and self.peek(2).text == ";":
            raise NotCovered("a struct that is only announced", self.line)
        if self.is_op("namespace", "enum", "union", "asm"):
            raise NotCovered(self.token.text, self.line)
        return [*self._declared(top=True)]

    def _using(self) -> None:
        if self.take("namespace"):
            self.at += 2
            return
        if self.peek().text == "=":
            name = self.name()
            self.at += 1
            self.types[-1][name] = self.type_with_marks()
        else:
            while not self.is_op(";"):
                self.at += 1
        self.need(";")

    def _typedef(self) -> None:
        self.need("typedef")
        base = self.type()
        while not self.is_op(";"):
            type_, name = base, ""
            while self.take("*"):
                type_ = Type("iter", (type_,), of="array")
            name = self.name()
            self.types[-1][name] = self._extents(type_)
            self.take(",")
        self.need(";")

    def _template_part(self) -> list[Variable | Function | Struct]:
        self.need("<")
        names = list[str]()
        while not self.take(">"):
            if not self.take("typename", "class"):
                raise NotCovered("a template over values", self.line)
            if self.is_op("..."):
                return self._skip_pack()
            names.append(self.name())
            self.take(",")
        self.open_scope()
        for name in names:
            self.types[-1][name] = Type("param", of=name)
        try:
            found = self._part()
        finally:
            self.close_scope()
        for part in found:
            if not isinstance(part, Function):
                raise NotCovered("a template of a struct", part.line)
            part.parameters = tuple(names)
            self.generics.add(part.name)
        return list(found)

    def _skip_pack(self) -> list[Variable | Function | Struct]:
        """A template with a parameter pack is debugging output; where it is used, its name is not known."""
        while not self.is_op("{", ";"):
            self.at += 1
        if self.take(";"):
            return []
        depth = 0
        while True:
            depth += self.is_op("{") - self.is_op("}")
            self.at += 1
            if depth == 0 or self.token.kind == "end":
                return []

    def _struct(self) -> list[Variable | Function | Struct]:
        line = self.line
        self.at += 1
        name = self.name() if self.token.kind == "id" else f"Unnamed{line}"
        if self.is_op(":"):
            raise NotCovered("inheritance", line)
        self.types[-1][name] = Type("struct", of=name)
        self.need("{")
        self.open_scope()
        found, outer, self._inside = Struct(line, name, [], [], []), self._inside, name
        while not self.take("}"):
            if self.is_op("public", "private", "protected"):
                self.at += 1
                self.need(":")
                continue
            if self.take(";"):
                continue
            if self.is_op("template", "struct", "typedef", "using", "static", "~", "union", "enum"):
                raise NotCovered(f"{self.token.text} inside a struct", self.line)
            for part in self._declared(top=True):
                if isinstance(part, Variable):
                    found.fields.append(part)
                elif part.name == name:
                    found.makers.append(part)
                else:
                    found.methods.append(part)
        self.close_scope()
        self._inside = outer
        parts: list[Variable | Function | Struct] = [found]
        if not self.is_op(";"):
            parts += self._variables(Type("struct", of=name))
        self.need(";")
        return parts

    def _declared(self, *, top: bool) -> list[Variable | Function]:
        """One declaration: variables, or a function where those may stand."""
        line, static = self.line, self.is_op("static")
        if top and self.token.text == self._inside and self.peek().text == "(":
            name = self.name()
            return [self._function(line, name, VOID, maker=True)]
        base = self.type()
        type_ = base
        place = self.at
        while self.is_op("&", "*", "&&", "const"):
            type_ = (
                type_
                if self.is_op("const")
                else referred(type_)
                if not self.is_op("*")
                else Type("iter", (type_,), of="array")
            )
            self.at += 1
        if top and self.is_op("operator"):
            return [self._function(line, self._operator_name(), type_)]
        if top and self.token.kind == "id" and self.peek().text == "(" and self._is_function():
            return [self._function(line, self.name(), type_)]
        self.at = place
        found = self._variables(base)
        self.need(";")
        for one in found:
            one.static = static and not top
        return [*found]

    def _operator_name(self) -> str:
        self.need("operator")
        op = self._operator()
        self._pass(op)
        if op in ("(", "["):
            self.at += 1
            op += ")" if op == "(" else "]"
        if op not in _OPERATORS:
            raise NotCovered(f"operator{op}", self.line)
        return f"operator{op}"

    def _is_function(self) -> bool:
        """``int f(int a)`` and ``int f()`` as against ``int v(n)``."""
        place = self.at
        self.at += 2
        found = self.is_op(")", "void") or (self.starts_type() and self._reads_parameter())
        self.at = place
        return found

    def _reads_parameter(self) -> bool:
        try:
            self.type_with_marks()
        except NotCovered:
            return False
        return self.token.kind == "id" or self.is_op(",", ")", "[")

    def _function(self, line: int, name: str, result: Type, *, maker: bool = False) -> Function:
        self.open_scope()
        params = self.parameters()
        for param in params:
            self.hidden[-1].add(param.name)
        self.take("const")
        self.take("noexcept")
        if self.take("->"):
            result = self.type_with_marks()
        inits = list[tuple[str, list[Expr]]]()
        if maker and self.take(":"):
            while not self.is_op("{"):
                field_ = self.name()
                end = ")" if self.take("(") else "}"
                if end == "}":
                    self.need("{")
                inits.append((field_, self._arguments(end)))
                self.take(",")
        found = Function(line, name, result, params, Block(line, []), inits=inits)
        if self.take(";"):
            found.name = f"{name};"  # announced only; the body comes later
        elif self.is_op("{"):
            found.body = self.block()
        else:
            raise NotCovered(f"“{self.token.text[:20]}” behind the head of {name}", self.line)
        self.close_scope()
        return found

    def parameters(self) -> list[Variable]:
        """``(int a, int &b, int c[])``."""
        found = list[Variable]()
        self.need("(")
        if self.is_op("void") and self.peek().text == ")":
            self.at += 1
        while not self.take(")"):
            line = self.line
            type_ = self.type_with_marks()
            name = self.name() if self.token.kind == "id" else f"_unnamed{len(found)}"
            if self.is_op("["):
                self.at += 1
                while not self.take("]"):
                    self.at += 1
                inner = self._extents(type_)
                type_ = Type("iter", (inner,), of="array")
            found.append(Variable(line, name, type_, self.assignment() if self.take("=") else None))
            self.take(",")
        return found

    def _variables(self, base: Type) -> list[Variable]:
        """``a, b = 1, c[10], d(3)`` behind a type."""
        found = list[Variable]()
        while True:
            line, type_ = self.line, base
            while self.is_op("&", "*", "&&", "const"):
                if self.is_op("*"):
                    type_ = Type("iter", (type_,), of="array")
                elif not self.is_op("const"):
                    type_ = referred(type_)
                self.at += 1
            if self.is_op("["):
                found.append(self._bound(line, type_))
                return found
            if type_.name == "opaque":
                name = self.name()
                while not self.is_op(";") and self.token.kind != "end":
                    self.at += 1
                self.hidden[-1].add(name)
                return [Variable(line, name, type_)]
            wrapped = self.take("(")
            name = self.name()
            if wrapped:
                self.need(")")
            type_ = self._extents(type_)
            init = self._initial(type_)
            self.hidden[-1].add(name)
            found.append(Variable(line, name, type_, init))
            if not self.take(","):
                return found

    def _bound(self, line: int, type_: Type) -> Variable:
        self.need("[")
        names = list[str]()
        while not self.take("]"):
            names.append(self.name())
            self.take(",")
        self.hidden[-1].update(names)
        init = self.assignment() if self.take("=") else None
        return Variable(line, "", type_, init, tuple(names))

    def _initial(self, type_: Type) -> Expr | None:
        if self.take("="):
            return self.braces(None) if self.is_op("{") else self.assignment()
        if self.is_op("{"):
            return self.braces(type_)
        if self.is_op("("):
            line = self.line
            self.at += 1
            return Make(line, type_, self._arguments(")"))
        return None

    def _extents(self, type_: Type) -> Type:
        extents = list[Expr | None]()
        while self.take("["):
            extents.append(None if self.is_op("]") else self.expression())
            self.need("]")
        for extent in reversed(extents):
            type_ = Type("array", (type_,), extent=extent)
        return type_
