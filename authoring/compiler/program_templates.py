"""Takes out of a reference what solves nothing: unreachable definitions, fast-reading templates, threads as a trick.

Contest programs carry code that was pasted before the problem was known. What is never reached can go; replacing
``sys.stdin`` by a faster reader, and running ``main`` in a thread for a deeper stack, changes nothing that is printed.
Anything else stays as it is, and is refused later where it cannot be pure.
"""

from __future__ import annotations

import ast
import re

from authoring.compiler.text_edits import Insertions
from bootcamp_kit.python_source import parse_python

_KEPT_MODULES = frozenset(["sys", "__future__"])
_FAST = re.compile(r"(?:io\.)?(?:BytesIO|StringIO)\(\s*os\.read\(\s*0\s*,\s*os\.fstat\(\s*0\s*\)\.st_size\s*\)\s*\)")
_STREAM = re.compile(
    r"(?:IOWrapper|FastIO|FastIn|FastOut|FastStdin)\(sys\.std(?:in|out)\)|sys\.stdin\.buffer|"
    r"(?:io\.|cStringIO\.|StringIO\.)?(?:BytesIO|StringIO|BufferedReader)\((?:sys\.stdin\.(?:buffer\.)?read\(\))?\)"
)
_QUEUES = frozenset({"Queue", "LifoQueue", "PriorityQueue", "SimpleQueue", "Empty", "Full", "ShutDown"})
_DECIMAL = (
    "Decimal Context DecimalTuple DefaultContext BasicContext ExtendedContext DecimalException Clamped Inexact Rounded"
)
_DECIMAL += (
    " InvalidOperation DivisionByZero Subnormal Overflow Underflow FloatOperation DivisionImpossible InvalidContext"
)
_DECIMAL += (
    " ConversionSyntax DivisionUndefined ROUND_DOWN ROUND_HALF_UP ROUND_HALF_EVEN ROUND_CEILING ROUND_FLOOR ROUND_UP"
)
_DECIMAL += " ROUND_HALF_DOWN ROUND_05UP setcontext getcontext localcontext MAX_PREC MAX_EMAX MIN_EMIN MIN_ETINY"
_DECIMAL += " HAVE_THREADS HAVE_CONTEXTVAR IEEEContext IEEE_CONTEXT_MAX_BITS"
_STARS = {
    "decimal": frozenset(_DECIMAL.split()),
    "datetime": frozenset({"date", "datetime", "time", "timedelta", "timezone", "tzinfo", "MINYEAR", "MAXYEAR", "UTC"}),
    "queue": _QUEUES,
    "Queue": _QUEUES,
    "array": frozenset({"array", "ArrayType", "typecodes"}),
}
"""What a star gives, of modules that would be refused: where none of it is used, the import does nothing."""
_VERSION = "sys.version_info"
_ARGUMENTS = r"len\(sys\.argv\) (?:== [2-9]|> [1-9]|>= [2-9])(?: and .*)?"
"""A program that is judged has no arguments."""
_NEVER_TRUE = re.compile(rf"round\(0\.5\)|str is bytes|{_ARGUMENTS}")


def without_templates(code: str) -> str:
    """The same program without its template; the text itself where there is none.

    Raises:
        SyntaxError: not Python 3.
        ValueError, RecursionError, MemoryError: as :func:`parse_python`.
    """
    for change in (_direct_reading, _without_tricks, _without_tricks, _without_unreached, _without_unused_imports):
        code = change(code)
    return code


def _direct_reading(code: str) -> str:
    """``open(0)`` and a copy of all input in memory are the standard input."""
    code = _FAST.sub("sys.stdin.buffer", code)
    code = re.sub(r"\bsys\.__(stdin|stdout|stderr)__", r"sys.\1", code)
    code = re.sub(r"""(?:"\w+"|'\w+') in os\.environ\b|\bos\.(?:environ\.get|getenv)\(['"]\w+['"]\)""", "False", code)
    found = re.sub(r"(?<![\w.])open\(\s*0\s*\)", "sys.stdin", code)
    return found if found == code or re.search(r"(?m)^\s*import [^\n]*\bsys\b", found) else f"import sys\n{found}"


