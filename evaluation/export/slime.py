"""slime: rows with ``input``, ``label`` and ``metadata``, and custom reward models, one by one and by group.

An unscored sample is marked: ``status`` FAILED and ``remove_sample`` True, so that it is left out of the loss.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from bootcamp_kit.jsondata import Json
from evaluation.export.formats import Format
from evaluation.export.items import Item
from evaluation.export.judge import default_judge
from evaluation.export.shards import JsonLines
from evaluation.scoring import Judgement

HINT = "--custom-rm-path evaluation.export.slime.custom_rm --input-key input --label-key label"


def row(item: Item, split: str) -> dict[str, Json]:
    """Slime's row; ``label`` is the identity."""
    prompt = [{"role": "user", "content": item.prompt}]
    return {"input": prompt, "label": item.identity(), "metadata": {"split": split, **item.lineage()}}


async def custom_rm(args: Any, sample: Any, **kwargs: Any) -> float:
    """One sample's reward."""
    return (await batched_custom_rm(args, [sample]))[0]


async def batched_custom_rm(args: Any, samples: Sequence[Any], **kwargs: Any) -> list[float]:
    """A group's rewards."""
    pairs = [(sample.label, sample.response) for sample in samples]
    judged = await asyncio.to_thread(default_judge().many, pairs)
    return [reward(item, sample) for item, sample in zip(judged, samples, strict=True)]


def reward(judgement: Judgement, sample: Any) -> float:
    """A judgement in slime's words; marks an unscored sample."""
    if judgement.score is not None:
        return judgement.score.value
    sample.status = type(sample).Status.FAILED
    sample.remove_sample = True
    return 0.0


FORMAT = Format(
    row,
    JsonLines,
    {},
    {
        "correct": "1.0",
        "partial": "in (0, 1)",
        "wrong": "0.0",
        "malformed": "0.0",
        "unscored": "0.0, status FAILED, remove_sample True",
    },
    HINT,
)
