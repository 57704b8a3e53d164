"""Writes expressions: names, operators, places that can be assigned to."""

from __future__ import annotations

from authoring.compiler.cpp.base import RANK, WIDTH, arithmetic
from authoring.compiler.cpp.nodes import (
    BOOL,
    DOUBLE,
    INT,
    INTEGERS,
    LITERAL,
    STRING,
    VOID,
    Assign,
    Binary,
    Call,
    Choice,
    Expr,
    Index,
    Lambda,
    Make,
    Member,
    Name,
    NotCovered,
    Number,
    SizeOf,
    Text,
    Type,
    Unary,
)
from authoring.compiler.cpp.places import Places
from authoring.compiler.cpp.values import Value

COMPARISONS = {"==", "!=", "<", ">", "<=", ">="}
_COMPARED = ("vector", "pair", "set", "map", "multiset", "deque")
METHOD_OF = {"<": "op_lt", "==": "op_eq", "+": "op_add", "-": "op_sub", "*": "op_mul", "()": "op_call", ">": "op_gt"}
METHOD_OF |= {"+=": "op_iadd", "-=": "op_isub", "[]": "op_item", "%": "op_mod", "!=": "op_ne", "<=": "op_le"}
METHOD_OF |= {">=": "op_ge", "/": "op_div", "*=": "op_imul"}


