"""Writes calls of the standard library's functions."""

from __future__ import annotations

from collections.abc import Sequence

from authoring.compiler.cpp.algorithms import Algorithms
from authoring.compiler.cpp.base import RANK, arithmetic
from authoring.compiler.cpp.nodes import (
    BOOL,
    CHAR,
    DOUBLE,
    INT,
    INTEGERS,
    LONG,
    STRING,
    VOID,
    Call,
    Expr,
    Lambda,
    Make,
    Member,
    Name,
    NotCovered,
    Number,
    SizeOf,
    Type,
    Unary,
)
from authoring.compiler.cpp.values import Value

_MATH = {"sqrt": "sqrt", "sin": "sin", "cos": "cos", "tan": "tan", "atan": "atan", "acos": "acos", "asin": "asin"}
_MATH |= {"atan2": "atan2", "exp": "exp", "log": "log", "log2": "log2", "log10": "log10", "hypot": "hypot"}
_MATH |= {"sqrtl": "sqrt", "atan2l": "atan2", "logl": "log", "fmod": "fmod", "cbrt": ""}
_ROUNDED = {"floor": "floor", "floorl": "floor", "ceil": "ceil", "ceill": "ceil", "trunc": "trunc"}
_IGNORED = {"srand", "assert", "ios_base", "fflush", "setvbuf", "sync_with_stdio"}
_CHAR_TESTS = {
    "isdigit": "48 <= {0} <= 57",
    "isalpha": "65 <= {0} <= 90 or 97 <= {0} <= 122",
    "islower": "97 <= {0} <= 122",
    "isupper": "65 <= {0} <= 90",
    "isspace": "{0} == 32 or 9 <= {0} <= 13",
    "isalnum": "48 <= {0} <= 57 or 65 <= {0} <= 90 or 97 <= {0} <= 122",
}


