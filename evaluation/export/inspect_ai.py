"""Inspect: samples, a scorer, and a task over them.

An unscored response becomes a score whose value is NaN with ``unscored`` in its metadata; Inspect's own error channel
is for the sample, not the score.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Sequence
from typing import Any

from bootcamp_kit.jsondata import Json
from evaluation.export.formats import Format
from evaluation.export.items import Counts, Item, Selection, items
from evaluation.export.judge import default_judge
from evaluation.export.shards import JsonLines
from evaluation.scoring import Judgement

HINT = "in PATH: inspect eval task.py; or bootcamp_task(tasks, Selection(…))"
COMPANION = '''"""For `inspect eval`; scores with BOOTCAMP_LIBRARY, else the installed library."""

from pathlib import Path

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample

from evaluation.export.inspect_ai import bootcamp_scorer, read_rows


@task
def bootcamp() -> Task:
    rows = read_rows(Path(__file__).parent)
    return Task(dataset=MemoryDataset([Sample(**row) for row in rows]), scorer=bootcamp_scorer())
'''


def row(item: Item, split: str) -> dict[str, Json]:
    """The fields of Inspect's ``Sample``; the target is empty, the case is in the metadata."""
    metadata = {"identity": item.identity(), "split": split, **item.lineage()}
    return {"id": item.name, "input": item.prompt, "target": "", "metadata": metadata}


def bootcamp_task(tasks: Sequence[Any], selection: Selection) -> Any:
    """An Inspect task over fresh cases."""
    from inspect_ai import Task  # type: ignore[import-not-found,unused-ignore]
    from inspect_ai.dataset import MemoryDataset, Sample  # type: ignore[import-not-found,unused-ignore]

    samples = [Sample(**row(item, "eval")) for item in items(tasks, selection, Counts())]
    return Task(dataset=MemoryDataset(samples), scorer=bootcamp_scorer())


def bootcamp_scorer() -> Any:
    """Inspect's scorer for our samples."""
    from inspect_ai.scorer import Score, mean, scorer, stderr  # type: ignore[import-not-found,unused-ignore]

    @scorer(metrics=[mean(), stderr()], name="bootcamp")  # type: ignore[untyped-decorator,unused-ignore]
    def make() -> Any:
        async def score(state: Any, target: Any) -> Any:
            identity, text = state.metadata["identity"], state.output.completion
            judged = await asyncio.to_thread(default_judge().one, identity, text, answers=True)
            return Score(**reward(judged))

        return score

    return make()


def reward(judgement: Judgement) -> dict[str, Any]:
    """A judgement as the fields of Inspect's ``Score``."""
    score = judgement.score
    if score is None:
        metadata = {"unscored": str(judgement.unscored), "detail": judgement.detail}
        return {"value": math.nan, "explanation": f"unscored: {judgement.unscored}", "metadata": metadata}
    answer = None if judgement.answer is None else str(judgement.answer)
    metadata = {"outcome": score.outcome.value}
    return {"value": score.value, "answer": answer, "explanation": score.reason, "metadata": metadata}


def read_rows(folder: Any) -> list[dict[str, Json]]:
    """Every row of an export's JSON lines."""
    import json

    rows: list[dict[str, Json]] = []
    for path in sorted(folder.glob("part-*.jsonl")):
        with path.open("rb") as lines:
            rows += map(json.loads, lines)
    return rows


FORMAT = Format(
    row,
    JsonLines,
    {"task.py": COMPANION},
    {
        "correct": "1.0",
        "partial": "in (0, 1)",
        "wrong": "0.0, outcome wrong",
        "malformed": "0.0, outcome malformed",
        "unscored": "NaN, metadata unscored",
    },
    HINT,
)
