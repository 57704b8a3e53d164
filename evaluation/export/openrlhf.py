"""OpenRLHF: rows with ``input`` and ``answer``, and ``reward_func``.

OpenRLHF has no value for "no score": an unscored response gets reward 0.0 and the filter score -1.0. Dynamic filtering
looks at the mean score of a prompt's responses (seen in 0.11.2): -1.0 pulls it down, and drops the group only when that
mean leaves the band. Without it the 0.0 is trained on; ``extra_logs["unscored"]`` counts such responses.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from bootcamp_kit.jsondata import Json
from evaluation.export.formats import Format
from evaluation.export.items import Item
from evaluation.export.judge import default_judge
from evaluation.export.shards import JsonLines
from evaluation.scoring import Judgement, Unscored

HINT = "--reward.remote_url PATH/reward.py (or a service) --data.label_key answer --data.input_key input"
OUTSIDE = -1.0
COMPANION = '''"""For --reward.remote_url; scores with BOOTCAMP_LIBRARY, else the installed library."""

from evaluation.export.openrlhf import reward_func

__all__ = ["reward_func"]
'''


def row(item: Item, split: str) -> dict[str, Json]:
    """``input`` is a list of messages, ``answer`` the identity that comes back as the label."""
    prompt = [{"role": "user", "content": item.prompt}]
    return {"input": prompt, "answer": item.identity(), "split": split, **item.lineage()}


def reward_func(queries: Sequence[str], prompts: Sequence[str], labels: Sequence[str], **kwargs: Any) -> dict[str, Any]:
    """OpenRLHF's reward function; a query is prompt and response."""
    import torch  # type: ignore[import-not-found,unused-ignore]

    found = rewards(queries, prompts, labels)
    tensors = {name: torch.tensor(values, dtype=torch.float32) for name, values in found.items()}
    logs = {name: tensors[name] for name in ("unscored", "malformed")}
    return {"rewards": tensors["rewards"], "scores": tensors["scores"], "extra_logs": logs}


def rewards(queries: Sequence[str], prompts: Sequence[str], labels: Sequence[str]) -> dict[str, list[float]]:
    """The same as plain lists."""
    known = split(queries, prompts)
    judged = default_judge().many([(labels[index], text) for index, text in known.items()])
    return columns(len(queries), dict(zip(known, judged, strict=True)))


def split(queries: Sequence[str], prompts: Sequence[str]) -> dict[int, str]:
    """Number → response, for the queries in which it can be told from the prompt."""
    texts = [response_of(query, prompt) for query, prompt in zip(queries, prompts, strict=True)]
    return {index: text for index, text in enumerate(texts) if text is not None}


def columns(size: int, judged: Mapping[int, Judgement]) -> dict[str, list[float]]:
    """Rewards and logs as lists; what was not judged is unscored."""
    lost = Judgement(None, Unscored.MACHINE, "the response cannot be told from the prompt")
    found = [reward(judged.get(index, lost)) for index in range(size)]
    return {name: [item[name] for item in found] for name in ("rewards", "scores", "unscored", "malformed")}


def response_of(query: str, prompt: str) -> str | None:
    """What follows the prompt, or None: a tokenizer may write blanks of the prompt in another way.

    The prompt must never be judged with the response: its example would count as an answer.
    """
    if query.startswith(prompt):
        return query[len(prompt) :]
    for length in (400, 120, 40):
        tail = prompt.rstrip()[-length:]
        if len(tail) == length and query.count(tail) == 1:
            return query.partition(tail)[2]
    return None


def reward(judgement: Judgement) -> dict[str, float]:
    """A judgement in OpenRLHF's words."""
    score = judgement.score
    return {
        "rewards": score.value if score else 0.0,
        "scores": score.value if score else OUTSIDE,
        "unscored": float(score is None),
        "malformed": float(score is not None and score.outcome.value == "malformed"),
    }


FORMAT = Format(
    row,
    JsonLines,
    {"reward.py": COMPANION},
    {
        "correct": "reward 1.0",
        "partial": "reward in (0, 1)",
        "wrong": "reward 0.0, score 0.0",
        "malformed": "reward 0.0, score 0.0, malformed 1",
        "unscored": "reward 0.0, unscored 1; score -1.0, which lowers its group's mean in the filter",
    },
    HINT,
)
