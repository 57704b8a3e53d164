"""Plain rows: prompt, identity, lineage. For whatever has no format of its own, and for Hugging Face ``datasets``."""

from __future__ import annotations

from bootcamp_kit.jsondata import Json
from evaluation.export.formats import Format
from evaluation.export.items import Item
from evaluation.export.shards import JsonLines, Parquet

HINT = 'load_dataset("PATH") of Hugging Face datasets; score with evaluation.export.judge.Judge'


def row(item: Item, split: str) -> dict[str, Json]:
    """``id, prompt, identity, split`` and the lineage."""
    return {"id": item.name, "prompt": item.prompt, "identity": item.identity(), "split": split, **item.lineage()}


JSONL = Format(row, JsonLines, hint=HINT)
PARQUET = Format(row, Parquet, hint=HINT)
