"""Ways round the plain rules: a forbidden thing under another name, or reached through frames, texts and patterns.

Each rule yields (code, line, message). A rule here is a warning to a reader and to the author; the sandbox confines.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from sandbox.checks import static_tables as tables
from sandbox.checks.static_names import Names, dotted

Place = tuple[str, int, str]
_DUNDER = r"__(?:" + "|".join(sorted(tables.DUNDER_DOORS)) + ")__"
_DUNDER_WORD = re.compile(rf"\A[\w.\[\]]*{_DUNDER}[\w.\[\]]*\Z|\{{[^{{}}]*{_DUNDER}")
"""A name or a path of names and nothing else, or a field of a format: not a statement that speaks of one."""


def reach_hits(tree: ast.Module, names: Names, *, is_oracle: bool) -> Iterator[Place]:
    """(code, line, message) of each place."""
    called = {id(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    owners = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    texts = _documentation(tree)
    mains = {id(name) for test in _main_tests(tree) for name in ast.walk(test)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            yield from _name(node, names, called=id(node) in called, owner=id(node) in owners, main=id(node) in mains)
        elif isinstance(node, ast.Attribute):
            yield from _attribute(node, names, called=id(node) in called)
        elif isinstance(node, ast.MatchClass):
            yield from _pattern(node)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            yield from _import(node, is_oracle=is_oracle)
        elif isinstance(node, ast.Call):
            yield from _call(node, names)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in texts:
            if not is_oracle and (found := _DUNDER_WORD.search(node.value)):
                yield "static.import_trick", node.lineno, f"the text {found[0]} names an inner attribute"
        elif isinstance(node, ast.ClassDef):
            yield from _class(node)


def _documentation(tree: ast.Module) -> frozenset[int]:
    """Texts that stand as statements: docstrings."""
    return frozenset(id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr))


def _main_tests(tree: ast.Module) -> list[ast.Compare]:
    """``__name__ == "__main__"``."""
    return [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Compare)
        and any(isinstance(item, ast.Constant) and item.value == "__main__" for item in node.comparators)
    ]


def _name(node: ast.Name, names: Names, *, called: bool, owner: bool, main: bool) -> Iterator[Place]:
    name = node.id
    if not called and name in tables.BUILTIN_RUNNERS and name not in names.own:
        yield "static.executes_text", node.lineno, f"hands {name} on"
    elif not called and name in ("getattr", "setattr", "delattr"):
        yield "static.import_trick", node.lineno, f"hands {name} on"
    elif name in tables.WHERE_AM_I and not main:
        yield "static.import_trick", node.lineno, f"asks where it runs: {name}"
    elif names.imported.get(name) == "random" and not owner:
        yield "static.global_random", node.lineno, "hands the random module on"


def _attribute(node: ast.Attribute, names: Names, *, called: bool) -> Iterator[Place]:
    name, full = node.attr, names.full(node)
    head = dotted(node).partition(".")[0]
    if name in tables.FRAME_DOORS:
        yield "static.import_trick", node.lineno, f"reaches for .{name}"
    elif name in tables.TEXT_RUNNERS - {"compile"} and not called:
        yield "static.executes_text", node.lineno, f"hands {name} on"
    elif names.is_standard_module(head) and (name.startswith("_") or name in tables.DANGEROUS_MODULES):
        yield "static.import_trick", node.lineno, f"reaches for .{name} of {head}"
    elif full == "string.Formatter":
        yield "static.import_trick", node.lineno, "string.Formatter reads attributes named in text"
    elif full.startswith("random.") and full != "random.Random" and full.count(".") == 1 and not called:
        yield "static.global_random", node.lineno, f"hands {full} on: the global generator"
    elif full.startswith("datetime.") and name in tables.CLOCK_CALLS:
        yield "static.clock", node.lineno, f"reads the clock: {full}"
    elif name in ("seed", "task_id") and isinstance(node.ctx, ast.Load) and not called:
        yield "static.reads_seed", node.lineno, f"reads .{name}: prompt, answer and verdict hang on the payload alone"


def _pattern(node: ast.MatchClass) -> Iterator[Place]:
    for name in node.kwd_attrs:
        if name in tables.FRAME_DOORS or (name.startswith("__") and name not in tables.SAFE_DUNDERS):
            yield "static.import_trick", node.lineno, f"a pattern reaches for .{name}"
        elif name in ("seed", "task_id"):
            yield "static.reads_seed", node.lineno, f"a pattern reads .{name}"


def _import(node: ast.Import | ast.ImportFrom, *, is_oracle: bool) -> Iterator[Place]:
    if isinstance(node, ast.Import):
        for alias in node.names:
            yield from _kit(alias.name, node.lineno)
        return
    found = [alias.name for alias in node.names]
    if "*" in found:
        yield "static.import_trick", node.lineno, "imports *: say what is used"
    if node.level:
        for name in [*(node.module or "").split(".")[:1], *(found if not node.module else ())]:
            if name in ("reference", "oracle", "second_oracle") and not is_oracle:
                yield "static.forbidden_import", node.lineno, f"imports {name}.py, which never leaves the sandbox"
        return
    for name in found:
        if name.startswith("_") or (name in tables.DANGEROUS_MODULES and node.module != "__future__"):
            yield "static.import_trick", node.lineno, f"takes {name[:40]} from {(node.module or '')[:40]}"
        yield from _kit(f"{node.module}.{name}", node.lineno)
    if node.module == "string" and "Formatter" in found:
        yield "static.import_trick", node.lineno, "string.Formatter reads attributes named in text"


def _kit(name: str, line: int) -> Iterator[Place]:
    root, _, rest = name.partition(".")
    part = rest.partition(".")[0]
    if root == "bootcamp_kit" and part not in tables.KIT_PARTS:
        yield "static.forbidden_import", line, f"imports {name[:60]}: tasks use {', '.join(sorted(tables.KIT_PARTS))}"


def _call(node: ast.Call, names: Names) -> Iterator[Place]:
    full = names.full(node.func)
    if full in ("operator.attrgetter", "operator.methodcaller"):
        literal = [item.value for item in node.args if isinstance(item, ast.Constant) and isinstance(item.value, str)]
        if len(literal) < 1 or any(part.startswith("_") for text in literal for part in text.split(".")):
            yield "static.import_trick", node.lineno, f"{full} with a computed or private name"
    elif full == "random.Random" and not node.args and not node.keywords:
        yield "static.global_random", node.lineno, "a random stream without a seed"


def _class(node: ast.ClassDef) -> Iterator[Place]:
    for keyword in node.keywords:
        if keyword.arg == "metaclass" and dotted(keyword.value).rpartition(".")[2] != "ABCMeta":
            yield "static.import_trick", node.lineno, "a metaclass of its own"
    for item in node.body:
        bound = [item.name] if isinstance(item, ast.FunctionDef) else []
        if isinstance(item, ast.Assign):
            bound = [target.id for target in item.targets if isinstance(target, ast.Name)]
        for name in bound:
            if name in tables.HOOKS:
                yield "static.import_trick", item.lineno, f"defines {name}"
            elif name == "score" and _is_bootcamp(node):
                yield "static.overrides_score", item.lineno, "score is final: parse, then verify"


def _is_bootcamp(node: ast.ClassDef) -> bool:
    defined = {item.name for item in node.body if isinstance(item, ast.FunctionDef)}
    return any(dotted(base).rpartition(".")[2] == "Bootcamp" for base in node.bases) or {"parse", "verify"} <= defined
