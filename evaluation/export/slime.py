"""slime: rows with ``input``, ``label`` and ``metadata``, and custom reward models, one by one and by group.

An unscored sample is marked: ``status`` FAILED and ``remove_sample`` True, so that it is left out of the loss. Its
reward must be a number and is 0.0, which slime counts in its group's mean; :func:`post_process_rewards` does not.
"""

from __future__ import annotations

import asyncio
import statistics
from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from bootcamp_kit.jsondata import Json
from evaluation.export.formats import Format
from evaluation.export.items import Item
from evaluation.export.judge import default_judge
from evaluation.export.shards import JsonLines
from evaluation.scoring import Judgement

HINT = (
    "--custom-rm-path evaluation.export.slime.custom_rm --input-key input --label-key label --apply-chat-template "
    "--custom-reward-post-process-path evaluation.export.slime.post_process_rewards"
)
NORMALISED = ("grpo", "gspo", "cispo", "reinforce_plus_plus_baseline")


def row(item: Item, split: str) -> dict[str, Json]:
    """Slime's row; ``label`` is the identity."""
    prompt = [{"role": "user", "content": item.prompt}]
    return {"input": prompt, "label": item.identity(), "metadata": {"split": split, **item.lineage()}}


async def custom_rm(args: Any, sample: Any, **kwargs: Any) -> float | list[float]:
    """One sample's reward; those of a list, which slime hands over with ``--group-rm`` and for branched rollouts."""
    if isinstance(sample, list):
        return await batched_custom_rm(args, sample)
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


def post_process_rewards(args: Any, samples: Sequence[Any], **kwargs: Any) -> tuple[list[float], list[float]]:
    """Rewards as they are, and normalised in their groups as slime does it, but for those that are unscored.

    An unscored sample moves neither the mean nor the deviation of its group, and is given 0.0.
    """
    raw = [float(sample.get_reward_value(args)) for sample in samples]
    if not args.rewards_normalization or args.advantage_estimator not in NORMALISED:
        return raw, raw
    groups: dict[int, list[int]] = defaultdict(list)
    for place, sample in enumerate(samples):
        known = sample.group_index is not None
        groups[sample.group_index if known else place // args.n_samples_per_prompt].append(place)
    rewards = [0.0] * len(raw)
    for places in groups.values():
        kept = [place for place in places if not samples[place].remove_sample]
        if not kept:
            continue
        mean = statistics.fmean(raw[place] for place in kept)
        divide = args.advantage_estimator != NORMALISED[-1] and args.grpo_std_normalization and len(kept) > 1
        scale = statistics.stdev(raw[place] for place in kept) + 1e-6 if divide else 1.0
        for place in kept:
            rewards[place] = (raw[place] - mean) / scale
    return raw, rewards


FORMAT = Format(
    row,
    JsonLines,
    {},
    {
        "correct": "1.0",
        "partial": "in (0, 1)",
        "wrong": "0.0",
        "malformed": "0.0",
        "unscored": "0.0, status FAILED, remove_sample True; with post_process_rewards not in the group's mean",
    },
    HINT,
)
