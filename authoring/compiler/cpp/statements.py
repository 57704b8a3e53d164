"""Reads statements, declarations and the whole program."""

from __future__ import annotations

from authoring.compiler.cpp.declarations import Declarations
from authoring.compiler.cpp.nodes import (
    AUTO,
    Block,
    Do,
    Each,
    Expr,
    If,
    Jump,
    Loop,
    NotCovered,
    Number,
    Stmt,
    Switch,
    Unit,
    Variable,
)
from authoring.compiler.cpp.tokens import tokens


class Statements(Declarations):
    """The whole language, as far as it is known."""

    def block(self) -> Block:
        """``{ … }``."""
        found = Block(self.line, [])
        self.need("{")
        self.open_scope()
        while not self.take("}"):
            if self.token.kind == "end":
                raise NotCovered("a block that does not end", found.line)
            found.body.append(self.statement())
        self.close_scope()
        return found

    def statement(self) -> Stmt:
        """One statement."""
        line, word = self.line, self.token.text
        if self.is_op("{"):
            return self.block()
        if self.take(";"):
            return Block(line, [])
        match word:
            case "if":
                return self._if()
            case "while" | "do" | "for":
                self.open_scope()
                found = self._loop(line, word)
                self.close_scope()
                return found
            case "switch":
                return self._switch(line)
            case "break" | "continue" | "return":
                self.at += 1
                value = None if self.is_op(";") else self.braces(None) if self.is_op("{") else self.expression()
                self.need(";")
                return Jump(line, word, value)
            case "typedef":
                self._typedef()
                return Block(line, [])
            case "using":
                self.at += 1
                self._using()
                return Block(line, [])
            case "struct" | "class" if self.peek(2).text == "{":
                raise NotCovered("a struct inside a function", line)
            case "goto" | "try" | "throw" | "asm":
                raise NotCovered(word, line)
        if self._declares():
            variables = [one for one in self._declared(top=False) if isinstance(one, Variable)]
            return Block(line, [*variables], scope=False)
        expr = self.expression()
        self.need(";")
        return Do(line, expr)

    def _declares(self) -> bool:
        """Whether a declaration begins here, as against ``string(s)`` or ``a * b``."""
        if not self.starts_type():
            return False
        place = self.at
        try:
            self.type()
            while self.is_op("&", "*", "&&", "const"):
                self.at += 1
            wrapped = (
                self.is_op("(") and self.peek().kind == "id" and self.peek(2).text == ")" and self.peek(3).text == "="
            )
            return self.token.kind == "id" or self.is_op("[") or wrapped
        except NotCovered:
            return False
        finally:
            self.at = place

    def _if(self) -> Stmt:
        line = self.line
        self.at += 1
        self.take("constexpr")
        self.need("(")
        if self._declares():
            raise NotCovered("a declaration inside a condition", line)
        test = self.expression()
        self.need(")")
        yes = self.statement()
        return If(line, test, yes, self.statement() if self.take("else") else None)

    def _loop(self, line: int, word: str) -> Stmt:
        self.at += 1
        if word == "do":
            body = self.statement()
            self.need("while")
            self.need("(")
            test: Expr | None = self.expression()
            self.need(")")
            self.need(";")
            return Loop(line, word, test, body)
        self.need("(")
        if word == "while":
            test = self.expression()
            self.need(")")
            return Loop(line, word, test, self.statement())
        init: Stmt | None = None
        if self._declares():
            base = self.type()
            variables = self._variables(base)
            if self.take(":"):
                over = self.braces(None) if self.is_op("{") else self.expression()
                self.need(")")
                return Each(line, variables[0], over, self.statement())
            init = Block(line, list(variables), scope=False)
        elif not self.is_op(";"):
            init = Do(line, self.expression())
        self.need(";")
        test = None if self.is_op(";") else self.expression()
        self.need(";")
        step = None if self.is_op(")") else self.expression()
        self.need(")")
        return Loop(line, word, test, self.statement(), init, step)

    def _switch(self, line: int) -> Stmt:
        self.at += 1
        self.need("(")
        on = self.expression()
        self.need(")")
        self.need("{")
        cases = list[tuple[list[Expr | None], list[Stmt]]]()
        while not self.take("}"):
            labels = list[Expr | None]()
            while self.is_op("case", "default"):
                is_case = self.take("case")
                if not is_case:
                    self.need("default")
                labels.append(self.binary(0) if is_case else None)
                self.need(":")
            if labels:
                cases.append((labels, []))
            elif cases:
                cases[-1][1].append(self.statement())
            else:
                raise NotCovered("a switch without a case", line)
        return Switch(line, on, cases)


def read(code: str) -> Unit:
    """The syntax tree of a program.

    Raises:
        NotCovered: it uses something that is not known.
    """
    reading = Statements(tokens(code))
    try:
        return reading.unit()
    except RecursionError as error:
        raise NotCovered("a program nested too deeply") from error


__all__ = ["AUTO", "Number", "read"]
