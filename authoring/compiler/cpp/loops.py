"""Writes loops; those that count become ranges."""

from __future__ import annotations

from authoring.compiler.cpp.base import walk
from authoring.compiler.cpp.blocks import Blocks
from authoring.compiler.cpp.nodes import (
    INT,
    INTEGERS,
    Assign,
    Binary,
    Block,
    Call,
    Each,
    Expr,
    Index,
    Lambda,
    Loop,
    Make,
    Member,
    Name,
    NotCovered,
    Stmt,
    Type,
    Unary,
    Variable,
)
from authoring.compiler.cpp.reading import plain
from authoring.compiler.cpp.values import Known, Value

_CALM = {"size", "length", "empty", "count", "first", "second", "front", "back", "top", "at", "substr", "c_str"}


class Loops(Blocks):
    """``for``, ``while``, ``do``."""

    def loop(self, node: Loop) -> None:
        """``for``, ``while`` and ``do``."""
        self.frame.scopes.append({})
        if node.kind == "do":
            self._do(node)
        elif not self._range(node):
            if node.init is not None:
                self.statement(node.init)
            self._while(node)
        self.frame.scopes.pop()

    def _while(self, node: Loop) -> None:
        steps = list[str]()
        if node.step is not None:
            with self.apart() as steps:
                depth, self.depth = self.depth, 0
                self.effect(node.step)
                self.depth = depth
        with self.apart(1) as before:
            test = "True" if node.test is None else self.condition(node.test)
        if before:
            self.line("while True:")
            self.lines += before
            self.line(f"    if not ({test}):")
            self.line("        break")
        else:
            self.line(f"while {test}:")
        self.frame.steps.append(steps)
        mark = len(self.lines)
        self.body(node.body)
        self.frame.steps.pop()
        indent = "    " * (self.depth + 1)
        if steps and self.lines[mark:] == [f"{indent}pass"]:
            self.lines.pop()
        self.lines += [indent + one for one in steps]

    def _do(self, node: Loop) -> None:
        assert node.test is not None
        with self.apart() as tests:
            depth, self.depth = self.depth, 0
            test = self.condition(node.test)
            self.line(f"if not ({test}):")
            self.line("    break")
            self.depth = depth
        self.line("while True:")
        self.frame.steps.append(list(tests))
        self.body(node.body)
        self.frame.steps.pop()
        self.lines += ["    " * (self.depth + 1) + one for one in tests]

    def _range(self, node: Loop) -> bool:
        """``for (int i = a; i < b; i++)`` whose body changes neither: a range."""
        if not isinstance(node.init, Block) or len(node.init.body) != 1 or not isinstance(node.test, Binary):
            return False
        start = node.init.body[0]
        if (
            not isinstance(start, Variable)
            or start.init is None
            or start.names
            or start.type.name not in ("int", "long")
        ):
            return False
        name, by = start.name, _step(node.step, start.name)
        test = node.test
        if by == 0 or not isinstance(test.left, Name) or test.left.name != name or start.type.ref:
            return False
        if test.op not in (("<", "<=") if by > 0 else (">", ">=")) or self._changes(node.body, name, test.right):
            return False
        first, last = self.in_order(
            lambda: self.fit(self.value(start.init), INT, node.line) if start.init else Value("", INT),
            lambda: self.value(test.right),
        )
        if last.type.name not in INTEGERS:
            return False
        if last.type.name in ("uint", "ulong") and not last.small and start.type.name == "int":
            pass  # a bound below zero is huge in both languages
        end = last.inner + {"<": "", "<=": " + 1", ">": "", ">=": " - 1"}[test.op]
        end = last.text if end == last.inner else end
        known = self.declare(name, start.type)
        parts = [first.text, end] if by == 1 and first.text != "0" else [end] if by == 1 else [first.text, end, str(by)]
        self.line(f"for {known.text} in range({', '.join(parts)}):")
        self.frame.steps.append([])
        self.body(node.body)
        self.frame.steps.pop()
        return True

    def _changes(self, body: Stmt, name: str, bound: Expr) -> bool:
        """Whether the loop's body may change its variable or its bound."""
        names = {one.name for one in walk(bound) if isinstance(one, Name)}
        calls = any(isinstance(one, Call) and not _calm(one) for one in walk(bound))
        if calls or any(isinstance(one, Assign | Index) for one in walk(bound)):
            return True
        own = self._all_own(names)
        for one in walk(body):
            if isinstance(one, Lambda):
                return True
            for target in _stored(one):
                if target == name or target in names:
                    return True
            if isinstance(one, Call) and (self._is_closure(one) or (not own and self._may_store(one))):
                return True
            given = {arg.name for arg in one.args if isinstance(arg, Name)} if isinstance(one, Call) else set()
            if isinstance(one, Call) and given & {name, *names} and self._has_outs(one):
                return True
            if isinstance(one, Call) and not _calm(one) and any(self._is_large(arg) for arg in given & names):
                return True
        return False

    def _all_own(self, names: set[str]) -> bool:
        for name in names:
            known = self._known(name)
            if known is not None and known.frame is None and name not in self.constants:
                return False
        return True

    def _may_store(self, call: Call) -> bool:
        """Whether a call is of something that the program defines."""
        callee = call.callee
        if not isinstance(callee, Name | Member):
            return True
        methods = {key.rpartition(".")[2] for key in self.functions if "." in key}
        return callee.name in methods or (
            isinstance(callee, Name) and (callee.name in self.functions or callee.name in self.generic)
        )

    def _is_closure(self, call: Call) -> bool:
        """Whether it is a local function, which may change variables of the function around it."""
        known = self._known(call.callee.name) if isinstance(call.callee, Name) else None
        return known is not None and known.type.name == "function"

    def _is_large(self, name: str) -> bool:
        """Whether a function that is handed the variable may change it in place."""
        known = self._known(name)
        return known is None or not self.is_scalar(self.resolved(known.type))

    def _known(self, name: str) -> Known | None:
        try:
            return self.look_up(name, 0)
        except NotCovered:
            return None

    def _has_outs(self, call: Call) -> bool:
        name = call.callee.name if isinstance(call.callee, Name) else ""
        return (
            name in ("swap", "scanf") or name in self.generic or any(one.outs for one in self.functions.get(name, ()))
        )

    def each(self, node: Each) -> None:
        """``for (auto x : v)``."""
        self.frame.scopes.append({})
        over = self._over(node.over)
        kind, variable = over.type.name, node.variable
        if kind in ("uset", "umap"):
            raise NotCovered(f"the order of a {kind}", node.line)
        self.frame.steps.append([])
        if kind in ("set", "multiset"):
            self._each_of(node, f"{over.inner}.k[:]", over.type.args[0], keys=True)
        elif kind == "map":
            name = self.temporary()
            self.line(f"for {name} in {over.inner}.k[:]:")
            self._mapped(variable, over, name)
            self.body(node.body)
        elif kind in ("vector", "array", "deque", "string"):
            inner = self.resolved(over.type.args[0]) if over.type.args else Type("char")
            if variable.type.ref and self.is_scalar(inner):
                base, name = self.steady(over), self.temporary()
                self.line(f"for {name} in range(len({base.text})):")
                self.declare(variable.name, inner, f"{base.text}[{name}]", alias=True)
                self.body(node.body)
            else:
                text = over.text
                if kind == "array" and "Lazy" in self.used:
                    size = self.value(over.type.extent).text if over.type.extent is not None else f"len({text})"
                    text = f"{self.helper('part')}({text}, 0, {size})"
                self._each_of(node, text, inner, keys=False)
        else:
            raise NotCovered(f"a loop over a {kind}", node.line)
        self.frame.steps.pop()
        self.frame.scopes.pop()

    def _over(self, expr: Expr) -> Value:
        if not isinstance(expr, Make) or expr.type is not None:
            return self.value(expr)
        with self.apart():
            type_ = self.value(expr.args[0]).type
        return self.make(Make(expr.line, Type("vector", (type_,)), expr.args, braces=True), [])

    def _mapped(self, variable: Variable, over: Value, name: str) -> None:
        key = self.thawed(name, self.resolved(over.type.args[0]))
        value = f"{over.inner}.d[{name}]"
        if variable.names:
            self.declare(variable.names[0], self.resolved(over.type.args[0]), key, alias=True)
            self.declare(variable.names[1], self.resolved(over.type.args[1]), value, alias=True)
            return
        known = self.declare(variable.name, Type("pair", over.type.args))
        self.line(f"    {known.text} = [{key}, {value}]")
        known.alias = True

    def _each_of(self, node: Each, text: str, inner: Type, *, keys: bool) -> None:
        variable, copies = node.variable, not node.variable.type.ref and not self.is_scalar(inner)
        type_ = inner if variable.type.name == "auto" else self.resolved(plain(variable.type))
        if variable.names:
            name = self.temporary()
            self.line(f"for {name} in {text}:")
            for number, one in enumerate(variable.names):
                part = self.resolved(inner.args[number])
                self.declare(one, part, f"{name}[{number}]", alias=True)
            self.body(node.body)
            return
        known = self.declare(variable.name, type_)
        self.line(f"for {known.text} in {text}:")
        self.depth += 1
        if keys and not self.is_scalar(inner) and inner.name != "struct":
            self.line(f"{known.text} = {self.thawed(known.text, inner)}")
        elif copies and self._stores(node.body, variable.name):
            self.line(f"{known.text} = {self.copied(Value(known.text, inner, atom=True))}")
        elif type_.name != inner.name:
            self.line(f"{known.text} = {self.fit(Value(known.text, inner, atom=True), type_, node.line).text}")
        self.depth -= 1
        known.alias = variable.type.ref
        self.body(node.body)

    @staticmethod
    def _stores(body: Stmt, name: str) -> bool:
        return any(isinstance(one, Name) and one.name == name for one in walk(body))


