"""lm-evaluation-harness: documents, a task file, and ``process_results``.

An unscored response gives no ``score`` at all, only ``unscored`` 1.0: the harness then leaves it out of the mean.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from bootcamp_kit.jsondata import Json
from evaluation.export.formats import Format
from evaluation.export.items import Item
from evaluation.export.judge import default_judge
from evaluation.export.shards import JsonLines
from evaluation.scoring import Judgement

HINT = "lm_eval --include_path PATH --tasks bootcamp (run it in PATH: the data files are named relative to it)"
TASK = """task: bootcamp
dataset_path: json
dataset_kwargs:
  data_files:
    test: part-*.jsonl
test_split: test
output_type: generate_until
doc_to_text: "{{prompt}}"
doc_to_target: ""
process_results: !function reward.process_results
generation_kwargs:
  until: []
  max_gen_toks: 4096
  do_sample: false
num_fewshot: 0
metric_list:
  - {metric: score, aggregation: mean, higher_is_better: true}
  - {metric: malformed, aggregation: mean, higher_is_better: false}
  - {metric: unscored, aggregation: mean, higher_is_better: false}
metadata:
  version: 1.0
"""
COMPANION = '''"""For bootcamp.yaml; scores with BOOTCAMP_LIBRARY, else the installed library."""

from evaluation.export.lm_eval import process_results

__all__ = ["process_results"]
'''


def row(item: Item, split: str) -> dict[str, Json]:
    """``prompt``, ``identity``, lineage."""
    return {"id": item.name, "prompt": item.prompt, "identity": item.identity(), "split": split, **item.lineage()}


def process_results(doc: Mapping[str, Any], results: Sequence[str]) -> dict[str, float]:
    """The harness's hook: one response, its metrics."""
    return reward(default_judge().one(doc["identity"], results[0]))


def reward(judgement: Judgement) -> dict[str, float]:
    """A judgement as metrics."""
    if judgement.score is None:
        return {"unscored": 1.0}
    malformed = float(judgement.score.outcome.value == "malformed")
    return {"score": judgement.score.value, "malformed": malformed, "unscored": 0.0}


FORMAT = Format(
    row,
    JsonLines,
    {"bootcamp.yaml": TASK, "reward.py": COMPANION},
    {
        "correct": "score 1.0",
        "partial": "score in (0, 1)",
        "wrong": "score 0.0, malformed 0",
        "malformed": "score 0.0, malformed 1",
        "unscored": "no score; unscored 1",
    },
    HINT,
)