def _edited(code: str, statements: list[tuple[ast.stmt, str]]) -> str:
    if not statements:
        return code
    edits = Insertions(code.encode())
    for node, text in statements:
        edits.replace(_start(edits, node), edits.end(node), text)
    return edits.result()


def _start(edits: Insertions, node: ast.stmt) -> int:
    decorators = getattr(node, "decorator_list", [])
    return edits.start(decorators[0]) - 1 if decorators else edits.start(node)


def _without_tricks(code: str) -> str:
    tree = parse_python(code)
    old_python = {
        target.id
        for node in tree.body
        if isinstance(node, ast.Assign) and _NEVER_TRUE.fullmatch(ast.unparse(node.value))
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    constants = _false_for_ever(tree)
    threads: dict[str, str] = {}
    found: list[tuple[ast.stmt, str]] = []
    for node in _statements(tree):
        text = _replacement(node, old_python, constants, threads, code)
        if text is not None:
            found.append((node, text))
    # An inner statement of a replaced one needs no replacement of its own.
    outer = [node for node, _ in found]
    inside = {id(inner) for node in outer for inner in ast.walk(node) if inner is not node}
    return _edited(code, [(node, text) for node, text in found if id(node) not in inside])


def _false_for_ever(tree: ast.Module) -> set[str]:
    """Names that are set once, to 0 or the like: ``OFFLINE = 0``."""
    stored = [node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)]
    return {
        target.id
        for node in tree.body
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant) and not node.value.value
        for target in node.targets
        if isinstance(target, ast.Name) and stored.count(target.id) == 1
    }


def _statements(tree: ast.Module) -> list[ast.stmt]:
    return [node for node in ast.walk(tree) if isinstance(node, ast.stmt)]


def _replacement(
    node: ast.stmt, old_python: set[str], constants: set[str], threads: dict[str, str], code: str
) -> str | None:
    match node:
        case ast.Assign(targets=[target], value=value):
            left = ast.unparse(target)
            if left in ("(sys.stdin, sys.stdout)", "sys.stdin, sys.stdout", "sys.stdin", "sys.stdout"):
                return "pass" if _is_faster_stream(value) else None
            if isinstance(target, ast.Name) and (function := _thread(value)):
                threads[target.id] = function
                return "pass"
            if left in old_python:
                return f"{left} = False"
            if left == "getcontext().prec":
                return "pass"  # the precision of decimals: where any is used, the import is refused
        case ast.Expr(value=ast.Call(func=ast.Name(id="register") | ast.Attribute(attr="register"), args=[function])):
            return "pass" if "sys.stdout.getvalue()" in ast.unparse(function) else None
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=inner, attr=method))):
            return _method(ast.unparse(inner), inner, method, threads)
        case ast.If(test=test, orelse=other):
            return _branch(node, ast.unparse(test), other, old_python | constants, code)
        case ast.FunctionDef(name="print", args=ast.arguments(kwarg=ast.arg())):
            return "pass" if "kwargs.pop" in ast.unparse(node) else None
    return None


def _is_faster_stream(value: ast.expr) -> bool:
    """A wrapper around the stream, or a copy of all of it in memory."""
    parts = value.elts if isinstance(value, ast.Tuple) else [value]
    return all(_STREAM.fullmatch(ast.unparse(part)) for part in parts)


def _thread(value: ast.expr) -> str:
    """The function that ``threading.Thread(target=main)`` runs."""
    match value:
        case ast.Call(
            func=ast.Attribute(attr="Thread") | ast.Name(id="Thread"),
            args=[],
            keywords=[ast.keyword(arg="target", value=ast.Name(id=function))],
        ):
            return function
    return ""


