"""A Python 2 program as a Python 3 program that prints the same; what cannot be kept is refused.

First the syntax (:mod:`~authoring.compiler.python2_syntax`), then, on the tree, what the words mean: division of
integers, lists instead of iterators, ``input()``, ``cmp``, names that moved. Only text at those places changes. That
it prints the same is measured on the samples; where an order of a dictionary could matter, a second translation that
turns every such order round must print the same everywhere.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass

from authoring.compiler.program_templates import without_templates
from authoring.compiler.python2_lexer import NotPython2
from authoring.compiler.python2_scopes import bound_names, check_meanings, collections_named
from authoring.compiler.python2_syntax import modern_syntax
from authoring.compiler.python2_words import ATTRIBUTES, GONE, HELPERS, IMPORTED, NAMES, NEEDS
from authoring.compiler.text_edits import Insertions
from bootcamp_kit.python_source import parse_python

_TAKES_ITERATORS = frozenset(
    [
        "sum",
        "max",
        "min",
        "list",
        "set",
        "sorted",
        "tuple",
        "any",
        "all",
        "dict",
        "frozenset",
        "deque",
        "Counter",
        "enumerate",
        "join",
        "extend",
        "heapify",
        "chain",
    ]
)
_GOES_THROUGH = frozenset(
    ["list", "tuple", "enumerate", "zip", "map", "filter", "iter", "next", "reduce", "deque", "join"]
)
_MARKS = re.compile(
    r"\b(?:raw_input|xrange|unichr|basestring|izip|imap|has_key|iteritems|itervalues|iterkeys|maxint|long)\b"
    r"|fractions\s+import\s[^\n]*\bgcd|fractions\.gcd|string\.(?:letters|lowercase|uppercase|maketrans)\b"
    r"|\bcmp\s*=|^\s*print\b(?!\s*[(=.])",
    re.MULTILINE,
)
_LATER = re.compile(
    r"""\b(?:nonlocal|async|await)\b|\bf["']|\bprint\([^\n]*\b(?:end|sep|file)\s*=|\bprint\(\*|input\(\)\."""
)


@dataclass(frozen=True, slots=True)
class Translated:
    """Python 3 text.

    Attributes:
        code: The translation.
        turned: The same with every order of a dictionary turned round; "" where there is none.
    """

    code: str
    turned: str


def looks_like_python2(code: str) -> bool:
    """Whether words occur that only Python 2 knows."""
    return bool(_MARKS.search(code))


def looks_like_python3(code: str) -> bool:
    """Whether words occur that only Python 3 knows."""
    return bool(_LATER.search(code))


def translate(code: str) -> Translated:
    """Translate a program.

    Raises:
        NotPython2: names what has no counterpart, or where the text is no program.
    """
    plain = _translate(code, turn=False)
    turned = _translate(code, turn=True)
    return Translated(plain, turned if turned != plain else "")


