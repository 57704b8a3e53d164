"""A contest program as a pure function: ``solver.py`` out of ``reference.py``, or the reason why not.

The program's text becomes the body of a function of a :class:`bootcamp_kit.console.Console`. Its globals become that
call's locals, so nothing is shared between calls; ``input``, ``print``, ``sys`` and ``exit`` become the console's;
imports move to the head. Only text between syntax nodes changes, comments and layout stay, and the result does not
depend on the Python version. What a function cannot do without reaching outside is refused; that both print the same
is measured afterwards, on the samples and on every generated case.
"""

from __future__ import annotations

import ast
import builtins
from dataclasses import dataclass, field

from authoring.compiler import program_rules
from authoring.compiler.outcome import Refused, Stage
from bootcamp_kit.python_source import parse_python

INDENT = "    "
_CONSOLE = {"sys": "console", "input": "read_line", "print": "write_line", "exit": "stop", "quit": "stop"}
_BOUND_TO = {"read_line": "console.read_line", "write_line": "console.write_line", "stop": "console.exit"}
_HEAD = '''"""{title}: the reference solution as a pure function of its input.

Made from reference.py by {author}, which keeps the code as it came. Here its globals are local to one call and its
input and output are held in memory; nothing is shared between calls.
"""

{imports}from bootcamp_kit.console import Console, run


def solve(stdin: str) -> str:
    """{what} for this input."""
    return {returned}


def _program({console}: Console{parameters}) -> None:
'''


@dataclass
class _Edits:
    """Replacements of text by position, in UTF-8 bytes as ``ast`` counts them."""

    lines: list[bytes]
    spans: list[tuple[int, int, int, int, str]] = field(default_factory=list)

    def replace(self, node: ast.stmt | ast.expr | ast.arg | ast.keyword, text: str) -> None:
        """Replace a node's text."""
        assert node.end_lineno is not None and node.end_col_offset is not None
        self.spans.append((node.lineno, node.col_offset, node.end_lineno, node.end_col_offset, text))

    def word(self, line: int, start: int, length: int, text: str) -> None:
        """Replace one word."""
        self.spans.append((line, start, line, start + length, text))

    def applied(self) -> list[str]:
        """The lines after all replacements; a replaced span of several lines leaves its first line."""
        lines = list(self.lines)
        for first, start, last, end, text in sorted(self.spans, reverse=True):
            lines[first - 1] = lines[first - 1][:start] + text.encode() + lines[last - 1][end:]
            for number in range(first, last):
                lines[number] = b"\0gone"
        return ["" if line == b"\0gone" else line.decode() for line in lines]


