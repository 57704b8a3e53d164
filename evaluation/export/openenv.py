"""OpenEnv: rows that say how to reset, and a single-step environment (``openenv_environment.py``).

The observation of an unscored response has ``reward`` None and says why in ``error``; a trainer must leave it out.
"""

from __future__ import annotations

from typing import Any

from bootcamp_kit.jsondata import Json
from evaluation.export.formats import Format
from evaluation.export.items import Item
from evaluation.export.shards import JsonLines
from evaluation.scoring import Judgement

HINT = "uvicorn --app-dir PATH openenv_server:app; reset(**row['reset']), then one step with the response"
COMPANION = '''"""An OpenEnv server over these tasks; scores with BOOTCAMP_LIBRARY, else the installed library."""

from pathlib import Path

from evaluation.export.inspect_ai import read_rows
from evaluation.export.openenv_environment import create_server

app = create_server(sorted({row["task_id"] for row in read_rows(Path(__file__).parent)}))
'''


def row(item: Item, split: str) -> dict[str, Json]:
    """What ``reset`` takes, and the prompt it will give."""
    case = item.case
    reset = {"task_id": case.task_id, "level": case.level, "seed": case.seed}
    return {"id": item.name, "reset": reset, "prompt": item.prompt, "split": split, **item.lineage()}


def reward(judgement: Judgement) -> dict[str, Any]:
    """A judgement as the fields of the last observation."""
    score = judgement.score
    if score is None:
        error = f"{judgement.unscored}: {judgement.detail}"
        return {"reward": None, "outcome": "unscored", "reason": "", "error": error}
    return {"reward": score.value, "outcome": score.outcome.value, "reason": score.reason, "error": ""}


FORMAT = Format(
    row,
    JsonLines,
    {"openenv_server.py": COMPANION},
    {
        "correct": "reward 1.0",
        "partial": "reward in (0, 1)",
        "wrong": "reward 0.0, outcome wrong",
        "malformed": "reward 0.0, outcome malformed",
        "unscored": "reward None, error",
    },
    HINT,
)