def _method(text: str, inner: ast.expr, method: str, threads: dict[str, str]) -> str | None:
    if method == "start" and (function := threads.get(text) or _thread(inner)):
        return f"{function}()"
    if method == "join" and text in threads:
        return "pass"
    if (text, method) in (("threading", "stack_size"), ("resource", "setrlimit"), ("sys", "setcheckinterval")):
        return "pass"
    return None


def _branch(node: ast.If, test: str, other: list[ast.stmt], old_python: set[str], code: str) -> str | None:
    """``if sys.version_info[0] < 3: …`` is decided; a local test file does not exist."""
    never = test in old_python or re.fullmatch(
        rf"{_VERSION}(?:\[0\]|\.major)? (?:< (?:3|\(3,.*\))|== 2)|os\.path\.(?:exists|isfile)\(.*\)|False"
        rf"|sys\.subversion\[0\] == 'PyPy'|sys\.hexversion == \d+|{_ARGUMENTS}",
        test,
    )
    always = re.fullmatch(rf"{_VERSION}(?:\[0\]|\.major)? (?:>= (?:3|\(3,.*\))|== 3|> 2)", test)
    if not (never or always):
        return None
    chosen = other if never else node.body
    if not chosen:
        return "pass"
    edits = Insertions(code.encode())
    body = edits.source[edits.start(chosen[0]) : edits.end(chosen[-1])].decode()
    return f"if True:\n{' ' * chosen[0].col_offset}{body}"


def _without_unreached(code: str) -> str:
    """Drop definitions at the top that nothing reaches; a definition does nothing by itself."""
    tree = parse_python(code)
    inert = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef) and _inert(node)}
    if len(inert) != sum(isinstance(node, ast.FunctionDef | ast.ClassDef) and _inert(node) for node in tree.body):
        return code  # a name defined twice: which one counts depends on the place
    reached, waiting = set[str](), [node for node in tree.body if node not in inert.values()]
    while waiting:
        node = waiting.pop()
        for inner in ast.walk(node):
            if isinstance(inner, ast.Name) and inner.id in inert and inner.id not in reached:
                reached.add(inner.id)
                waiting.append(inert[inner.id])
    return _edited(code, [(node, "pass") for name, node in inert.items() if name not in reached])


def _inert(node: ast.FunctionDef | ast.ClassDef) -> bool:
    if node.decorator_list:
        return False
    if isinstance(node, ast.FunctionDef):
        defaults = [*node.args.defaults, *(value for value in node.args.kw_defaults if value)]
        return not any(isinstance(inner, ast.Call) for value in defaults for inner in ast.walk(value))
    return all(
        isinstance(part, ast.FunctionDef | ast.Pass)
        or (isinstance(part, ast.Assign | ast.Expr) and isinstance(part.value, ast.Constant))
        for part in node.body
    )


def _without_unused_imports(code: str) -> str:
    """Drop imported names that are never used, of modules that could be refused."""
    from authoring.compiler.program_rules import PURE_MODULES

    tree = parse_python(code)
    used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    changes: list[tuple[ast.stmt, str]] = []
    for node in ast.walk(tree):
        if not isinstance(node, ast.Import | ast.ImportFrom):
            continue
        kept = []
        for alias in node.names:
            module = alias.name if isinstance(node, ast.Import) else node.module or ""
            bound = (alias.asname or alias.name).partition(".")[0]
            safe = module.partition(".")[0] in PURE_MODULES | _KEPT_MODULES
            spare = alias.name == "*" and module in _STARS and not used & _STARS[module]
            if safe or bound in used or (alias.name == "*" and not spare):
                kept.append(alias)
        if len(kept) < len(node.names):
            names = ", ".join(ast.unparse(alias) for alias in kept)
            head = "import" if isinstance(node, ast.Import) else f"from {'.' * node.level}{node.module} import"
            changes.append((node, f"{head} {names}" if kept else "pass"))
    return _edited(code, changes)
