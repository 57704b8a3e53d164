"""InternBootcamp: rows of its data generator. The class that scores them is ``bootcamp_kit.interop.internbootcamp``.

Its trainers know no "no score": there a verifier that crashes raises, and the trainer stops or catches it. It is never
a silent ``format_score``.
"""

from __future__ import annotations

import json

from bootcamp_kit.jsondata import Json
from evaluation.export.formats import Format
from evaluation.export.items import Item
from evaluation.export.shards import JsonLines

HINT = 'as_internbootcamp("TASK").verify_score(response, row["ground_truth"])'


def row(item: Item, split: str) -> dict[str, Json]:
    """``data_source, prompt, ground_truth`` (the identity as an object), and our lineage in ``extra_info``."""
    name = "".join(part.capitalize() for part in item.case.task_id.split("_"))
    return {
        "data_source": name,
        "prompt": item.prompt,
        "ground_truth": json.loads(item.identity()),
        "extra_info": {"split": split, "index": item.name, **item.lineage()},
    }


FORMAT = Format(
    row,
    JsonLines,
    {},
    {
        "correct": "1.0",
        "partial": "in (0, 1)",
        "wrong": "format_score (default 0)",
        "malformed": "0",
        "unscored": "raises",
    },
    HINT,
)
