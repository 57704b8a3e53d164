"""Small changes of a verifier's source, one at a time: what a careless author could have written instead.

Every change is a replacement of one span of the text, so that the rest of the file keeps its lines and a mutant reads
as a diff of the source that a person wrote.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from bootcamp_kit.python_source import parse_python

_CORRECT = "from bootcamp_kit.case import Score\n{indent}return Score.correct()"
_UNWRAPPED = frozenset({"set", "sorted", "abs", "frozenset", "str", "int", "float", "round", "list", "tuple"})
_SWAPPED_NAMES = {"all": "any", "any": "all", "min": "max", "max": "min"}
_METHODS = frozenset({"strip", "lower", "casefold", "upper", "rstrip", "lstrip"})
_COMPARED: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Eq: (ast.NotEq, ast.GtE, ast.LtE),
    ast.NotEq: (ast.Eq, ast.Lt, ast.Gt),
    ast.Lt: (ast.LtE, ast.Gt),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.Lt),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
}
_ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
}
Change = tuple[str, ast.AST, str]  # operator, node whose span is replaced, new text


@dataclass(frozen=True, slots=True)
class Edit:
    """One change of one file.

    Attributes:
        operator: Its kind.
        file, function, line: Where.
        start, end: The span of the source's UTF-8 bytes that is replaced.
        text: By what.
    """

    operator: str
    file: str
    function: str
    line: int
    start: int
    end: int
    text: str

    def apply(self, source: bytes) -> bytes:
        """The changed file."""
        return source[: self.start] + self.text.encode() + source[self.end :]


def edits(file: str, source: bytes, functions: frozenset[str]) -> list[Edit]:
    """All changes of the named functions of a file that still compile, in the order of the text.

    Args:
        file: Its name.
        source: UTF-8 Python that parses.
        functions: Qualified names (``Task.verify``, ``helper``).
    """
    places = _Places(source)
    found: dict[tuple[int, int, str], Edit] = {}
    for name, node in defined(parse_python(source)):
        if name not in functions:
            continue
        for operator, target, text in _changes(node, places):
            start, end = places.span(target)
            edit = Edit(operator, file, name, getattr(target, "lineno", node.lineno), start, end, text)
            if source[start:end] != text.encode() and _compiles(edit.apply(source)):
                found.setdefault((start, end, text), edit)
    return sorted(found.values(), key=lambda edit: (edit.start, edit.end, edit.operator, edit.text))


def defined(tree: ast.Module) -> Iterator[tuple[str, ast.FunctionDef]]:
    """Functions of a module and methods of its classes, with qualified names."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            yield node.name, node
        elif isinstance(node, ast.ClassDef):
            for inner in node.body:
                if isinstance(inner, ast.FunctionDef):
                    yield f"{node.name}.{inner.name}", inner


class _Places:
    """Where nodes lie in the bytes."""

    def __init__(self, source: bytes) -> None:
        self.starts = [0]
        for line in source.splitlines(keepends=True):
            self.starts.append(self.starts[-1] + len(line))

    def span(self, node: ast.AST) -> tuple[int, int]:
        if isinstance(node, _Body):
            return self._at(node.first.lineno, node.first.col_offset), self._end(node.last)
        assert isinstance(node, ast.expr | ast.stmt)
        return self._at(node.lineno, node.col_offset), self._end(node)

    def _end(self, node: ast.expr | ast.stmt) -> int:
        return self._at(node.end_lineno or node.lineno, node.end_col_offset or 0)

    def _at(self, line: int, column: int) -> int:
        return self.starts[line - 1] + column


class _Body(ast.AST):
    """A run of statements as one span."""

    def __init__(self, statements: list[ast.stmt]) -> None:
        super().__init__()
        body = [item for item in statements if not _is_text(item)] or statements
        self.first, self.last = body[0], body[-1]
        self.lineno, self.indent = self.first.lineno, " " * self.first.col_offset


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def _compiles(source: bytes) -> bool:
    try:
        compile(source, "<mutant>", "exec", dont_inherit=True)
    except (SyntaxError, ValueError):
        return False
    return True