def _translate(code: str, *, turn: bool) -> str:
    text = modern_syntax(code)
    try:
        text = without_templates(text)
        tree = parse_python(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        where = f" in line {error.lineno}" if isinstance(error, SyntaxError) else ""
        raise NotPython2(f"not a program{where} after the syntax was translated") from error
    return _Meaning(text, tree, turn).result()


class _Meaning:
    """The second half: one walk over the tree, collecting edits."""

    def __init__(self, text: str, tree: ast.Module, turn: bool) -> None:
        self.tree, self.turn = tree, turn
        self.edits = Insertions(text.encode())
        self.parents = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
        self.bound = bound_names(tree)
        self.imports = {
            alias.asname or alias.name: (node.module or "", alias.name)
            for node in ast.walk(tree)
            if isinstance(node, ast.ImportFrom)
            for alias in node.names
        }
        self.stars = {
            node.module or ""
            for node in ast.walk(tree)
            if isinstance(node, ast.ImportFrom) and any(alias.name == "*" for alias in node.names)
        }
        self.modules = {
            alias.asname or alias.name: alias.name
            for node in ast.walk(tree)
            if isinstance(node, ast.Import)
            for alias in node.names
        }
        self.used: set[str] = set()
        self.added: set[str] = set()
        self.new_division = any(
            isinstance(node, ast.ImportFrom)
            and node.module == "__future__"
            and any(alias.name == "division" for alias in node.names)
            for node in ast.walk(tree)
        )
        self.dicts = collections_named(tree)

    def result(self) -> str:
        check_meanings(self.tree)
        for node in ast.walk(self.tree):
            match node:
                case ast.BinOp(op=ast.Div()):
                    self._division(node)
                case ast.AugAssign(op=ast.Div()):
                    self._own_division(node)
                case ast.Call():
                    self._call(node)
                case ast.Name():
                    self._name(node)
                case ast.Attribute():
                    self._attribute(node)
                case ast.ImportFrom():
                    self._import(node)
                case ast.For() | ast.comprehension():
                    self._order(node.iter)
        body = self.edits.result()
        head = sorted({*self.added, *(NEEDS[name] for name in self.used if name in NEEDS)})
        helpers = [line for name in HELPERS if name in self.used for line in (*HELPERS[name], "", "")]
        return "\n".join([*head, *([""] if head else []), *helpers, body])

    def _use(self, helper: str) -> str:
        if helper in HELPERS:
            self.used.add(helper)
        return helper

    def _division(self, node: ast.BinOp) -> None:
        if self.new_division or _is_float(node.left) or _is_float(node.right):
            return
        start, end = self.edits.operator(node.left, node.right, "/")
        self.edits.around(node, f"{self._use('py2_div')}(", ")")
        self.edits.replace(start, end, ",")

    def _own_division(self, node: ast.AugAssign) -> None:
        if self.new_division or _is_float(node.value):
            return
        if any(isinstance(inner, ast.Call | ast.Div) for inner in ast.walk(node.target)):
            raise NotPython2("a division assigned to the result of a call")
        target = self.edits.text(node.target)
        start, end = self.edits.operator(node.target, node.value, "/=")
        tuple_ = isinstance(node.value, ast.Tuple)
        self.edits.replace(start, end, f"= {self._use('py2_div')}({target},{'(' if tuple_ else ''}")
        self.edits.around(node.value, "", "))" if tuple_ else ")")

    def _call(self, node: ast.Call) -> None:
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        if name in _GOES_THROUGH or (name in ("max", "min", "sorted") and node.keywords):
            for argument in node.args:
                self._order(argument)
        if name and name not in self.bound:
            self._builtin_call(name, node)
        elif isinstance(node.func, ast.Attribute):
            self._method_call(node, node.func)

    def _builtin_call(self, name: str, node: ast.Call) -> None:
        if name == "input" and not node.args:
            self._rename(node.func, self._use("py2_input"))
        elif name == "map" and (len(node.args) != 2 or isinstance(node.args[0], ast.Constant)):
            self._rename(node.func, self._use("py2_map"))
        elif name == "filter":
            self._rename(node.func, self._use("py2_filter"))
        elif name in ("map", "zip", "range") and not self._is_iterated(node):
            self.edits.around(node, "list(", ")")
        elif name == "sorted":
            self._compare(node, skip=1)

    def _method_call(self, node: ast.Call, function: ast.Attribute) -> None:
        method = function.attr
        if method in ("keys", "values", "items", "iterkeys", "itervalues", "iteritems") and not node.args:
            turn = self.turn and not self._is_orderless(node)
            if turn:
                self.edits.around(node, "list(", ")[::-1]")
            elif not method.startswith("iter") and not self._is_iterated(node):
                self.edits.around(node, "list(", ")")
            if method.startswith("iter"):
                end = self.edits.end(function)
                self.edits.replace(end - len(method), end, method.removeprefix("iter"))
        elif method == "has_key" and len(node.args) == 1:
            self.edits.around(node, f"{self._use('py2_has')}(", "")
            value = self.edits.end(function.value)
            self.edits.replace(value, self.edits.source.index(b"(", self.edits.end(function)) + 1, ", ")
        elif method == "next" and not node.args:
            self.edits.around(node, "next(", ")")
            self.edits.replace(self.edits.end(function.value), self.edits.end(node), "")
        elif method == "sort":
            self._compare(node, skip=0)
        elif method in ("translate", "encode", "decode") and (len(node.args) > 1 or method != "translate"):
            raise NotPython2(f".{method}() of a string of bytes")

    def _compare(self, node: ast.Call, *, skip: int) -> None:
        """A comparison function becomes a key."""
        functions = [keyword.value for keyword in node.keywords if keyword.arg == "cmp"]
        if len(node.args) > skip:
            if isinstance(node.args[skip], ast.Constant):
                raise NotPython2("sort with positional arguments")
            functions.append(node.args[skip])
        if not functions:
            return
        if len(functions) > 1 or len(node.args) > skip + 1 or any(word.arg == "key" for word in node.keywords):
            raise NotPython2("sort with a comparison and a key")
        self.added.add("from functools import cmp_to_key")
        word = next((keyword for keyword in node.keywords if keyword.arg == "cmp"), None)
        if word is None:
            self.edits.around(functions[0], "key=cmp_to_key(", ")")
            return
        at = self.edits._starts[word.lineno - 1] + word.col_offset
        self.edits.replace(at, at + 3, "key")
        self.edits.around(functions[0], "cmp_to_key(", ")")

    def _is_iterated(self, node: ast.expr) -> bool:
        """Whether only an iterator is wanted of it."""
        match self.parents.get(node):
            case ast.For(iter=inner) | ast.comprehension(iter=inner) if inner is node:
                return True
            case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)):
                return name in _TAKES_ITERATORS
            case ast.Assign(targets=[ast.Tuple() | ast.List()], value=inner) if inner is node:
                return True
        return False

    def _is_orderless(self, node: ast.expr) -> bool:
        match self.parents.get(node):
            case ast.Call(func=ast.Name(id=name), keywords=[]):
                return name in ("sum", "max", "min", "set", "sorted", "len", "any", "all", "frozenset")
        return False

    def _order(self, node: ast.expr) -> None:
        """A dictionary or a set that is gone through, in the turned translation."""
        made = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("set", "frozenset")
        if self.turn and (made or (isinstance(node, ast.Name) and node.id in self.dicts)):
            self.edits.around(node, "list(", ")[::-1]")

    def _name(self, node: ast.Name) -> None:
        name = node.id
        if name in GONE and name not in self.bound and isinstance(node.ctx, ast.Load):
            raise NotPython2(f"{name}() has no counterpart")
        source = self.imports.get(name) or (
            ("math", name) if name in ("floor", "ceil") and "math" in self.stars else None
        )
        source = source or (("fractions", name) if name == "gcd" and "fractions" in self.stars else None)
        if source in IMPORTED and isinstance(node.ctx, ast.Load):
            module, text = IMPORTED[source]
            if module:
                self.added.add(f"from {module} import {text}")
            self._rename(node, self._use(text))
        elif name in NAMES and name not in self.bound and source is None:
            if name == "reduce":
                self.added.add("from functools import reduce")
            elif name in ("round", "cmp"):
                self._rename(node, self._use(NAMES[name]))
            elif name != "gcd":
                self._rename(node, NAMES[name])

    def _attribute(self, node: ast.Attribute) -> None:
        if not isinstance(node.value, ast.Name) or node.value.id not in self.modules:
            return
        text = ATTRIBUTES.get((self.modules[node.value.id], node.attr))
        if text:
            self.added.update({f"import {text.partition('.')[0]}"} & {"import string", "import itertools"})
            self.edits.replace(self.edits.start(node), self.edits.end(node), self._use(text))

    def _import(self, node: ast.ImportFrom) -> None:
        moved = [alias for alias in node.names if (node.module or "", alias.name) in IMPORTED]
        if not moved and node.module != "__future__":
            return
        kept = [alias for alias in node.names if alias not in moved]
        text = f"from {node.module} import {', '.join(ast.unparse(alias) for alias in kept)}"
        if not kept or node.module == "__future__":
            text = "pass"
        self.edits.replace(self.edits.start(node), self.edits.end(node), text)

    def _rename(self, node: ast.expr, text: str) -> None:
        self.edits.replace(self.edits.start(node), self.edits.end(node), text)


def _is_float(node: ast.expr) -> bool:
    """Whether the operand is a float whatever the input."""
    match node:
        case ast.Constant(value=float()):
            return True
        case ast.Call(func=ast.Name(id="float") | ast.Attribute(attr="sqrt")):
            return True
    return False
