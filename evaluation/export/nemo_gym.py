"""NeMo-Gym: rows, and what a resources server answers to ``verify``.

``bootcamp serve`` has the server: ``POST /nemo-gym/verify``. For a server of your own see ``verify_fields``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bootcamp_kit.jsondata import Json
from evaluation.export.formats import Format
from evaluation.export.items import Item
from evaluation.export.judge import Judge
from evaluation.export.shards import JsonLines
from evaluation.scoring import Judgement

HINT = "POST /nemo-gym/verify of `bootcamp serve`; in a server of your own, verify_fields(judge, body)"


def row(item: Item, split: str) -> dict[str, Json]:
    """``responses_create_params`` and what the verifier needs."""
    params = {"input": [{"role": "user", "content": item.prompt}]}
    return {"responses_create_params": params, "identity": item.identity(), "split": split, **item.lineage()}


def verify_fields(judge: Judge, body: Any) -> dict[str, Any]:
    """What a verify request earns; ``body`` carries the row's fields and the model's ``response``."""
    return reward(judge.one(body.identity, response_text(body.response)))


def response_text(response: Any) -> str:
    """The text of the last message of a Responses-API response."""
    for item in reversed(list(_of(response, "output") or [])):
        if _of(item, "type") == "message":
            content = _of(item, "content") or []
            return content if isinstance(content, str) else "".join(str(_of(part, "text") or "") for part in content)
    return ""


def _of(value: Any, key: str) -> Any:
    """A field of an object, or of the same as plain JSON."""
    return value.get(key) if isinstance(value, Mapping) else getattr(value, key, None)


def reward(judgement: Judgement) -> dict[str, Any]:
    """A judgement in NeMo-Gym's words."""
    if judgement.score is None:
        return {"reward": 0.0, "failure_reason": f"{judgement.unscored}: {judgement.detail}", "mask_sample": True}
    return {"reward": judgement.score.value, "failure_reason": None, "mask_sample": False}


FORMAT = Format(
    row,
    JsonLines,
    {},
    {
        "correct": "reward 1.0",
        "partial": "reward in (0, 1)",
        "wrong": "reward 0.0",
        "malformed": "reward 0.0",
        "unscored": "reward 0.0, failure_reason, mask_sample true",
    },
    HINT,
)