def purify(code: str, *, title: str, author: str, alone: bool = False) -> str:
    """The text of ``solver.py``; it gives back the first value alone where ``alone`` says so.

    Raises:
        Refused: the program is not Python 3, or does something a pure function cannot do.
    """
    code = code.replace("\r\n", "\n").replace("\r", "\n")
    try:
        tree = parse_python(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        where = f", line {error.lineno}" if isinstance(error, SyntaxError) else ""
        what = error.msg if isinstance(error, SyntaxError) else str(error)
        raise Refused(Stage.SOLUTION, f"the reference is not Python 3{where}: {what[:100]}") from error
    program_rules.check(tree)
    renames = _renames(tree)
    edits = _Edits(code.encode().split(b"\n"))
    imports = _imports(tree, edits, renames)
    _rename(tree, edits, renames)
    _globals(tree, edits)
    return _assembled(tree, edits, imports, renames, title=title, author=author, alone=alone)


def _renames(tree: ast.Module) -> dict[str, str]:
    """Old name → new name, avoiding every name the program uses."""
    used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    used |= {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    used |= {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    found = {}
    for old, new in _CONSOLE.items():
        if old in ("exit", "quit") and old not in used:
            continue
        while new in used:
            new += "_"
        found[old] = new
    return found


def _imports(tree: ast.Module, edits: _Edits, renames: dict[str, str]) -> list[str]:
    """Move imports to the head; what comes from ``sys`` is bound to the console instead."""
    head: dict[str, str] = {}
    for node in ast.walk(tree):
        if not isinstance(node, ast.Import | ast.ImportFrom):
            continue
        if isinstance(node, ast.ImportFrom) and node.module == "sys":
            names = [(alias.asname or alias.name, alias.name) for alias in node.names]
            console = renames["sys"]
            edits.replace(node, "; ".join(f"{renames.get(own, own)} = {console}.{name}" for own, name in names))
            continue
        for bound, line in program_rules.import_lines(node, tree):
            if head.setdefault(bound, line) != line:
                if node not in tree.body or _used_above(tree, bound, node.lineno):
                    raise Refused(Stage.SOLUTION, f"the name {bound} is imported from two places")
                head[bound] = line
            if bound in ("solve", "run", "_program", "console"):
                raise Refused(Stage.SOLUTION, f"an import is named {bound}")
        edits.replace(node, "pass")
    return sorted(set(head.values()), key=lambda line: (line.startswith("from"), line))


def _used_above(tree: ast.Module, name: str, line: int) -> bool:
    return any(isinstance(node, ast.Name) and node.id == name and node.lineno < line for node in ast.walk(tree))


def _rename(tree: ast.Module, edits: _Edits, renames: dict[str, str]) -> None:
    in_text = {id(inner) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for inner in ast.walk(node)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and (node.id in renames or node.id == "__name__"):
            if id(node) in in_text:
                # Positions inside f-strings are not reliable before Python 3.12.
                raise Refused(Stage.SOLUTION, f"{node.id} stands inside an f-string")
            edits.replace(node, renames.get(node.id, '"__main__"'))
        elif isinstance(node, ast.arg) and node.arg in renames:
            edits.word(node.lineno, node.col_offset, len(node.arg), renames[node.arg])
        elif isinstance(node, ast.keyword) and node.arg in renames:
            raise Refused(Stage.SOLUTION, f"an argument is named {node.arg}")
        elif isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name in renames:
            line = edits.lines[node.lineno - 1]
            edits.word(
                node.lineno, line.index(node.name.encode(), node.col_offset + 4), len(node.name), renames[node.name]
            )


def _globals(tree: ast.Module, edits: _Edits) -> None:
    """``global x`` in a function means the call's own x now."""
    top = set(program_rules.bound_at_top(tree))
    for node in ast.walk(tree):
        if isinstance(node, ast.Global):
            missing = [name for name in node.names if name not in top]
            if missing:
                raise Refused(Stage.SOLUTION, f"global {missing[0]} is never set outside functions")
            edits.replace(node, "pass" if node in tree.body else f"nonlocal {', '.join(node.names)}")


def _assembled(
    tree: ast.Module,
    edits: _Edits,
    imports: list[str],
    renames: dict[str, str],
    *,
    title: str,
    author: str,
    alone: bool,
) -> str:
    inside = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant | ast.JoinedStr) and node.end_lineno and node.end_lineno > node.lineno:
            inside |= set(range(node.lineno + 1, node.end_lineno + 1))
    whole_lines = {node.lineno for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom)}
    body = []
    for number, line in enumerate(edits.applied(), 1):
        if number in whole_lines and line.strip() in ("pass", ""):
            continue
        body.append(line if number in inside or not line.strip() else INDENT + line)
    text = "\n".join(body).strip("\n") or f"{INDENT}pass"
    bindings = [f"{INDENT}{new} = {_BOUND_TO[_CONSOLE[old]]}" for old, new in renames.items() if old != "sys"]
    bindings = [line for line in dict.fromkeys(bindings) if _used(line.split()[0], text)]
    head = _HEAD.format(
        title=title.replace("\\", "").replace('"', "'"),
        author=author,
        what="The first value that the reference prints" if alone else "What the reference prints",
        returned='"".join(run(_program, stdin).split(maxsplit=1)[:1])' if alone else "run(_program, stdin)",
        imports="\n".join([*imports, *([""] if imports else []), ""]) if imports else "",
        console=renames["sys"],
        parameters="".join(f", {name}={name}" for name in _builtins_rebound(tree)),
    )
    bindings = [line.replace("console.", f"{renames['sys']}.") for line in bindings]
    return head + "\n".join([*bindings, text]) + "\n"


def _used(name: str, text: str) -> bool:
    return any(isinstance(node, ast.Name) and node.id == name for node in ast.walk(parse_python("if 1:\n" + text)))


def _builtins_rebound(tree: ast.Module) -> list[str]:
    """Builtins the program reads before it binds the same name itself: as a local the name would have no value yet."""
    found = []
    for name in sorted(set(program_rules.bound_at_top(tree)) & set(dir(builtins)) - set(_CONSOLE)):
        places = [node for node in ast.walk(tree) if isinstance(node, ast.Name) and node.id == name]
        stores = [node.lineno for node in places if isinstance(node.ctx, ast.Store)]
        loads = [node.lineno for node in places if isinstance(node.ctx, ast.Load)]
        if stores and loads and min(loads) <= min(stores):
            found.append(name)
    return found