def _changes(function: ast.FunctionDef, places: _Places) -> Iterator[Change]:
    gives_score = _gives_score(function)
    if gives_score:
        body = _Body(function.body)
        yield "accept everything", body, _CORRECT.format(indent=body.indent)
    for node in ast.walk(function):
        if node is function.returns or node in function.decorator_list:
            continue
        for operator in _OPERATORS:
            yield from operator(node, gives_score)


def _gives_score(function: ast.FunctionDef) -> bool:
    return isinstance(function.returns, ast.Name | ast.Attribute | ast.Constant) and "Score" in ast.unparse(
        function.returns
    )


def _text(node: ast.AST) -> str:
    if isinstance(node, ast.expr) and not isinstance(node, ast.Constant | ast.Name | ast.Call | ast.Subscript):
        return f"({ast.unparse(node)})"
    return ast.unparse(node)


def _changed(node: ast.AST, **fields: object) -> str:
    other = copy.copy(node)
    for name, value in fields.items():
        setattr(other, name, value)
    return _text(ast.fix_missing_locations(other))


def _guards(node: ast.AST, gives_score: bool) -> Iterator[Change]:
    if isinstance(node, ast.If) and isinstance(node.body[-1], ast.Return | ast.Raise | ast.Continue | ast.Break):
        yield "drop a check", node.test, "False"
    if isinstance(node, ast.If | ast.IfExp | ast.While):
        yield "negate a condition", node.test, f"not {_text(node.test)}"
    if isinstance(node, ast.Assert):
        yield "drop a check", node, "pass"


def _junctions(node: ast.AST, gives_score: bool) -> Iterator[Change]:
    if not isinstance(node, ast.BoolOp):
        return
    for place in range(len(node.values)):
        rest = node.values[:place] + node.values[place + 1 :]
        text = _text(rest[0]) if len(rest) == 1 else _changed(node, values=rest)
        yield "drop a condition", node, text
    yield "and for or", node, _changed(node, op=ast.Or() if isinstance(node.op, ast.And) else ast.And())


def _comparisons(node: ast.AST, gives_score: bool) -> Iterator[Change]:
    if not isinstance(node, ast.Compare):
        return
    for place, operator in enumerate(node.ops):
        for other in _COMPARED[type(operator)]:
            ops = [*node.ops[:place], other(), *node.ops[place + 1 :]]
            yield "another comparison", node, _changed(node, ops=ops)
    if len(node.ops) == 1 and isinstance(node.ops[0], ast.Eq | ast.NotEq):
        left, right = node.left, node.comparators[0]
        yield "compare with itself", node, _changed(node, comparators=[left])
        yield "compare lengths only", node, _changed(node, left=_call("len", left), comparators=[_call("len", right)])
    for place in range(len(node.ops)) if len(node.ops) > 1 else ():
        kept = [*node.comparators[:place], *node.comparators[place + 1 :]]
        yield "drop a bound", node, _changed(node, ops=node.ops[:place] + node.ops[place + 1 :], comparators=kept)


def _call(name: str, argument: ast.expr) -> ast.Call:
    return ast.Call(ast.Name(name, ast.Load()), [argument], [])


def _calls(node: ast.AST, gives_score: bool) -> Iterator[Change]:
    if not isinstance(node, ast.Call):
        return
    name = node.func.id if isinstance(node.func, ast.Name) else ""
    method = node.func.attr if isinstance(node.func, ast.Attribute) else ""
    if name in _SWAPPED_NAMES:
        yield (
            f"{_SWAPPED_NAMES[name]} for {name}",
            node,
            _changed(node, func=ast.Name(_SWAPPED_NAMES[name], ast.Load())),
        )
    if name in _UNWRAPPED and len(node.args) == 1 and not isinstance(node.args[0], ast.GeneratorExp):
        yield f"drop {name}()", node, _text(node.args[0])
    if method in _METHODS and isinstance(node.func, ast.Attribute) and not node.args:
        yield f"drop .{method}()", node, _text(node.func.value)
    if "last_answer" in (name, method) and len(node.args) == 1:
        head = 'text.partition("</answer>")'
        first = f"(lambda text: {_text(node.func)}({head}[0] + {head}[1]))"
        yield "first answer for last", node, f"{first}({_text(node.args[0])})"
        yield "strip more", node, f'{_text(node)}.strip(".,;:!?\'\\"()[]-+ ")'
    if method in ("wrong", "partial", "malformed") and gives_score and _text(node).startswith("Score."):
        yield "accept here", node, "Score.correct()"
    yield from _keywords(node)