class Operators(Places):
    """Everything but calls."""

    def value(self, expr: Expr) -> Value:
        """An expression as Python; what it does beforehand is written as lines.

        Raises:
            NotCovered: it is not known.
        """
        match expr:
            case Number():
                return self._literal(expr)
            case Text():
                return Value(repr(expr.value), LITERAL, atom=True, fixed=True)
            case Name(name="true" | "false"):
                return Value(expr.name.capitalize(), BOOL, atom=True, fixed=True)
            case Name():
                return self._name(expr)
            case Unary():
                return self._unary(expr)
            case Binary():
                return self._binary(expr)
            case Assign():
                return self.assigned(expr)
            case Choice():
                return self._choice(expr)
            case Call():
                return self.call(expr)
            case Index() | Member():
                return self.place(expr)
            case Make():
                return self.make(expr, [])
            case SizeOf():
                raise NotCovered("sizeof", expr.line)
            case Lambda():
                return self.closure(expr)
        raise NotCovered(type(expr).__name__, expr.line)

    def call(self, expr: Call) -> Value:
        """A call."""
        raise NotImplementedError

    def closure(self, expr: Lambda, name: str = "") -> Value:
        """A lambda."""
        raise NotImplementedError

    def streamed(self, expr: Binary) -> Value | None:
        """``cin >> …``; None where it is none."""
        raise NotImplementedError

    # ------------------------------------------------------------------ places

    # ------------------------------------------------------------------ order of evaluation

    # ------------------------------------------------------------------ operators

    def condition(self, expr: Expr) -> str:
        """A test as a truth value."""
        value = self.value(expr)
        if value.type.name not in RANK and value.type.name != "stream":
            raise NotCovered(f"a {value.type.name} as a condition", expr.line)
        return value.text

    def _unary(self, expr: Unary) -> Value:
        if expr.op in ("++", "--", "post++", "post--"):
            return self._step(expr)
        if expr.op == "*" and isinstance(expr.inner, Name) and expr.inner.name == "this":
            return Value("self", Type("struct", of=self.owner()), atom=True)
        if expr.op == "*":
            return self._pointed(self.value(expr.inner), expr.line)
        if expr.op == "&":
            return self._address(expr)
        inner = self.value(expr.inner)
        if expr.op == "!":
            if inner.type.name not in RANK and inner.type.name != "stream":
                raise NotCovered(f"! of a {inner.type.name}", expr.line)
            return Value(f"not {inner.inner}", BOOL)
        if inner.type.name == "struct":
            return self.operate(f"unary{expr.op}", inner, None, expr.line)
        if inner.type.name not in RANK:
            raise NotCovered(f"{expr.op} of a {inner.type.name}", expr.line)
        type_ = arithmetic(inner.type, INT, expr.line)
        if inner.truth:
            inner = Value(f"bool({inner.text})", inner.type, atom=True)
        found = Value(f"{expr.op}{inner.inner}", type_, fixed=inner.fixed)
        return self._masked(found)

    def _address(self, expr: Unary) -> Value:
        if isinstance(expr.inner, Index):
            base, at = self.in_order(lambda: self.value(expr.inner.base), lambda: self.value(expr.inner.at))  # type: ignore[attr-defined]
            if base.type.name in ("vector", "array"):
                return Value("", Type("iter", base.type.args, of="array"), base=base.inner, at=at.inner)
        raise NotCovered("the address of a variable", expr.line)

    def _masked(self, value: Value) -> Value:
        if value.type.name in ("uint", "ulong"):
            return Value(f"({value.text}) & {hex((1 << WIDTH[value.type.name]) - 1)}", value.type)
        return value

    def _step(self, expr: Unary) -> Value:
        """``x++`` and ``--x``."""
        if isinstance(expr.inner, Call):
            moved = self.value(expr.inner)
            if moved.type.name == "iter" and not expr.op.startswith("post"):
                base, at = self.base_and_place(moved, expr.line)
                return Value("", moved.type, base=base, at=f"({at} {expr.op[0]} 1)")
        place = self.steady_place(self.place(expr.inner))
        old = Value(place.text, place.type, atom=True)
        if expr.op.startswith("post"):
            name = self.temporary()
            self.line(f"{name} = {place.text}")
            old = Value(name, place.type, atom=True, fixed=True)
        self.increase(expr, place)
        return old

    def increase(self, expr: Unary, place: Value) -> None:
        """The effect of ``x++`` and ``--x`` alone."""
        self._note_store(expr.inner)
        sign = expr.op[-1]
        if place.type.name == "iter":
            base, at = self.base_and_place(place, expr.line)
            self.line(f"{place.text} = {self.helper('At')}({base}, {at} {sign} 1)")
        elif place.type.name in ("uint", "ulong"):
            self.line(f"{place.text} = ({place.text} {sign} 1) & {hex((1 << WIDTH[place.type.name]) - 1)}")
        elif place.type.name == "bool":
            self.line(f"{place.text} = True")
        elif place.type.name in RANK:
            self.line(f"{place.text} {sign}= 1")
        else:
            raise NotCovered(f"{expr.op} of a {place.type.name}", expr.line)

    def _note_store(self, target: Expr) -> None:
        if isinstance(target, Name):
            self.rebind(self.look_up(target.name, target.line))

    def _binary(self, expr: Binary) -> Value:
        if expr.op == ",":
            self.effect(expr.left)
            return self.value(expr.right)
        if expr.op in ("&&", "||"):
            return self._logical(expr)
        if expr.op == ">>" and (streamed := self.streamed(expr)) is not None:
            return streamed
        left, right = self.in_order(lambda: self.value(expr.left), lambda: self.value(expr.right))
        return self.combined(expr.op, left, right, expr.line)

    def assigned(self, expr: Assign) -> Value:
        """``a = b`` and ``a += b``; the value is the place."""
        raise NotImplementedError

    def effect(self, expr: Expr) -> None:
        """An expression for its effect alone."""
        raise NotImplementedError

    def _logical(self, expr: Binary) -> Value:
        left = self.value(expr.left)
        with self.apart(1) as lines:
            right = self.value(expr.right)
        for one in (left, right):
            if one.type.name not in RANK and one.type.name != "stream":
                raise NotCovered(f"{expr.op} with a {one.type.name}", expr.line)
        word = "and" if expr.op == "&&" else "or"
        if not lines:
            truth = any(one.truth or one.type.name != "bool" for one in (left, right))
            return Value(f"{left.inner} {word} {right.inner}", BOOL, truth=truth)
        name = self.temporary()
        self.line(f"{name} = bool({left.text})")
        self.line(f"if {name if word == 'and' else f'not {name}'}:")
        self.lines += lines
        self.line(f"    {name} = bool({right.text})")
        return Value(name, BOOL, atom=True, fixed=True)

    def _choice(self, expr: Choice) -> Value:
        test = self.condition(expr.test)
        with self.apart(1) as first:
            yes = self.value(expr.yes)
        with self.apart(1) as second:
            no = self.value(expr.no)
        type_ = yes.type
        if yes.type.name in RANK and no.type.name in RANK:
            type_ = yes.type if yes.type == no.type else arithmetic(yes.type, no.type, expr.line)
        elif yes.type.name != no.type.name:
            type_ = STRING
        if type_.name == "void":
            raise NotCovered("a choice between statements", expr.line)
        if not first and not second:
            if type_ != LITERAL and (yes.type.name in RANK or yes.type != no.type):
                yes, no = self.fit(yes, type_, expr.line), self.fit(no, type_, expr.line)
            yes, no = self._textual(yes, expr.line), self._textual(no, expr.line)
            return Value(f"{yes.inner} if {test} else {no.inner}", type_, fresh=yes.fresh and no.fresh)
        name = self.temporary()
        self.line(f"if {test}:")
        self.lines += first
        self.line(f"    {name} = {self.fit(yes, type_, expr.line).text}")
        self.line("else:")
        self.lines += second
        self.line(f"    {name} = {self.fit(no, type_, expr.line).text}")
        return Value(name, type_, atom=True, fixed=True, fresh=True)

    def _textual(self, value: Value, line: int) -> Value:
        return self._place(value, value.type, value.type, line) if value.type.name == "iter" else value

    def combined(self, op: str, left: Value, right: Value, line: int) -> Value:
        """An operator on two values."""
        names = {left.type.name, right.type.name}
        if "struct" in names:
            return self.operate(op, left, right, line)
        if "string" in names:
            return self._on_strings(op, left, right, line)
        if names & {"iter", "array"}:
            return self._on_places(op, left, right, line)
        if op in COMPARISONS and left.type.name == right.type.name and left.type.name in _COMPARED:
            return Value(f"{left.inner} {op} {right.inner}", BOOL)
        left, right = self._plain(left), self._plain(right)
        type_ = arithmetic(left.type, right.type, line)
        if op in ("<<", ">>"):
            type_ = arithmetic(left.type, INT, line) if left.type.name != "double" else DOUBLE
        if op in COMPARISONS:
            if type_.name in ("uint", "ulong"):
                left, right = self.fit(left, type_, line), self.fit(right, type_, line)
            return Value(f"{left.inner} {op} {right.inner}", BOOL)
        return self._computed(op, left, right, type_, line)

    def _plain(self, value: Value) -> Value:
        if value.truth:
            return Value(f"bool({value.text})", value.type, atom=True)
        return value

    def _computed(self, op: str, left: Value, right: Value, type_: Type, line: int) -> Value:
        fixed = left.fixed and right.fixed
        if type_.name == "double":
            if op not in "+-*/":
                raise NotCovered(f"{op} of real numbers", line)
            left, right = self.fit(left, DOUBLE, line), self.fit(right, DOUBLE, line)
            return Value(f"{left.inner} {op} {right.inner}", DOUBLE, fixed=fixed)
        if type_.name in ("uint", "ulong") and op not in ("<<", ">>"):
            left, right = self.fit(left, type_, line), self.fit(right, type_, line)
        if op in ("/", "%"):
            if type_.name in ("uint", "ulong") or (left.small and right.small):
                return Value(f"{left.inner} {'//' if op == '/' else op} {right.inner}", type_, fixed=fixed)
            helper = self.helper("div" if op == "/" else "mod")
            return Value(f"{helper}({left.text}, {right.text})", type_, atom=True, fixed=fixed)
        if op not in ("+", "-", "*", "&", "|", "^", "<<", ">>"):
            raise NotCovered(f"the operator {op}", line)
        small = left.small and right.small and op in ("/", "%", "&", "|", "^", ">>", "+")
        found = Value(f"{left.inner} {op} {right.inner}", type_, fixed=fixed, small=small)
        if op in ("&", "|", "^", ">>") or (small and op == "+"):
            return found
        return self._masked(found)

    def _on_strings(self, op: str, left: Value, right: Value, line: int) -> Value:
        def codes(value: Value) -> Value:
            if value.type.name == "char":
                return Value(f"[{value.text}]", STRING, atom=True, fresh=True)
            return value if value.type.name == "string" else self._string(value, value.type, line)

        left, right = codes(left), codes(right)
        if op == "+":
            return Value(f"{left.inner} + {right.inner}", STRING, fresh=True)
        if op in COMPARISONS:
            return Value(f"{left.inner} {op} {right.inner}", BOOL)
        raise NotCovered(f"the operator {op} of strings", line)

    def _on_places(self, op: str, left: Value, right: Value, line: int) -> Value:
        if right.type.name in ("iter", "array") and left.type.name in INTEGERS and op == "+":
            left, right = right, left
        base, at = self.base_and_place(left, line)
        if right.type.name in INTEGERS and op in ("+", "-"):
            sum_ = right.inner if at == "0" and op == "+" else f"({at} {op} {right.inner})"
            kind = Type("iter", left.type.args, of=left.type.of or left.type.name)
            return Value("", kind, base=base, at=sum_)
        if right.type.name in ("iter", "array"):
            _, other = self.base_and_place(right, line)
            if op == "-":
                return Value(f"{at} - {other}" if other != "0" else at, Type("long"), atom=other == "0")
            if op in COMPARISONS:
                return Value(f"{at} {op} {other}", BOOL)
        raise NotCovered(f"the operator {op} of pointers", line)

    # ------------------------------------------------------------------ assignment


__all__ = ["METHOD_OF", "VOID", "Operators"]