class Library(Algorithms):
    """Functions by name."""

    def library(self, expr: Call, name: str) -> Value:
        """A call of a function that the program does not define.

        Raises:
            NotCovered: the function is not known.
        """
        if (special := self._special(expr, name)) is not None:
            return special
        if name in ("max", "min") and len(expr.args) == 1:
            return self._of_list(expr, name)
        values = self.in_order(*(lambda arg=arg: self._argument_value(arg) for arg in expr.args))
        if (found := self._on_numbers(name, values, expr.line)) is not None:
            return found
        if (found := self.input_function(name, values, expr)) is not None:
            return found
        if (found := self._algorithm(name, values, expr)) is not None:
            return found
        raise NotCovered(f"the function {name}", expr.line)

    def _argument_value(self, arg: Expr) -> Value:
        if isinstance(arg, Name) and arg.name in ("stdin", "cin"):
            return Value("", VOID)
        return self.value(arg)

    def input_function(self, name: str, values: Sequence[Value], expr: Call) -> Value | None:
        """``getchar`` and its like; None for another function."""
        raise NotImplementedError

    def formatted(self, expr: Call) -> Value:
        """``printf``."""
        raise NotImplementedError

    def scanned(self, expr: Call) -> Value:
        """``scanf``."""
        raise NotImplementedError

    def _special(self, expr: Call, name: str) -> Value | None:
        """Functions whose arguments are no plain values."""
        match name:
            case "scanf":
                return self.scanned(expr)
            case "printf":
                return self.formatted(expr)
            case "memset":
                return self._memset(expr)
            case "swap":
                return self._swap(expr)
            case "make_pair" | "make_tuple" | "pair" | "tie":
                return self._pair_of(expr, name)
            case "get":
                return self._part_of_pair(expr)
            case "begin" | "end" if len(expr.args) == 1:
                return self.method(Call(expr.line, Member(expr.line, expr.args[0], name, False), []),
                                   Member(expr.line, expr.args[0], name, False))  # fmt: skip
            case "exit":
                if self.lambda_depth():
                    raise NotCovered("exit in a lambda", expr.line)
                self.line("sys.exit(0)")
                return Value("", VOID)
        if name.startswith("numeric_limits::"):
            return self._limit(expr, name.partition("::")[2])
        if name in _IGNORED:
            return Value("", VOID)
        return None

    def lambda_depth(self) -> int:
        """Inside how many lambdas this is."""
        return 0

    def _limit(self, expr: Call, which: str) -> Value:
        made = expr.args[0]
        assert isinstance(made, Make) and made.type is not None
        limits = {"int": (-(1 << 31), (1 << 31) - 1), "long": (-(1 << 63), (1 << 63) - 1)}
        if made.type.name not in limits or which not in ("max", "min", "lowest"):
            raise NotCovered("numeric_limits", expr.line)
        return Value(str(limits[made.type.name][which == "max"]), made.type, fixed=True)

    def _memset(self, expr: Call) -> Value:
        target, value, size = expr.args
        if isinstance(target, Unary) and target.op == "&":
            raise NotCovered("memset of this", expr.line)
        place = self.value(target)
        byte = value.value if isinstance(value, Number) else None
        if isinstance(value, Unary) and value.op == "-" and isinstance(value.inner, Number):
            byte = -value.inner.value
        if isinstance(value, Name) and value.name in ("false", "true"):
            byte = int(value.name == "true")
        if isinstance(value, Unary) and value.op == "~" and isinstance(value.inner, Number):
            byte = ~int(value.inner.value)
        if byte is None:
            byte = self.constant(value)
        sized = size.inner if isinstance(size, SizeOf) else None
        whole = isinstance(sized, Expr) and self.value(sized).text == place.text
        if byte is None or not whole or place.type.name != "array":
            raise NotCovered("memset of this", expr.line)
        inner = place.type
        while inner.name == "array":
            inner = self.resolved(inner.args[0])
        self.line(f"{self.helper('fill')}({place.text}, {_repeated(int(byte), inner, expr.line)})")
        return Value("", VOID)

    def _swap(self, expr: Call) -> Value:
        one, other = self.in_order(*(lambda arg=arg: self.target(arg) for arg in expr.args))
        for arg in expr.args:
            if isinstance(arg, Name):
                known = self.look_up(arg.name, expr.line)
                if not self.is_scalar(one.type) and (known.alias or known.frame is not self.frame):
                    return self._swap_inside(one, other, expr.line)
                self.rebind(known)
        self.line(f"{one.text}, {other.text} = {other.text}, {one.text}")
        return Value("", VOID)

    def _swap_inside(self, one: Value, other: Value, line: int) -> Value:
        name = self.temporary()
        if one.type.name in ("vector", "string", "pair", "stack", "queue", "deque"):
            self.line(f"{name} = {one.text}[:]")
            self.line(f"{one.text}[:] = {other.text}")
            self.line(f"{other.text}[:] = {name}")
        elif one.type.name in ("array", "iter"):
            raise NotCovered("swap of arrays", line)
        else:
            self.line(f"{name} = {one.text}.copy()")
            self.line(f"{one.text}.assign({other.text})")
            self.line(f"{other.text}.assign({name})")
        return Value("", VOID)

    def _pair_of(self, expr: Call, name: str) -> Value:
        if name == "tie":
            raise NotCovered("tie", expr.line)
        values = self.in_order(*(lambda arg=arg: self.value(arg) for arg in expr.args))
        fitted = [self.fit(one, STRING if one.type.name == "cstr" else Type("auto"), expr.line) for one in values]
        type_ = Type("pair", tuple(one.type for one in fitted))
        return Value(f"[{', '.join(one.text for one in fitted)}]", type_, atom=True, fresh=True)

    def _part_of_pair(self, expr: Call) -> Value:
        number, of = expr.args
        value = self.value(of)
        if not isinstance(number, Number) or value.type.name != "pair":
            raise NotCovered("get", expr.line)
        which = int(number.value)
        return Value(f"{value.inner}[{which}]", self.resolved(value.type.args[which]), atom=True)

    def _of_list(self, expr: Call, name: str) -> Value:
        only = expr.args[0]
        if not isinstance(only, Make) or only.type is not None:
            raise NotCovered(f"{name} of one value", expr.line)
        values = self.in_order(*(lambda arg=arg: self.value(arg) for arg in only.args))
        type_ = values[0].type
        for one in values[1:]:
            if one.type.name in RANK and type_.name in RANK and one.type != type_:
                raise NotCovered(f"{name} of different types", expr.line)
        texts = [f"bool({one.text})" if one.truth else one.text for one in values]
        return Value(f"{name}({', '.join(texts)})", type_, atom=True)

    def _on_numbers(self, name: str, values: Sequence[Value], line: int) -> Value | None:
        types = [value.type for value in values]
        numbers = bool(values) and all(type_.name in RANK for type_ in types)
        values = [Value(f"bool({one.text})", one.type, atom=True) if one.truth else one for one in values]
        if name in ("max", "min") and len(values) == 2 and types[0].name == types[1].name:
            return Value(f"{name}({values[0].text}, {values[1].text})", types[0], atom=True)
        if name in ("max", "min") and len(values) == 2 and numbers:  # by its template argument
            type_ = arithmetic(types[0], types[1], line)
            return Value(f"{name}({', '.join(self.fit(one, type_, line).text for one in values)})", type_, atom=True)
        if name in ("max", "min") and len(values) == 3 and types[0].name == types[1].name:
            key = f"{self.helper('by')}({self.order(values[2], line)})"
            return Value(f"{name}({values[0].text}, {values[1].text}, key={key})", types[0], atom=True)
        if not numbers:
            return None
        if name in ("abs", "fabs", "llabs", "labs", "fabsl"):
            type_ = DOUBLE if name.startswith("f") else arithmetic(types[0], INT, line)
            return Value(f"abs({self.fit(values[0], type_, line).text})", type_, atom=True)
        if name in ("__gcd", "gcd", "lcm"):
            type_ = arithmetic(types[0], types[1], line)
            both = f"{self.helper('gcd')}({values[0].text}, {values[1].text})"
            if name == "lcm":
                raise NotCovered("lcm", line)
            return Value(both, type_, atom=True)
        if _MATH.get(name):
            self.helper("math")
            texts = [self.fit(one, DOUBLE, line).text for one in values]
            return Value(f"math.{_MATH[name]}({', '.join(texts)})", DOUBLE, atom=True)
        if name in _ROUNDED:
            self.helper("math")
            one = self.fit(values[0], DOUBLE, line)
            return Value(f"float(math.{_ROUNDED[name]}({one.text}))", DOUBLE, atom=True)
        if name in ("round", "roundl", "llround", "lround"):
            self.helper("math")
            one = self.steady(self.fit(values[0], DOUBLE, line))
            text = f"math.copysign(math.floor(abs({one.text}) + 0.5), {one.text})"
            return Value(f"int({text})" if "lr" in name else text, LONG if "lr" in name else DOUBLE, atom=True)
        if name in ("pow", "powl"):
            base, by = (self.fit(one, DOUBLE, line).inner for one in values)
            return Value(f"float({base} ** {by})", DOUBLE, atom=True)
        return self._on_characters(name, values, line)

    def _on_characters(self, name: str, values: Sequence[Value], line: int) -> Value | None:
        if name in _CHAR_TESTS:
            return Value(_CHAR_TESTS[name].format(self.steady(values[0]).inner), BOOL)
        if name in ("tolower", "toupper"):
            one = self.steady(values[0]).inner
            low, sign = (65, "+") if name == "tolower" else (97, "-")
            return Value(f"({one} {sign} 32 if {low} <= {one} <= {low + 25} else {one})", INT, atom=True)
        if name in ("__builtin_popcount", "__builtin_popcountll", "__builtin_popcountl"):
            mask = 64 if "l" in name[18:] else 32
            return Value(f"bin({values[0].inner} & {hex((1 << mask) - 1)}).count('1')", INT, atom=True, small=True)
        if name in ("__builtin_ctz", "__builtin_ctzll"):
            one = self.steady(values[0]).inner
            return Value(f"({one} & -{one}).bit_length() - 1", INT)
        if name in ("__builtin_clz", "__builtin_clzll"):
            return Value(f"{64 if 'll' in name else 32} - {values[0].inner}.bit_length()", INT)
        if name == "to_string" and values[0].type.name in INTEGERS:
            return Value(f"{self.helper('codes')}(str(int({values[0].text})))", STRING, atom=True, fresh=True)
        return None

    # ------------------------------------------------------------------ algorithms


def _repeated(byte: int, type_: Type, line: int) -> str:
    """What memset leaves in an element."""
    if type_.name == "bool":
        return str(byte != 0)
    width = {"char": 1, "int": 4, "uint": 4, "long": 8, "ulong": 8}.get(type_.name)
    if width is None:
        if byte == 0 and type_.name == "double":
            return "0.0"
        raise NotCovered(f"memset of a {type_.name}", line)
    pattern = bytes([byte & 255]) * width
    return str(int.from_bytes(pattern, "little", signed=type_.name in ("char", "int", "long")))


__all__ = ["CHAR", "Lambda", "Library"]
