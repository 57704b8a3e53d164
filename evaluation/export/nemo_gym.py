"""NeMo-Gym: rows, and what a resources server answers to ``verify``.

``app.py`` beside the rows is a resources server that scores with the default library; ``bootcamp serve`` answers the
same to ``POST /nemo-gym/verify``.
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

HINT = "resources_servers/bootcamp: app.py, configs/bootcamp.yaml, or POST /nemo-gym/verify of `bootcamp serve`"
COMPANION = '''"""A NeMo-Gym resources server; scores with BOOTCAMP_LIBRARY, else the installed library."""

from evaluation.export.nemo_gym_server import BootcampServer

if __name__ == "__main__":
    BootcampServer.run_webserver()
'''
CONFIG = """bootcamp:
  resources_servers:
    bootcamp:
      entrypoint: app.py
      domain: other
      description: Tasks with a generator and a verifier, scored by the bootcamp library
      verified: false
bootcamp_simple_agent:
  responses_api_agents:
    simple_agent:
      entrypoint: app.py
      resources_server:
        type: resources_servers
        name: bootcamp
      model_server:
        type: responses_api_models
        name: policy_model
"""
AGENT = {"type": "responses_api_agents", "name": "bootcamp_simple_agent"}
KINDS = {"machine": "provider_unavailable"}
"""NeMo-Gym's name for why there is no score; for everything else the verifier is to blame."""


def row(item: Item, split: str) -> dict[str, Json]:
    """``responses_create_params`` and what the verifier needs."""
    params = {"input": [{"role": "user", "content": item.prompt}]}
    lineage = {"split": split, **item.lineage()}
    return {"responses_create_params": params, "identity": item.identity(), "agent_ref": dict(AGENT), **lineage}


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
    if judgement.score is not None:
        return {"reward": judgement.score.value, "mask_sample": False, "failure_kind": None, "failure_reason": None}
    return {
        "reward": 0.0,
        "mask_sample": True,
        "failure_kind": KINDS.get(str(judgement.unscored), "verifier_error"),
        "failure_reason": f"{judgement.unscored}: {judgement.detail}",
    }


FORMAT = Format(
    row,
    JsonLines,
    {"app.py": COMPANION, "bootcamp.yaml": CONFIG},
    {
        "correct": "reward 1.0",
        "partial": "reward in (0, 1)",
        "wrong": "reward 0.0",
        "malformed": "reward 0.0",
        "unscored": "reward 0.0, mask_sample true, failure_kind, failure_reason",
    },
    HINT,
)
