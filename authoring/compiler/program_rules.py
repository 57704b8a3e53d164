"""What a reference solution may do if it is to become a pure function; the rest is refused by name."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator

from authoring.compiler.outcome import Refused, Stage

PURE_MODULES = frozenset(
    [
        "__future__",
        "bisect",
        "collections",
        "copy",
        "dataclasses",
        "enum",
        "fractions",
        "functools",
        "heapq",
        "itertools",
        "math",
        "operator",
        "re",
        "string",
        "typing",
    ]
)
SYS_NAMES = frozenset({"stdin", "stdout", "stderr", "exit", "setrecursionlimit", "maxsize"})
_MODULES = {
    "starts processes or reaches the system": "os subprocess multiprocessing signal ctypes pty fcntl resource platform",
    "reaches files": "io pathlib shutil tempfile glob fileinput mmap pickle shelve sqlite3 dbm zipfile csv",
    "reaches the network": "socket ssl http urllib requests asyncio ftplib smtplib select selectors",
    "uses threads": "threading _thread concurrent queue",
    "uses randomness": "random secrets uuid numpy.random",
    "reads the clock": "time datetime calendar timeit",
    "runs or inspects code": "ast code dis importlib inspect builtins gc runpy types traceback warnings",
    "changes settings of the process": "decimal locale",
}
WHY_NOT = {name: reason for reason, names in _MODULES.items() for name in names.split()}
_NAMES = {
    "executes text": "eval exec compile __import__",
    "reads files": "open",
    "reaches its own interpreter": "globals locals vars breakpoint help memoryview getattr setattr delattr hasattr "
    "__builtins__ __loader__ __spec__ __file__ __import__",
    "depends on the process": "id hash",
}
NAMES_WHY_NOT = {name: reason for reason, names in _NAMES.items() for name in names.split()}
_DUNDERS = frozenset({"__init__", "__name__", "__doc__", "__getitem__", "__len__", "__contains__"})


def check(tree: ast.Module) -> None:
    """Refuse what cannot be pure.

    Raises:
        Refused: names the construct and its line.
    """
    modules: set[str] = set()
    exits = _may_exit(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            modules |= _check_import(node)
        elif isinstance(node, ast.AsyncFunctionDef | ast.Await | ast.AsyncFor | ast.AsyncWith):
            raise _refused(node, "is asynchronous")
        elif isinstance(node, ast.Name) and node.id in NAMES_WHY_NOT:
            raise _refused(node, f"{NAMES_WHY_NOT[node.id]}: {node.id}")
        elif isinstance(node, ast.Attribute) and node.attr.startswith("__") and node.attr not in _DUNDERS:
            raise _refused(node, f"reaches its own interpreter: .{node.attr}")
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "input" and _asks(node):
            raise _refused(node, "prints a prompt: input(…) with an argument")
        elif exits and isinstance(node, ast.Try) and _calls(node.body):
            for handler in filter(_catches_all, node.handlers):
                raise _refused(handler, "catches every exception, an exit too")
    _check_modules_untouched(tree, modules)
    _check_sys(tree)
    _check_import_places(tree)
    _check_globals(tree)


def _refused(node: ast.AST, what: str) -> Refused:
    return Refused(Stage.SOLUTION, f"the reference {what} (line {getattr(node, 'lineno', 0)})")


def _asks(call: ast.Call) -> bool:
    """Whether it prints something before it reads."""
    match call.args:
        case [ast.Constant(value="")] if not call.keywords:
            return False
    return bool(call.args)


def _calls(body: list[ast.stmt]) -> bool:
    """Whether an exit may happen in there."""
    return any(isinstance(node, ast.Call | ast.Raise) for part in body for node in ast.walk(part))


def _may_exit(tree: ast.Module) -> bool:
    """Whether the program ends itself somewhere; only then does it matter that an exit would be caught."""
    return any(
        (isinstance(node, ast.Name) and node.id in ("exit", "quit", "SystemExit"))
        or (isinstance(node, ast.Attribute) and node.attr in ("exit", "_exit"))
        or (isinstance(node, ast.alias) and node.name in ("exit", "*"))
        for node in ast.walk(tree)
    )


def _catches_all(node: ast.ExceptHandler) -> bool:
    kinds = node.type.elts if isinstance(node.type, ast.Tuple) else [node.type]
    return any(
        kind is None or (isinstance(kind, ast.Name) and kind.id in ("BaseException", "Exception", "SystemExit"))
        for kind in kinds
    )


def _check_import(node: ast.Import | ast.ImportFrom) -> set[str]:
    names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else [node.module or ""]
    if isinstance(node, ast.ImportFrom) and node.level:
        raise _refused(node, "imports another file")
    for name in names:
        root = name.partition(".")[0]
        if root == "sys":
            continue
        if name not in PURE_MODULES and name != "collections.abc":
            raise _refused(node, f"{WHY_NOT.get(root, 'uses a module that is not covered')}: import {name}")
    if isinstance(node, ast.ImportFrom):
        if node.module == "sys" and any(alias.name not in SYS_NAMES for alias in node.names):
            raise _refused(node, "uses a part of sys that is not covered")
        return set()
    if any(alias.name == "sys" and alias.asname for alias in node.names):
        raise _refused(node, "renames sys")
    return {alias.asname or alias.name for alias in node.names}


def _check_modules_untouched(tree: ast.Module, modules: set[str]) -> None:
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(value=ast.Name(id=name), ctx=ast.Store() | ast.Del()) if name in modules:
                raise _refused(node, f"changes the module {name}")


def _check_sys(tree: ast.Module) -> None:
    """``sys`` may only be followed by a dot and a covered name."""
    covered = {
        id(node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and node.attr in SYS_NAMES and isinstance(node.ctx, ast.Load)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id == "sys" and id(node) not in covered:
            raise _refused(node, "uses a part of sys that is not covered")


def _check_import_places(tree: ast.Module) -> None:
    """Imports inside ``if`` or ``try`` decide something at run time; at the top of a function they do not."""
    for node in ast.walk(tree):
        if isinstance(node, ast.If | ast.Try | ast.While | ast.For | ast.With | ast.ClassDef):
            for inner in ast.walk(node):
                if isinstance(inner, ast.Import | ast.ImportFrom):
                    raise _refused(inner, "imports conditionally")


def _check_globals(tree: ast.Module) -> None:
    """``global`` becomes ``nonlocal``, which means the same only one function deep."""

    def walk(node: ast.AST, depth: int) -> None:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.Global) and depth > 1:
                raise _refused(child, "uses global inside a function inside a function")
            walk(child, depth + isinstance(child, ast.FunctionDef | ast.Lambda))

    walk(tree, 0)


def import_lines(node: ast.Import | ast.ImportFrom, tree: ast.Module) -> Iterator[tuple[str, str]]:
    """(bound name, import line) of each name; a star gives the names the program uses."""
    if isinstance(node, ast.Import):
        for alias in node.names:
            if alias.name != "sys":
                suffix = f" as {alias.asname}" if alias.asname else ""
                yield (alias.asname or alias.name).partition(".")[0], f"import {alias.name}{suffix}"
        return
    if node.module == "__future__":
        return
    for alias in node.names:
        if alias.name != "*":
            suffix = f" as {alias.asname}" if alias.asname else ""
            yield alias.asname or alias.name, f"from {node.module} import {alias.name}{suffix}"
            continue
        public = _public(node.module or "")
        own = set(bound_at_top(tree))
        used = {name.id for name in ast.walk(tree) if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Load)}
        for name in sorted(used & public - own):
            yield name, f"from {node.module} import {name}"


def _public(module: str) -> set[str]:
    import importlib

    loaded = importlib.import_module(module)  # one of PURE_MODULES: checked before
    return set(getattr(loaded, "__all__", [name for name in dir(loaded) if not name.startswith("_")]))


def bound_at_top(tree: ast.Module) -> Iterator[str]:
    """Names the program binds outside its functions and classes."""

    def walk(node: ast.AST) -> Iterator[str]:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.FunctionDef | ast.ClassDef):
                yield child.name
                continue
            if isinstance(child, ast.Lambda | ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp):
                continue
            if isinstance(child, ast.Name) and isinstance(child.ctx, ast.Store):
                yield child.id
            elif isinstance(child, ast.ImportFrom) and child.module == "sys":
                yield from (alias.asname or alias.name for alias in child.names)
            yield from walk(child)

    yield from walk(tree)


def is_builtin(name: str) -> bool:
    """Whether Python itself gives the name a meaning."""
    return hasattr(builtins, name)
