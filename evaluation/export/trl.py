"""TRL (GRPO and its kin) and Unsloth: rows with a ``prompt``, and a reward function that returns None for unscored.

TRL 1.9 leaves a None out of its group. 1.5 and earlier, and Unsloth, which wants one of these, make a 0 of it where no
other reward function has a number: :func:`bootcamp_reward_without_none` is for them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bootcamp_kit.jsondata import Json
from evaluation.export.formats import Format
from evaluation.export.items import Item
from evaluation.export.judge import default_judge
from evaluation.export.shards import JsonLines
from evaluation.scoring import Judgement

HINT = "from evaluation.export.trl import bootcamp_reward; GRPOTrainer(reward_funcs=[bootcamp_reward], …)"
COMPANION = '''"""For reward_funcs=[bootcamp_reward]; scores with BOOTCAMP_LIBRARY, else the installed library."""

from evaluation.export.trl import bootcamp_reward, bootcamp_reward_without_none

__all__ = ["bootcamp_reward", "bootcamp_reward_without_none"]
'''


def row(item: Item, split: str) -> dict[str, Json]:
    """A conversational prompt; every other column reaches the reward function."""
    prompt = [{"role": "user", "content": item.prompt}]
    return {"prompt": prompt, "identity": item.identity(), "split": split, **item.lineage()}


def bootcamp_reward(
    prompts: Sequence[Any], completions: Sequence[Any], identity: Sequence[str] = (), **kwargs: Any
) -> list[float | None]:
    """One reward for each completion; None where there is no score, which TRL leaves out.

    Standard completions are text, conversational ones are lists of messages: the last message is scored.
    """
    texts = [completion if isinstance(completion, str) else _last(completion) for completion in completions]
    judged = default_judge().many(list(zip(identity, texts, strict=True)))
    if callable(log := kwargs.get("log_extra")):
        log("outcome", [item.score.outcome.value if item.score else f"unscored: {item.unscored}" for item in judged])
    if callable(log := kwargs.get("log_metric")):
        log("unscored", sum(item.score is None for item in judged) / max(1, len(judged)))
    return [reward(item) for item in judged]


def bootcamp_reward_without_none(
    prompts: Sequence[Any], completions: Sequence[Any], identity: Sequence[str] = (), **kwargs: Any
) -> list[float]:
    """:func:`bootcamp_reward`, but an unscored completion gets the mean of its case's scored ones.

    That leaves its group's mean where it was and gives it no advantage. Where none of its case is scored it is 0.0, as
    all of them are. The mean is over what this process sees of the case.
    """
    rewards = bootcamp_reward(prompts, completions, identity, **kwargs)
    scored: dict[str, list[float]] = {}
    for case, value in zip(identity, rewards, strict=True):
        if value is not None:
            scored.setdefault(case, []).append(value)
    means = {case: sum(values) / len(values) for case, values in scored.items()}
    return [means.get(case, 0.0) if value is None else value for case, value in zip(identity, rewards, strict=True)]


def reward(judgement: Judgement) -> float | None:
    """A judgement in TRL's words."""
    return judgement.score.value if judgement.score else None


def _last(messages: Sequence[Any]) -> str:
    content = messages[-1].get("content") if messages else ""
    return content if isinstance(content, str) else ""


FORMAT = Format(
    row,
    JsonLines,
    {"reward.py": COMPANION},
    {
        "correct": "1.0",
        "partial": "in (0, 1)",
        "wrong": "0.0",
        "malformed": "0.0; the `outcome` column tells",
        "unscored": "None: not part of the reward",
    },
    HINT,
)
