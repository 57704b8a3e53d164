"""verifiers and prime-rl: a taskset for v1 (``verifiers_taskset.py``); rows and an environment for the classic form.

An unscored response raises :class:`NoScore` in v1, which records it as the trace's error. In the classic form a rubric
takes what a reward function raises for 0.0 and logs it, so ``state["error"]`` is set before: that masks the rollout.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from bootcamp_kit.jsondata import Json
from evaluation.export.formats import Format
from evaluation.export.items import Counts, Item, Selection, items
from evaluation.export.judge import default_judge
from evaluation.export.reasoning_gym import NoScore
from evaluation.export.shards import JsonLines
from evaluation.scoring import Judgement

HINT = "PYTHONPATH=PATH, taskset id bootcamp_taskset, its config tasks, levels, start, end (classic: load_environment)"
COMPANION = '''"""A taskset for verifiers v1: put this folder on PYTHONPATH and name the id `bootcamp_taskset`."""

from evaluation.export.verifiers_taskset import BootcampTaskset

__all__ = ["BootcampTaskset"]
'''


def row(item: Item, split: str) -> dict[str, Json]:
    """``prompt, answer, info``; ``answer`` is the identity."""
    prompt = [{"role": "user", "content": item.prompt}]
    return {"prompt": prompt, "answer": item.identity(), "info": {"split": split, **item.lineage()}}


def load_environment(
    task_ids: Sequence[str], *, levels: Sequence[int] | None = None, start: int = 0, end: int = 1_000
) -> Any:
    """The classic single-turn environment over approved tasks of the default library."""
    import datasets  # type: ignore[import-not-found,import-untyped,unused-ignore]
    import verifiers as vf  # type: ignore[import-not-found,unused-ignore]

    from bootcamp_kit.library import load

    selection = Selection(tuple(levels) if levels is not None else None, start, end)
    rows = [row(item, "train") for item in items([load(name) for name in task_ids], selection, Counts())]
    return vf.SingleTurnEnv(dataset=datasets.Dataset.from_list(rows), rubric=vf.Rubric(funcs=[correctness]))


async def correctness(completion: Any, answer: str, state: Any = None, **kwargs: Any) -> float:
    """The reward function of a rubric; marks an unscored rollout as an error.

    Raises:
        verifiers.Error: there is no score; :class:`NoScore` where verifiers has no such error.
    """
    text = completion if isinstance(completion, str) else _last(completion)
    judged = await asyncio.to_thread(default_judge().one, answer, text)
    if judged.score is not None:
        return judged.score.value
    error = no_score(judged)
    if state is not None:
        state["error"] = error
    raise error


def no_score(judgement: Judgement) -> Exception:
    """Why a response is unscored, as the error that verifiers knows, or :class:`NoScore` where it knows none."""
    import verifiers

    words = f"unscored: {judgement.unscored}: {judgement.detail}"
    return verifiers.Error(words) if hasattr(verifiers, "Error") else NoScore("scoring a response", words)


def _last(messages: Sequence[Any]) -> str:
    if not messages:
        return ""
    last = messages[-1]
    content = last.get("content") if isinstance(last, dict) else getattr(last, "content", "")
    return content if isinstance(content, str) else ""


FORMAT = Format(
    row,
    JsonLines,
    {"bootcamp_taskset.py": COMPANION},
    {
        "correct": "1.0",
        "partial": "in (0, 1)",
        "wrong": "0.0",
        "malformed": "0.0",
        "unscored": "an error of the trace, or of the rollout's state: masked",
    },
    HINT,
)
