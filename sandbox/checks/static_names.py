"""What a module's names stand for: aliases are read back to the modules and names they were imported as."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass

from sandbox.checks import static_tables as tables


def dotted(node: ast.AST) -> str:
    """``a.b.c`` of an attribute chain of names, or ""."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    return ".".join([node.id, *reversed(parts)]) if isinstance(node, ast.Name) else ""


@dataclass(frozen=True, slots=True)
class Names:
    """Imported name → what it is: ``r`` → ``random`` after ``import random as r``."""

    imported: Mapping[str, str]
    own: frozenset[str]

    @classmethod
    def of(cls, tree: ast.Module) -> Names:
        """All imports of a module, wherever they stand, and the classes and functions it defines at its top."""
        imported: dict[str, str] = {}
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                for alias in node.names:
                    root = alias.name.split(".")[0]
                    imported[alias.asname or root] = alias.name if alias.asname else root
            elif isinstance(node, ast.ImportFrom):
                base = "." * node.level + (node.module or "")
                for alias in node.names:
                    imported[alias.asname or alias.name] = f"{base}.{alias.name}".replace("..", ".")
        own = {node.name for node in tree.body if isinstance(node, ast.ClassDef | ast.FunctionDef)}
        return cls(imported, frozenset(own))

    def full(self, node: ast.AST) -> str:
        """The dotted name of an expression with its first part read back; "" when it is no chain of names."""
        name = dotted(node)
        head, dot, rest = name.partition(".")
        return f"{self.imported.get(head, head)}{dot}{rest}"

    def is_standard_module(self, name: str) -> bool:
        """Whether a name is bound to a module of the standard library or of the kit."""
        full = self.imported.get(name, "")
        return full in tables.SAFE_MODULES or (full.startswith("bootcamp_kit.") and full.count(".") == 1)
