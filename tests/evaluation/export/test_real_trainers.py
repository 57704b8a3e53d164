"""Exports in the trainers' own code, where it is installed: verl's reward manager, OpenRLHF's executor."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bootcamp_kit.library import Task, load
from evaluation.export.items import Selection
from evaluation.export.judge import _judge_of, default_judge
from evaluation.export.run import Order, export

pytestmark = pytest.mark.filterwarnings("default")
EXPECTED = [1.0, 0.5, 0.0, 0.0, 0.0]


@pytest.fixture
def task(shelf: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Task]:
    monkeypatch.setenv("BOOTCAMP_LIBRARY", str(shelf))
    _judge_of.cache_clear()
    yield load("tricky")
    default_judge().close()
    _judge_of.cache_clear()


def responses(identity: str) -> list[str]:
    right = 2 * json.loads(identity)["payload"]["n"]
    return [f"<answer>{answer}</answer>" for answer in (right, right + 1, -1)] + ["none", "<answer>666</answer>"]


def tokenizer() -> Any:
    from transformers import ByT5Tokenizer

    return ByT5Tokenizer(extra_ids=0)


def test_verls_reward_manager_loads_the_file_and_reads_the_rows(task: Task, tmp_path: Path) -> None:
    pytest.importorskip("verl")
    import datasets
    import numpy
    import torch
    from omegaconf import OmegaConf
    from verl import DataProto
    from verl.trainer.ppo.reward import get_custom_reward_fn
    from verl.workers.reward_manager.naive import NaiveRewardManager

    out = tmp_path / "out"
    export([task], Order("verl", Selection((3,), 0, 1)), out)
    [row] = datasets.load_dataset("parquet", data_files=str(out / "part-*"), cache_dir=tmp_path)["train"]
    texts, tok = responses(row["reward_model"]["ground_truth"]), tokenizer()
    prompt = tok(row["prompt"][0]["content"], add_special_tokens=False, return_tensors="pt").input_ids
    answers = tok(texts, add_special_tokens=False, padding=True, return_tensors="pt")
    prompts = prompt.repeat(len(texts), 1)
    data = DataProto.from_dict(
        {
            "prompts": prompts,
            "responses": answers.input_ids,
            "attention_mask": torch.cat([torch.ones_like(prompts), answers.attention_mask], dim=1),
        },
        non_tensors={
            key: numpy.array([row[key]] * len(texts), dtype=object)
            for key in ("data_source", "reward_model", "extra_info")
        },
    )
    config = OmegaConf.create(
        {"reward": {"custom_reward_function": {"path": str(out / "reward.py"), "name": "compute_score"}}}
    )
    found = NaiveRewardManager(tok, 0, get_custom_reward_fn(config))(data, return_dict=True)
    assert found["reward_tensor"].sum(dim=1).tolist() == EXPECTED
    assert found["reward_extra_info"]["unscored"] == [0.0, 0.0, 0.0, 0.0, 1.0]
    assert found["reward_extra_info"]["malformed"] == [0.0, 0.0, 0.0, 1.0, 0.0]


async def test_openrlhfs_executor_loads_the_file_and_passes_the_filter_score(task: Task, tmp_path: Path) -> None:
    pytest.importorskip("openrlhf")
    from openrlhf.utils.agent import SingleTurnAgentExecutor

    out = tmp_path / "out"
    export([task], Order("openrlhf", Selection((3,), 0, 1)), out)
    row = json.loads((out / "part-00000.jsonl").read_text())
    executor = SingleTurnAgentExecutor(str(out / "reward.py"))
    prompt = "<|user|>" + row["input"][0]["content"] + "<|assistant|>"
    for text, reward, score in zip(responses(row["answer"]), EXPECTED, [1.0, 0.5, 0.0, 0.0, -1.0], strict=True):
        [found] = await executor._fetch_rewards_via_func([prompt + text + "</s>"], [prompt], [row["answer"]])
        assert found["rewards"].item() == reward and found["scores"].item() == score
        assert found["extra_logs"]["unscored"].item() == (score == -1.0)


async def test_openrlhfs_executor_asks_the_service(task: Task, shelf: Path, tmp_path: Path) -> None:
    pytest.importorskip("openrlhf")
    from openrlhf.utils.agent import SingleTurnAgentExecutor

    from tests.evaluation.service.conftest import end, start

    out = tmp_path / "out"
    export([task], Order("openrlhf", Selection((3,), 0, 1)), out)
    row = json.loads((out / "part-00000.jsonl").read_text())
    service = start(shelf, tmp_path / "state", "--score", "process", token=None)
    try:
        executor = SingleTurnAgentExecutor(f"{service.url}/openrlhf/reward")
        prompt = "<|user|>" + row["input"][0]["content"] + "<|assistant|>"
        for text, reward, score in zip(responses(row["answer"]), EXPECTED, [1.0, 0.5, 0.0, 0.0, -1.0], strict=True):
            [found] = await executor._fetch_rewards_via_http([prompt + text], [prompt], [row["answer"]])
            assert (found["rewards"], found["scores"]) == (reward, score)
    finally:
        end(service)