def _keywords(node: ast.Call) -> Iterator[Change]:
    for place, keyword in enumerate(node.keywords):
        value = keyword.value
        if keyword.arg == "strict" and isinstance(value, ast.Constant) and value.value is True:
            yield "zip without strict", value, "False"
        elif keyword.arg and not isinstance(value, ast.Constant):
            rest = [*node.keywords[:place], *node.keywords[place + 1 :]]
            yield "drop an argument", node, _changed(node, keywords=rest)


def _numbers(node: ast.AST, gives_score: bool) -> Iterator[Change]:
    if isinstance(node, ast.Constant) and type(node.value) is int and abs(node.value) < 10**6:
        yield "off by one", node, str(node.value + 1)
        yield "off by one", node, f"({node.value - 1})"
    if isinstance(node, ast.Constant) and type(node.value) is float and 0 < abs(node.value) < 1:
        yield "tolerance times 1000", node, repr(node.value * 1000)
    if isinstance(node, ast.BinOp) and type(node.op) in _ARITHMETIC:
        yield "another operation", node, _changed(node, op=_ARITHMETIC[type(node.op)]())


def _places_in_lists(node: ast.AST, gives_score: bool) -> Iterator[Change]:
    if not isinstance(node, ast.Subscript) or not isinstance(node.ctx, ast.Load):
        return
    place = ast.unparse(node.slice)
    if place in ("0", "-1"):
        yield "first for last", node, _changed(node, slice=ast.Constant(-1 if place == "0" else 0))
    inner, fixed = node.value, ast.Constant | ast.Slice
    if isinstance(inner, ast.Subscript) and not isinstance(node.slice, fixed) and not isinstance(inner.slice, fixed):
        swapped = ast.Subscript(inner.value, node.slice, ast.Load())
        yield "swap row and column", node, _changed(node, value=swapped, slice=inner.slice)


def _loops(node: ast.AST, gives_score: bool) -> Iterator[Change]:
    if isinstance(node, ast.For | ast.comprehension):
        yield "skip the last", node.iter, f"list({ast.unparse(node.iter)})[:-1]"
        yield "skip the first", node.iter, f"list({ast.unparse(node.iter)})[1:]"
    if isinstance(node, ast.comprehension):
        for condition in node.ifs:
            yield "drop a filter", condition, "True"


def _exceptions(node: ast.AST, gives_score: bool) -> Iterator[Change]:
    if isinstance(node, ast.ExceptHandler) and gives_score:
        body = _Body(node.body)
        yield "a failure is right", body, _CORRECT.format(indent=body.indent)


def _truths(node: ast.AST, gives_score: bool) -> Iterator[Change]:
    if not isinstance(node, ast.Return) or node.value is None:
        return
    if isinstance(node.value, ast.Constant) and type(node.value.value) is bool:
        yield "the other truth", node.value, str(not node.value.value)
    elif isinstance(node.value, ast.Compare | ast.BoolOp) or _is_call_of(node.value, ("all", "any")):
        yield "always true", node.value, "True"


def _is_call_of(node: ast.expr, names: tuple[str, ...]) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in names


_OPERATORS: tuple[Callable[[ast.AST, bool], Iterator[Change]], ...] = (
    _guards,
    _junctions,
    _comparisons,
    _calls,
    _numbers,
    _places_in_lists,
    _loops,
    _exceptions,
    _truths,
)
