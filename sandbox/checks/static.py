"""Static checks: what can be read off the source without running it (Python's own AST).

``bootcamp.py`` and every module beside it are judged strictly; ``oracle.py`` may also compile and run its own
``reference.py`` through ``bootcamp_kit.stdio_program``; ``reference.py`` itself is untrusted reference code: it runs in
the sandbox only, and is noted, not judged.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from bootcamp_kit.python_source import parse_python
from bootcamp_kit.report import Finding, Witness
from sandbox.checks import static_tables as tables
from sandbox.checks.check import Check, Judgement
from sandbox.checks.evidence import Evidence
from sandbox.checks.observed import shown
from sandbox.checks.policy import Policy
from sandbox.checks.static_flow import flow_hits
from sandbox.checks.static_names import Names, dotted
from sandbox.checks.static_reach import reach_hits
from sandbox.checks.static_state import state_hits

REFERENCE = "reference.py"
SECOND_ORACLE = "second_oracle.py"
MAX_PER_CODE = 5


@dataclass(frozen=True, slots=True)
class Hit:
    """One place in the source."""

    code: str
    line: int
    message: str


@dataclass(frozen=True, slots=True)
class Module:
    """One parsed file and what it is for."""

    path: str
    tree: ast.Module
    lines: tuple[str, ...]
    profile: str
    names: Names

    @property
    def is_oracle(self) -> bool:
        """``oracle.py`` may run its own reference."""
        return self.path == "oracle.py"


def judge(evidence: Evidence, policy: Policy) -> Judgement:
    """All static findings of a task folder."""
    findings: list[Finding] = []
    judged, profile = 0, evidence.card.limits.profile if evidence.card else "plain"
    for path, data in evidence.folder.files.items():
        if not path.endswith(".py"):
            continue
        if path == REFERENCE:
            witness = Witness(
                "source", file=path, line=1, expected="nothing: it is shown to a reviewer", seen="reference code"
            )
            message = "reference.py is reference code: it runs, unjudged"
            findings.append(policy.finding("static.reference", message, witness))
            continue
        judged += 1
        module = _parse(path, data, profile)
        if isinstance(module, Hit):
            findings.append(_finding(policy, path, "", module))
            continue
        hits = sorted(
            {(hit.line, hit.code): hit for hit in _hits(module)}.values(), key=lambda hit: (hit.line, hit.code)
        )
        findings += _capped(policy, module, hits)
    return Judgement(tuple(findings), {"files": judged})


def _parse(path: str, data: bytes, profile: str) -> Module | Hit:
    try:
        text = data.decode("utf-8")
        tree = parse_python(text, filename=path)
    except SyntaxError as error:
        return Hit("static.syntax", error.lineno or 1, f"not Python: {shown(str(error.msg))}")
    except (ValueError, RecursionError, MemoryError) as error:
        return Hit("static.syntax", 1, f"cannot be read: {type(error).__name__}")
    return Module(path, tree, tuple(text.splitlines()), profile, Names.of(tree))


def _capped(policy: Policy, module: Module, hits: Iterable[Hit]) -> Iterator[Finding]:
    counts: dict[str, int] = {}
    for hit in hits:
        counts[hit.code] = counts.get(hit.code, 0) + 1
        if counts[hit.code] <= MAX_PER_CODE:
            line = module.lines[hit.line - 1] if 0 < hit.line <= len(module.lines) else ""
            yield _finding(policy, module.path, line, hit)


def _finding(policy: Policy, path: str, line: str, hit: Hit) -> Finding:
    witness = Witness("source", file=path, line=hit.line, expected=_wanted(hit.code), seen=shown(line.strip()))
    return policy.finding(hit.code, f"{path}:{hit.line}: {hit.message}", witness, HINTS.get(hit.code, ""))


def _wanted(code: str) -> str:
    return "Python source" if code == "static.syntax" else "no such construct"


HINTS = {
    "static.executes_text": "read answers with bootcamp_kit.answers; compute, never evaluate",
    "static.forbidden_import": "use the computing parts of the standard library and bootcamp_kit only",
    "static.unlisted_import": "use the computing parts of the standard library and bootcamp_kit only",
    "static.import_trick": "name what you use; reach nothing through builtins or dunder attributes",
    "static.global_random": "draw from the rng that generate is given, and from nothing else",
    "static.clock": "a case may depend on its seed and its level only",
    "static.set_order": "sort before you draw: set order changes with the hash seed",
    "static.module_work": "define at import, compute in methods",
    "static.broad_except": "catch the exceptions you expect, or let bootcamp_kit.answers raise Malformed",
    "static.swallow_correct": "a verifier that fails must raise, not reward",
    "static.reads_seed": "put what the case depends on into the payload; a seed is no part of the puzzle",
    "static.overrides_score": "leave score alone; put the rules into parse and verify",
    "static.shared_truth": "write second_oracle.py by another method, from the brief, without the task's own modules",
    "static.state": "methods are pure: compute, return, keep nothing",
}


def _hits(module: Module) -> Iterator[Hit]:
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield from _import(node, module)
        elif isinstance(node, ast.Call):
            yield from _call(node, module)
        elif isinstance(node, ast.Attribute):
            yield from _attribute(node)
        elif isinstance(node, ast.Name) and node.id in tables.BUILTIN_DOORS and not module.is_oracle:
            yield Hit("static.import_trick", node.lineno, f"reaches for {node.id}")
        elif isinstance(node, ast.ExceptHandler):
            yield from _handler(node)
        elif isinstance(node, ast.Global):
            yield from (Hit("static.state", node.lineno, "a global statement") for _ in node.names[:1])
    yield from _module_level(module)
    for places in (
        flow_hits(module.tree),
        state_hits(module.tree, module.names),
        reach_hits(module.tree, module.names, is_oracle=module.is_oracle),
    ):
        yield from (Hit(*place) for place in places)


def _import(node: ast.Import | ast.ImportFrom, module: Module) -> Iterator[Hit]:
    if isinstance(node, ast.ImportFrom):
        if node.level:
            if module.path == SECOND_ORACLE:
                yield Hit("static.shared_truth", node.lineno, "shares code with what it is to be held against")
            return
        full = [f"{node.module or ''}.{alias.name}" for alias in node.names]
        roots = [(node.module or "").split(".")[0]]
    else:
        full, roots = [], [alias.name.split(".")[0] for alias in node.names]
    for root in roots:
        allowed = tables.SAFE_MODULES | tables.PROFILE_MODULES[module.profile]
        if root in tables.CLOCK_MODULES:
            yield Hit("static.clock", node.lineno, f"imports {root}")
        elif root in tables.DANGEROUS_MODULES:
            yield Hit("static.forbidden_import", node.lineno, f"imports {root}")
        elif root not in allowed:
            yield Hit("static.unlisted_import", node.lineno, f"imports {shown(root)}")
    for name in full:
        if name.startswith("random.") and name not in ("random.Random",):
            yield Hit("static.global_random", node.lineno, f"imports {shown(name)}: the global generator")
        if name.startswith("numpy.random"):
            yield Hit("static.global_random", node.lineno, "imports NumPy's generator")
        if name.startswith("bootcamp_kit.stdio_program") and not module.is_oracle:
            yield Hit("static.executes_text", node.lineno, "bootcamp_kit.stdio_program runs programs")
        if name.rpartition(".")[2] in tables.TEXT_RUNNERS:
            yield Hit("static.executes_text", node.lineno, f"imports {shown(name)}")


def _call(node: ast.Call, module: Module) -> Iterator[Hit]:
    name = module.names.full(node.func)
    last = node.func.attr if isinstance(node.func, ast.Attribute) else name
    bare = isinstance(node.func, ast.Name)
    if last in tables.TEXT_RUNNERS and (bare or last != "compile") and not (name == "compile" and module.is_oracle):
        yield Hit("static.executes_text", node.lineno, f"calls {last}")
    elif bare and name in tables.FORBIDDEN_CALLS:
        yield Hit("static.forbidden_call", node.lineno, f"calls {name}")
    elif bare and name in ("getattr", "setattr", "delattr", "hasattr"):
        yield from _getattr(node, name)
    elif name.startswith("random.") and name != "random.Random":
        yield Hit("static.global_random", node.lineno, f"calls {name}: the global generator")
    elif name == "random.Random":
        yield Hit("static.own_rng", node.lineno, "makes its own random stream")
    elif ".random." in f".{name}" and name.startswith(("np.", "numpy.")):
        yield Hit("static.global_random", node.lineno, f"calls {name}")
    elif last in tables.CLOCK_CALLS and not node.args:
        yield Hit("static.clock", node.lineno, f"calls {name or last}")
    elif bare and name in ("hash", "id"):
        yield Hit("static.process_identity", node.lineno, f"{name}() differs between processes")


def _getattr(node: ast.Call, name: str) -> Iterator[Hit]:
    target = node.args[0] if node.args else None
    attribute = node.args[1] if len(node.args) > 1 else None
    literal = attribute.value if isinstance(attribute, ast.Constant) and isinstance(attribute.value, str) else None
    if (
        literal is None
        or literal.startswith("_")
        or (isinstance(target, ast.Name) and target.id in tables.BUILTIN_DOORS)
    ):
        yield Hit("static.import_trick", node.lineno, f"{name} with a computed or private name")
    elif name in ("setattr", "delattr"):
        yield Hit("static.state", node.lineno, f"calls {name}")


def _attribute(node: ast.Attribute) -> Iterator[Hit]:
    name = node.attr
    if name.startswith("__") and name.endswith("__") and name not in tables.SAFE_DUNDERS:
        yield Hit("static.import_trick", node.lineno, f"reaches for .{name}")


def _handler(node: ast.ExceptHandler) -> Iterator[Hit]:
    kinds = node.type.elts if isinstance(node.type, ast.Tuple) else [node.type]
    if not any(kind is None or dotted(kind) in ("Exception", "BaseException") for kind in kinds):
        return
    rewards = any(isinstance(item, ast.Return) and _rewards(item.value) for item in ast.walk(node))
    if rewards:
        yield Hit("static.swallow_correct", node.lineno, "any failure is rewarded")
    elif not any(isinstance(item, ast.Raise) and item.exc is None for item in ast.walk(node)):
        yield Hit("static.broad_except", node.lineno, "hides every failure")


def _rewards(value: ast.expr | None) -> bool:
    if isinstance(value, ast.Constant):
        return value.value is True or value.value == 1
    return isinstance(value, ast.Call) and dotted(value.func).endswith("Score.correct")


def _run_at_import(body: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    """Statements that run at import: also those in classes and under conditions."""
    for node in body:
        yield node
        if isinstance(node, ast.ClassDef | ast.If):
            yield from _run_at_import([*node.body, *(node.orelse if isinstance(node, ast.If) else ())])


def _module_level(module: Module) -> Iterator[Hit]:
    own = {node.name for node in module.tree.body if isinstance(node, ast.ClassDef | ast.FunctionDef)}
    imported = {
        alias.asname or alias.name
        for node in module.tree.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    for node in _run_at_import(module.tree.body):
        if isinstance(node, ast.For | ast.While | ast.With | ast.Try | ast.AugAssign | ast.Delete):
            yield Hit("static.module_work", node.lineno, "work at import")
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            yield Hit("static.module_work", node.lineno, f"calls {shown(dotted(node.value.func))} at import")
        elif isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            for call in (item for item in ast.walk(node.value) if isinstance(item, ast.Call)):
                name = dotted(call.func)
                known = name in tables.MODULE_LEVEL_CALLS | imported or isinstance(call.func, ast.Attribute)
                known = known or module.is_oracle
                if name in own and not name[:1].isupper():
                    yield Hit("static.import_call", call.lineno, f"calls {shown(name)} at import")
                elif not known and name not in own and not name[:1].isupper():
                    yield Hit("static.module_work", call.lineno, f"calls {shown(name)} at import")


CHECKS = (
    Check(
        "static.source",
        judge,
        shows="no text is executed, nothing outside the task is reached, no global randomness, no clock, no state",
        cannot="what code does that is built at run time; the sandbox is what confines, this only warns early",
    ),
)
