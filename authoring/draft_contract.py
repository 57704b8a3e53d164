"""Whether a model's files are of our contract, and the card that is made of them. Looks at the code, never runs it.

The sandbox judges what the code does; this only catches what would waste a container, with words a model can act on.
"""

from __future__ import annotations

import ast
import warnings
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from authoring.brief_page import brief_page
from authoring.drafts import DraftProblem, ProblemKind, build_folder, shown, syntax_problem
from bootcamp_kit.brief import Brief
from bootcamp_kit.card import Card
from bootcamp_kit.errors import UsageError
from bootcamp_kit.folder import TaskFolder
from bootcamp_kit.python_source import parse_python
from bootcamp_kit.tomldata import read_toml
from sandbox.checks.examples_file import GROUPS, parse_examples

FIRST_VERSION = "1.0.0"
OURS = ("id", "family", "author", "source", "version")
"""Card keys that come from the brief and the run, whatever a model writes."""

_FOREIGN = {"case_generator", "prompt_func", "verify_score", "score_answer", "extract_output"}


def assemble(files: Mapping[str, str], brief: Brief, *, author: str, base: TaskFolder | None = None) -> TaskFolder:
    """Make a task folder of a model's files and what is ours to say.

    Args:
        files: Asked-for name → text; with a ``base`` only the changed ones.
        brief: Where id, family, source and ``brief.md`` come from.
        author: The card's author.
        base: The folder that is being repaired, whose other files stay.

    Raises:
        DraftProblem: names the file and what is wrong with it.
    """
    current = dict(base.files) if base else {}
    version = base.card.version if base else FIRST_VERSION
    card_text = files.get("card.toml") or current["card.toml"].decode("utf-8")
    card = _card(card_text, brief, author=author, version=version)
    merged = {**current, **{name: text.encode("utf-8") for name, text in files.items()}}
    merged["card.toml"] = _toml(card)
    merged.setdefault("brief.md", brief_page(brief))
    _require_bootcamp(merged["bootcamp.py"])
    _require_oracle(merged["oracle.py"])
    _require_examples(merged["examples.toml"], card)
    return build_folder(merged)


def _card(text: str, brief: Brief, *, author: str, version: str) -> Card:
    try:
        raw = read_toml(text)
    except ValueError as error:
        raise DraftProblem(ProblemKind.CARD, f"card.toml is not TOML: {shown(str(error))}") from error
    tags = list(brief.tags) or raw.get("tags", [])
    ours: dict[str, Any] = {
        "id": brief.id,
        "family": brief.family,
        "author": author,
        "version": version,
        "source": asdict(brief.source),
        "tags": tags,
    }
    try:
        return Card.from_dict({**{key: value for key, value in raw.items() if key not in OURS}, **ours})
    except (UsageError, TypeError, ValueError, AttributeError) as error:
        message = f"{error.asked}: {error.found}; {error.do}" if isinstance(error, UsageError) else repr(error)
        raise DraftProblem(ProblemKind.CARD, f"card.toml is not a card: {message[:300]}") from error


def _toml(card: Card) -> bytes:
    import tomli_w

    return tomli_w.dumps(card.to_dict()).encode("utf-8")


def _require_bootcamp(source: bytes) -> None:
    tree = _parsed("bootcamp.py", source)
    methods = _methods(tree)
    foreign = sorted(methods & _FOREIGN)
    missing = [name for name in ("generate", "prompt", "parse", "verify") if name not in methods]
    if foreign and missing:
        raise DraftProblem(
            ProblemKind.CONTRACT,
            f"bootcamp.py defines {', '.join(foreign)}, which belongs to another library; "
            "subclass bootcamp_kit.contract.Bootcamp with generate, prompt, parse and verify",
        )
    if missing:
        raise DraftProblem(ProblemKind.CONTRACT, f"bootcamp.py defines no method {', '.join(missing)}")
    if "score" in methods:
        raise DraftProblem(ProblemKind.CONTRACT, "bootcamp.py defines `score`, which is final; put it into verify")
    _require_name("bootcamp.py", tree, "BOOTCAMP")


def _require_oracle(source: bytes) -> None:
    tree = _parsed("oracle.py", source)
    if "solve" not in _methods(tree):
        raise DraftProblem(ProblemKind.CONTRACT, "oracle.py defines no method solve in a subclass of Oracle")
    _require_name("oracle.py", tree, "ORACLE")


def _require_examples(source: bytes, card: Card) -> None:
    try:
        examples = parse_examples(source, card.difficulty.levels)
    except (UsageError, RecursionError) as error:
        raise DraftProblem(ProblemKind.EXAMPLES, f"examples.toml: {str(error)[:300]}") from error
    missing = [group for group in GROUPS if not any(example.group == group for example in examples)]
    if missing:
        raise DraftProblem(ProblemKind.EXAMPLES, f"examples.toml has no [[{missing[0]}]]; give at least one of each")


def _parsed(name: str, source: bytes) -> ast.Module:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return parse_python(source)
    except SyntaxError as error:
        raise syntax_problem(name, error) from error
    except (ValueError, RecursionError, MemoryError) as error:
        raise DraftProblem(ProblemKind.SYNTAX, f"{name} cannot be parsed: {shown(str(error))}") from error


def _methods(tree: ast.Module) -> set[str]:
    return {
        item.name
        for node in tree.body
        if isinstance(node, ast.ClassDef)
        for item in node.body
        if isinstance(item, (ast.FunctionDef, ast.AsyncFunctionDef))
    }


def _require_name(file: str, tree: ast.Module, name: str) -> None:
    for node in tree.body:
        targets = (
            node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
        )
        if any(isinstance(target, ast.Name) and target.id == name for target in targets):
            return
    raise DraftProblem(ProblemKind.CONTRACT, f"{file} does not set {name} at its end")
