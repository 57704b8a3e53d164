"""verl: Parquet rows and ``compute_score``.

verl has no value for "no score": an unscored response gets score 0.0 and ``unscored`` 1.0, and should be filtered by
that key (``reward_extra_info``) before the advantage is computed.
"""

from __future__ import annotations

from typing import Any

from bootcamp_kit.jsondata import Json
from evaluation.export.formats import Format
from evaluation.export.items import Item
from evaluation.export.judge import default_judge
from evaluation.export.shards import Parquet
from evaluation.scoring import Judgement

HINT = "reward.custom_reward_function.path=PATH/reward.py (older: custom_reward_function.path)"
COMPANION = '''"""For reward.custom_reward_function.path; scores with BOOTCAMP_LIBRARY, else the installed library."""

from evaluation.export.verl import compute_score

__all__ = ["compute_score"]
'''


def row(item: Item, split: str) -> dict[str, Json]:
    """Verl's row: ``data_source, prompt, ability, reward_model, extra_info``."""
    return {
        "data_source": f"bootcamp/{item.case.task_id}",
        "prompt": [{"role": "user", "content": item.prompt}],
        "ability": item.task.card.family,
        "reward_model": {"style": "rule", "ground_truth": item.identity()},
        "extra_info": {"split": split, "index": item.name, **item.lineage()},
    }


def compute_score(
    data_source: str, solution_str: str, ground_truth: str, extra_info: Any = None, **kwargs: Any
) -> dict[str, Any]:
    """Verl's reward function; the same keys for every response."""
    return reward(default_judge().one(ground_truth, solution_str))


def reward(judgement: Judgement) -> dict[str, Any]:
    """A judgement in verl's words."""
    score = judgement.score
    return {
        "score": score.value if score else 0.0,
        "acc": float(score is not None and score.value == 1.0),
        "unscored": float(score is None),
        "malformed": float(score is not None and score.outcome.value == "malformed"),
        "outcome": score.outcome.value if score else f"unscored: {judgement.unscored}",
    }


FORMAT = Format(
    row,
    Parquet,
    {"reward.py": COMPANION},
    {
        "correct": "score 1.0",
        "partial": "score in (0, 1)",
        "wrong": "score 0.0, malformed 0, unscored 0",
        "malformed": "score 0.0, malformed 1",
        "unscored": "score 0.0, unscored 1: filter on it",
    },
    HINT,
)
