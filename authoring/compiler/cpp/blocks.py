"""Writes statements."""

from __future__ import annotations

from authoring.compiler.cpp.base import walk
from authoring.compiler.cpp.nodes import (
    INT,
    Assign,
    Binary,
    Block,
    Call,
    Choice,
    Do,
    Each,
    Expr,
    If,
    Index,
    Jump,
    Lambda,
    Loop,
    Make,
    Member,
    Name,
    NotCovered,
    Stmt,
    Switch,
    Type,
    Unary,
    Variable,
)
from authoring.compiler.cpp.reading import plain
from authoring.compiler.cpp.streams import Streams
from authoring.compiler.cpp.values import Frame, Known, Value


class Blocks(Streams):
    """Statement by statement."""

    def block(self, statements: list[Stmt]) -> None:
        """Statements in a scope of their own."""
        self.frame.scopes.append({})
        mark = len(self.lines)
        for one in statements:
            self.statement(one)
            if self.lines[mark:] and isinstance(one, Jump):
                break
        if len(self.lines) == mark:
            self.line("pass")
        self.frame.scopes.pop()

    def body(self, statement: Stmt) -> None:
        """A statement that belongs to a head."""
        self.depth += 1
        self.block(statement.body if isinstance(statement, Block) and statement.scope else [statement])
        self.depth -= 1

    def statement(self, node: Stmt) -> None:
        """One statement."""
        match node:
            case Block(scope=False):
                for one in node.body:
                    self.statement(one)
            case Block():
                self.frame.scopes.append({})
                for one in node.body:
                    self.statement(one)
                self.frame.scopes.pop()
            case Variable():
                self.variable(node)
            case Do():
                self.effect(node.expr)
            case If():
                self._if(node)
            case Loop():
                self.loop(node)
            case Each():
                self.each(node)
            case Jump():
                self._jump(node)
            case Switch():
                self._switch(node)
            case _:
                raise NotCovered(type(node).__name__, node.line)

    def effect(self, expr: Expr) -> None:
        """An expression for its effect alone."""
        match expr:
            case Binary(op=","):
                self.effect(expr.left)
                self.effect(expr.right)
            case Unary(op="++" | "--" | "post++" | "post--"):
                self.increase(expr, self.place(expr.inner))
            case Binary(op="<<") if self.printed(expr):
                pass
            case Binary(op=">>") if self._reads(expr):
                pass
            case Assign(target=Choice() as choice):
                yes = Assign(expr.line, expr.op, choice.yes, expr.value)
                no = Assign(expr.line, expr.op, choice.no, expr.value)
                self._if(If(expr.line, choice.test, Do(expr.line, yes), Do(expr.line, no)))
            case Call(callee=Name(name="scanf")):
                self.scanned(expr, plainly=True)
            case Call(callee=Name(name="freopen")):
                raise NotCovered("freopen", expr.line)
            case Choice():
                self._if(If(expr.line, expr.test, Do(expr.line, expr.yes), Do(expr.line, expr.no)))
            case Binary(op="&&" | "||"):
                test = expr.left if expr.op == "&&" else Unary(expr.line, "!", expr.left)
                self._if(If(expr.line, test, Do(expr.line, expr.right), None))
            case _:
                value = self.value(expr)
                if value.text and value.text.endswith(")") and not value.text.isidentifier():
                    self.line(value.text)

    def _reads(self, expr: Binary) -> bool:
        targets, left = list[Expr](), expr
        while isinstance(left, Binary) and left.op == ">>":
            targets.insert(0, left.right)
            left = left.left  # type: ignore[assignment]
        if not (isinstance(left, Name) and left.name == "cin"):
            return False
        for target in targets:
            if not self._is_ws(target):
                place = self.place(target)
                self.read_plainly([self._kind(place, expr.line)], [target], [place], expr.line)
        return True

    # ------------------------------------------------------------------ variables

    def variable(self, node: Variable) -> None:
        """A declaration."""
        if node.static:
            return self._static(node)
        if node.names:
            return self._bound(node)
        type_ = self.resolved(node.type)
        if isinstance(node.init, Lambda):
            if type_.name == "function" and node.init.result.name == "auto":
                node.init.result = type_.args[0]
            self.closure(node.init, node.name)
            return None
        if type_.ref:
            return self._reference(node, type_)
        value = self.initial(node, type_)
        known = self.declare(node.name, self.declared_type(node, type_, value))
        self.line(f"{known.text} = {value.text}")
        return None

    def _static(self, node: Variable) -> None:
        """A variable that outlives the call: one of the program's, where its first value is plain."""
        if node.names or node.type.ref or any(isinstance(one, Name | Call) for one in walk(node.init)):
            raise NotCovered("a static variable", node.line)
        self.global_names.add(name := self.fresh_name(node.name))
        self.frame.names.discard(name)
        frame, lines, self.lines = self.frame, self.lines, []
        self.frame = Frame(None, Type("void"))
        value = self.initial(node, self.resolved(node.type))
        if self.lines:
            raise NotCovered("a static variable", node.line)
        self.frame, self.lines = frame, lines
        self.statics.append(f"{name} = {value.text}")
        self.frame.scopes[-1][node.name] = Known(name, node.type, None)

    statics: list[str]

    def declared_type(self, node: Variable, type_: Type, value: Value) -> Type:
        """The type, told by the value where it is ``auto``; an array's extent too."""
        if type_.name == "auto":
            return plain(value.type)
        if type_.name == "array" and type_.extent is None and isinstance(node.init, Make):
            from authoring.compiler.cpp.nodes import Number

            return Type("array", type_.args, extent=Number(node.line, len(node.init.args), INT))
        return type_

    def initial(self, node: Variable, type_: Type) -> Value:
        """The value a variable begins with."""
        line = node.line
        if node.init is None:
            return Value(self.default(type_, line), type_)
        if isinstance(node.init, Make) and node.init.type is None:
            if type_.name == "auto":
                raise NotCovered("an initialiser list", line)
            return self.make(Make(line, type_, node.init.args, braces=True), [])
        if type_.name == "array":
            value = self.value(node.init)
            if value.type.name == "cstr" and type_.args[0].name == "char":
                text = f"{self.helper('codes')}({value.text}) + [0] * 64"
                return Value(text, type_)
            raise NotCovered("an array made of a value", line)
        value = self.value(node.init)
        if type_.name == "auto" and value.type.name == "iter":
            return self._place(value, value.type, value.type, line)
        return self.fit(value, type_, line)

    def _reference(self, node: Variable, type_: Type) -> None:
        if node.init is None:
            raise NotCovered("a reference to nothing", node.line)
        if isinstance(node.init, Name | Index | Member) or (isinstance(node.init, Unary) and node.init.op == "*"):
            place = self.steady_place(self.place(node.init), lasting=True)
            real = plain(place.type if type_.name == "auto" else type_)
            if self.is_scalar(real):
                origin = self.look_up(node.init.name, node.line) if isinstance(node.init, Name) else None
                if origin is not None:
                    self.frame.scopes[-1][node.name] = origin
                else:
                    self.declare(node.name, real, place.text, alias=True)
                return
            known = self.declare(node.name, real)
            known.alias = True
            self.line(f"{known.text} = {place.text}")
            return
        value = self.fit(self.value(node.init), plain(type_), node.line)
        known = self.declare(node.name, plain(value.type))
        self.line(f"{known.text} = {value.text}")

    def _bound(self, node: Variable) -> None:
        assert node.init is not None
        value = self.steady(self.value(node.init))
        if value.type.name != "pair":
            raise NotCovered("a binding of this", node.line)
        for number, name in enumerate(node.names):
            type_ = self.resolved(value.type.args[number])
            text = f"{value.text}[{number}]"
            if node.type.ref:
                self.declare(name, type_, text, alias=True)
                continue
            known = self.declare(name, type_)
            self.line(f"{known.text} = {self.copied(Value(text, type_, atom=True))}")

    # ------------------------------------------------------------------ branches and jumps

    def _if(self, node: If) -> None:
        self.line(f"if {self.condition(node.test)}:")
        self.body(node.yes)
        if node.no is None:
            return
        with self.apart() as lines:
            if isinstance(node.no, If):
                self._if(node.no)
        if lines and lines[0].lstrip().startswith("if "):
            indent = "    " * self.depth
            self.lines.append(f"{indent}el{lines[0].lstrip()}")
            self.lines += lines[1:]
            return
        self.line("else:")
        self.body(node.no)

    def _jump(self, node: Jump) -> None:
        if node.kind == "break":
            if self.frame.steps and self.frame.steps[-1] is None:
                raise NotCovered("a break inside a switch", node.line)
            self.line("break")
        elif node.kind == "continue":
            steps = next((one for one in reversed(self.frame.steps) if one is not None), [])
            indent = "    " * self.depth
            self.lines += [indent + one for one in steps]
            if not steps or not steps[-1].startswith(("    break", "if ")):
                self.line("continue")
            else:
                self.line("continue")
        else:
            self._return(node)

    def _return(self, node: Jump) -> None:
        outs = list(self.frame.outs)
        if self.frame.is_main:
            if node.value is not None:
                self.effect(node.value)
            self.line("return")
            return
        if node.value is None or self.frame.result.name == "void":
            if node.value is not None:
                self.effect(node.value)
            self.line(f"return {', '.join(outs)}".rstrip())
            return
        type_ = plain(self.frame.result)
        if isinstance(node.value, Make) and node.value.type is None:
            value = self.make(Make(node.line, type_, node.value.args, braces=True), [])
        else:
            value = self.value(node.value)
            if self.frame.result.ref and not self.is_scalar(self.resolved(type_)):
                pass
            elif isinstance(node.value, Name) and self._is_own(node.value):
                value.fresh = True
                value = self.fit(value, type_, node.line)
            else:
                value = self.fit(value, type_, node.line)
        if self.frame.result.name == "auto":
            self.frame.result = plain(value.type)
        self.line(f"return {', '.join([value.text, *outs])}")

    def _is_own(self, name: Name) -> bool:
        try:
            known = self.look_up(name.name, name.line)
        except NotCovered:
            return False
        return known.frame is self.frame and not known.alias

    def _switch(self, node: Switch) -> None:
        on = self.steady(self.value(node.on))
        word, waiting = "if", list[str]()
        for labels, statements in node.cases:
            tests = [self.value(label).inner for label in labels if label is not None]
            default = any(label is None for label in labels)
            own = list(statements)
            if len(own) == 1 and isinstance(own[0], Block):
                own = list(own[0].body)
            ends = bool(own) and isinstance(own[-1], Jump)
            last = (labels, statements) is node.cases[-1] or node.cases[-1][1] is statements
            if not ends and not last and own:
                raise NotCovered("a case that falls through", node.line)
            if own and isinstance(own[-1], Jump) and own[-1].kind == "break":
                own = own[:-1]
            waiting += tests
            if not own and not ends and not last:
                continue
            if default and not last:
                raise NotCovered("a default that is not last", node.line)
            test = " or ".join(f"{on.inner} == {one}" for one in waiting)
            if default:
                self.line("else:" if word == "elif" else "if True:")
            else:
                self.line(f"{word} {test}:")
            word, waiting = "elif", []
            self.frame.steps.append(None)
            self.depth += 1
            self.block(own)
            self.depth -= 1
            self.frame.steps.pop()

    def loop(self, node: Loop) -> None:
        """``for``, ``while`` and ``do``."""
        raise NotImplementedError

    def each(self, node: Each) -> None:
        """``for (auto x : v)``."""
        raise NotImplementedError
