"""Writes algorithms over ranges."""

from __future__ import annotations

from collections.abc import Sequence

from authoring.compiler.cpp.base import RANK
from authoring.compiler.cpp.containers import Containers
from authoring.compiler.cpp.nodes import (
    BOOL,
    INT,
    LONG,
    STRING,
    ULONG,
    VOID,
    Call,
    NotCovered,
    Type,
)
from authoring.compiler.cpp.values import Value


class Algorithms(Containers):
    """``sort`` and its like."""

    def order(self, value: Value, line: int) -> str:
        """A comparison that was handed over."""
        if value.type.name == "function":
            return value.text
        if value.type.name == "greater":
            return "lambda a, b: b < a"
        if value.type.name == "less":
            return "None"
        if value.type.name == "struct":
            return f"{value.inner}.op_call"
        raise NotCovered("this order", line)

    def _algorithm(self, name: str, values: Sequence[Value], expr: Call) -> Value | None:
        line = expr.line
        if name == "strlen":
            c_text = self.fit(values[0], STRING, line).text
            return Value(f"len({c_text})", ULONG, atom=True, small=True)
        if name in ("stoi", "stoll", "atoi", "stol"):
            return Value(f"int({self.helper('text')}({self.fit(values[0], STRING, line).text}))",
                         LONG if "ll" in name else INT, atom=True)  # fmt: skip
        if len(values) < 2 or any(value.type.name not in ("iter", "array") for value in values[:2]):
            return None
        (c, low), (_, high) = (self.base_and_place(value, line) for value in values[:2])
        of, inner = values[0].type.of or values[0].type.name, self.resolved(values[0].type.args[0])
        if of == "back":
            return self._backwards(name, values, c, line)
        if of in ("set", "multiset", "map", "uset", "umap"):
            raise NotCovered(f"{name} over a {of}", line)
        rest = values[2:]
        place = Type("iter", values[0].type.args, of=of)

        def element(number: int = 0) -> str:
            return self.fit(rest[number], inner, line).text

        span = f"({c}, {low}, {high}"
        match name:
            case "sort" | "stable_sort":
                order = f", {self.order(rest[0], line)}" if rest else ""
                self.helper("sort")
                return self._done(f"sort{span}{order})")
            case "reverse":
                return self._done(f"{self.helper('reverse')}{span})")
            case "fill":
                return self._done(f"{self.helper('set_all')}{span}, {element()})")
            case "iota":
                name_ = self.temporary()
                self.line(f"for {name_} in range({low}, {high}):")
                shift = element() if low == "0" else f"{element()} - {low}"
                self.line(f"    {c}[{name_}] = {name_} + {shift}")
                return Value("", VOID)
            case "lower_bound" | "upper_bound" | "binary_search":
                order = f", {self.order(rest[1], line)}" if len(rest) > 1 else ""
                helper = self.helper("upper" if name == "upper_bound" else "lower")
                wanted = rest[0].text if len(rest) > 1 else element()
                if name == "binary_search":
                    wanted = self.steady(rest[0]).text
                    at = self.steady(Value(f"{helper}{span}, {wanted})", INT)).text
                    return Value(f"{at} < {high} and {c}[{at}] == {wanted}", BOOL)
                return Value("", place, base=c, at=f"{helper}{span}, {wanted}{order})")
            case "unique":
                return Value("", place, base=c, at=self.steady(Value(f"{self.helper('unique')}{span})", INT)).text)
            case "max_element" | "min_element" if not rest:
                return Value("", place, base=c, at=f"{self.helper('best')}{span}, {name == 'max_element'})")
            case "find":
                return Value("", place, base=c, at=f"{self.helper('find')}{span}, {element()})")
            case "count":
                return Value(f"{self.helper('part')}{span}).count({element()})", LONG, atom=True, small=True)
            case "accumulate" if len(rest) == 1 and rest[0].type.name in RANK:
                return Value(f"sum({self.helper('part')}{span}), {rest[0].text})", rest[0].type, atom=True)
            case "next_permutation" if not rest:
                at = self.temporary()
                self.line(f"{at} = {self.helper('permute')}{span})")
                return Value(at, BOOL, atom=True, fixed=True)
            case "copy" if rest:
                to, start = self.base_and_place(rest[0], line)
                self.helper("part")
                return self._done(f"{self.helper('put')}({to}, {start}, part{span}))")
            case "all_of" | "any_of" | "count_if" if rest and rest[0].type.name == "function":
                word = {"all_of": "all", "any_of": "any", "count_if": "sum"}[name]
                text = f"{word}([{rest[0].text}(one) for one in {self.helper('part')}{span})])"
                return Value(text, LONG if name == "count_if" else BOOL, atom=True)
        return None

    def _backwards(self, name: str, values: Sequence[Value], c: str, line: int) -> Value:
        if name in ("sort", "stable_sort") and len(values) == 2 and (values[0].at, values[1].at) == ("begin", "end"):
            self.helper("sort")
            return self._done(f"sort({c}, 0, len({c}), back=True)")
        raise NotCovered(f"{name} from the back", line)

    def _done(self, text: str) -> Value:
        self.line(text)
        return Value("", VOID)
