"""NeMo-Gym: rows, and the fields of a verify response for the user's resources server: see ``verify_fields``."""

from __future__ import annotations

from typing import Any

from bootcamp_kit.jsondata import Json
from evaluation.export.formats import Format
from evaluation.export.items import Item
from evaluation.export.judge import Judge
from evaluation.export.shards import JsonLines
from evaluation.scoring import Judgement

HINT = "in your SimpleResourcesServer.verify: BaseVerifyResponse(**body.model_dump(), **verify_fields(judge, body))"


def row(item: Item, split: str) -> dict[str, Json]:
    """``responses_create_params`` and what the verifier needs."""
    params = {"input": [{"role": "user", "content": item.prompt}]}
    return {"responses_create_params": params, "identity": item.identity(), "split": split, **item.lineage()}


def verify_fields(judge: Judge, body: Any) -> dict[str, Any]:
    """What a verify request earns; ``body`` carries the row's fields and the model's ``response``."""
    return reward(judge.one(body.identity, response_text(body.response)))


def response_text(response: Any) -> str:
    """The text of the last message of a Responses-API response."""
    for item in reversed(list(response.output)):
        if getattr(item, "type", "") == "message":
            return "".join(getattr(part, "text", "") for part in item.content)
    return ""


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