def _step(step: Expr | None, name: str) -> int:
    """By how much the step moves the variable; 0 where it is no such step."""
    from authoring.compiler.cpp.nodes import Number

    match step:
        case Unary(op="++" | "post++", inner=Name(name=found)) if found == name:
            return 1
        case Unary(op="--" | "post--", inner=Name(name=found)) if found == name:
            return -1
        case Assign(op="+=", target=Name(name=found), value=Number(value=int(by))) if found == name:
            return by
        case Assign(op="-=", target=Name(name=found), value=Number(value=int(by))) if found == name:
            return -by
    return 0


def _calm(call: Call) -> bool:
    """A call that changes nothing and follows from its values."""
    if isinstance(call.callee, Member):
        return call.callee.name in ("size", "length")
    return isinstance(call.callee, Name) and call.callee.name in ("min", "max", "abs", "strlen", "sqrt")


def _stored(node: object) -> list[str]:
    """Names that this node itself may change."""
    found = list[Expr]()
    if isinstance(node, Assign):
        found.append(node.target)
    elif isinstance(node, Unary) and node.op in ("++", "--", "post++", "post--", "&"):
        found.append(node.inner)
    elif isinstance(node, Binary) and node.op == ">>":
        found.append(node.right)
    elif isinstance(node, Call) and isinstance(node.callee, Member) and node.callee.name not in _CALM:
        found.append(node.callee.base)
    elif isinstance(node, Call) and isinstance(node.callee, Name) and node.callee.name in ("swap", "getline", "tie"):
        found += node.args
    names = list[str]()
    for one in found:
        while isinstance(one, Index | Member):
            one = one.base
        if isinstance(one, Name):
            names.append(one.name)
    return names
