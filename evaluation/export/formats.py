"""Every format, one line each: what it is called, where it lives. A format is a module with ``FORMAT``."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from bootcamp_kit.errors import UsageError
from bootcamp_kit.jsondata import Json
from evaluation.export.items import Item
from evaluation.export.shards import JsonLines, Parquet

MODULES: Mapping[str, str] = {
    "jsonl": "evaluation.export.plain:JSONL",
    "parquet": "evaluation.export.plain:PARQUET",
    "verl": "evaluation.export.verl:FORMAT",
    "trl": "evaluation.export.trl:FORMAT",
    "openrlhf": "evaluation.export.openrlhf:FORMAT",
    "slime": "evaluation.export.slime:FORMAT",
    "internbootcamp": "evaluation.export.internbootcamp:FORMAT",
    "inspect": "evaluation.export.inspect_ai:FORMAT",
    "lm-eval": "evaluation.export.lm_eval:FORMAT",
    "nemo-gym": "evaluation.export.nemo_gym:FORMAT",
    "verifiers": "evaluation.export.verifiers:FORMAT",
    "openenv": "evaluation.export.openenv:FORMAT",
    "reasoning-gym": "evaluation.export.reasoning_gym:FORMAT",
}


@dataclass(frozen=True, slots=True)
class Format:
    """How rows look, and what goes with them.

    Attributes:
        row: An item as a row; the split (``train``, ``eval``, …) is the second argument.
        opener: JSON lines or Parquet.
        companions: Files beside the shards, name → text, e.g. ``reward.py`` for trainers that load a file.
        mapping: What the trainer gets for each of correct, partial, wrong, malformed, unscored; in words.
        hint: How the trainer is told of it.
    """

    row: Callable[[Item, str], dict[str, Json]]
    opener: type[JsonLines] | type[Parquet]
    companions: Mapping[str, str] = field(default_factory=dict)
    mapping: Mapping[str, str] = field(default_factory=dict)
    hint: str = ""


def find_format(name: str) -> Format:
    """The format of that name.

    Raises:
        UsageError: there is none.
    """
    if name not in MODULES:
        raise UsageError(f"export --to {name[:40]!r}", "no such format", f"one of {', '.join(MODULES)}")
    module, _, attribute = MODULES[name].partition(":")
    found: Format = getattr(importlib.import_module(module), attribute)
    return found
