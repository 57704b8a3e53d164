"""Exports in the trainers' own code, where it is installed: verl, OpenRLHF, NeMo-Gym; slime from a checkout.

slime is no package: name a checkout in BOOTCAMP_SLIME, in an environment with torch, ray, transformers, aiohttp and
pylatexenc. NeMo-Gym wants Python 3.13.
"""

from __future__ import annotations

import argparse
import importlib.util
import inspect
import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bootcamp_kit.interop.internbootcamp import as_internbootcamp
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


@pytest.mark.skipif("BOOTCAMP_SLIME" not in os.environ, reason="BOOTCAMP_SLIME, a checkout")
async def test_slimes_own_loader_reward_calls_and_group_norm(
    task: Task, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(os.environ["BOOTCAMP_SLIME"])
    from slime.rollout.rm_hub import async_rm, batched_async_rm
    from slime.utils.data import Dataset
    from slime.utils.misc import load_function
    from slime.utils.types import Sample

    out = tmp_path / "out"
    export([task], Order("slime", Selection((3,), 0, 1)), out)
    data = Dataset(
        str(out / "part-00000.jsonl"), None, None, None, prompt_key="input", label_key="label", metadata_key="metadata"
    )
    [asked] = data.samples
    assert asked.metadata["task_id"] == "tricky" and asked.prompt[0]["role"] == "user"
    args = argparse.Namespace(
        custom_rm_path="evaluation.export.slime.custom_rm",
        reward_key=None,
        rewards_normalization=True,
        advantage_estimator="grpo",
        grpo_std_normalization=False,
        n_samples_per_prompt=5,
    )
    status = Sample.Status.COMPLETED
    samples = [
        Sample(prompt=asked.prompt, label=asked.label, response=text, status=status, group_index=0)
        for text in responses(asked.label)
    ]
    assert [await async_rm(args, sample) for sample in samples] == EXPECTED
    assert await batched_async_rm(args, samples) == EXPECTED
    assert [sample.status for sample in samples] == [status] * 4 + [Sample.Status.FAILED]
    assert [sample.remove_sample for sample in samples] == [False] * 4 + [True]
    for sample, value in zip(samples, EXPECTED, strict=True):
        sample.reward = value
    process = load_function("evaluation.export.slime.post_process_rewards")
    assert process(args, samples) == (EXPECTED, [0.625, 0.125, -0.375, -0.375, 0.0])


def test_nemo_gyms_server_answers_and_masks(task: Task, tmp_path: Path) -> None:
    pytest.importorskip("nemo_gym")
    from fastapi.testclient import TestClient
    from nemo_gym.base_resources_server import BaseVerifyResponse
    from nemo_gym.openai_utils import NeMoGymResponse
    from nemo_gym.server_utils import BaseServerConfig, ServerClient
    from omegaconf import DictConfig, OmegaConf

    out = tmp_path / "out"
    export([task], Order("nemo-gym", Selection((3,), 0, 1)), out)
    row = json.loads((out / "part-00000.jsonl").read_text())
    spec = importlib.util.spec_from_file_location("bootcamp_app", out / "app.py")
    assert spec and spec.loader
    app = importlib.util.module_from_spec(spec)
    sys.modules["bootcamp_app"] = app
    spec.loader.exec_module(app)
    named = OmegaConf.load(out / "bootcamp.yaml")["bootcamp"]["resources_servers"]["bootcamp"]
    server_type = app.BootcampServer
    config = server_type.model_fields["config"].annotation(host="127.0.0.1", port=1, name="bootcamp", **named)
    head = BaseServerConfig(host="127.0.0.1", port=2)
    server = server_type(
        config=config, server_client=ServerClient(head_server_config=head, global_config_dict=DictConfig({}))
    )
    found = []
    with TestClient(server.setup_webserver()) as client:
        assert client.post("/seed_session", json=row).status_code == 200
        for text in responses(row["identity"]):
            reply = {"id": "r", "created_at": 0, "model": "m", "object": "response", "output": [message(text)]}
            reply |= {"parallel_tool_calls": False, "tool_choice": "auto", "tools": []}
            NeMoGymResponse.model_validate(reply)
            answer = client.post("/verify", json={**row, "response": reply})
            assert answer.status_code == 200, answer.text
            found.append(BaseVerifyResponse.model_validate(answer.json()))
            assert answer.json()["task_id"] == "tricky", "the row's own fields come back"
        assert client.get("/reverify_mode").json() == "stateless"
    assert [item.reward for item in found] == EXPECTED
    assert [item.mask_sample for item in found] == [False] * 4 + [True]
    assert found[4].failure_kind == "verifier_error"


def message(text: str) -> dict[str, Any]:
    part = {"type": "output_text", "text": text, "annotations": []}
    return {"id": "m", "type": "message", "role": "assistant", "status": "completed", "content": [part]}


def test_inspect_runs_the_task_file_and_counts_an_unscored_sample(
    task: Task, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("inspect_ai")
    from inspect_ai import eval as run
    from inspect_ai.model import ModelAPI, ModelOutput, get_model, modelapi

    out = tmp_path / "out"
    export([task], Order("inspect", Selection((3,), 0, 5)), out)
    rows = [json.loads(line) for line in (out / "part-00000.jsonl").read_text().splitlines()]
    texts = {row["input"]: responses(row["metadata"]["identity"])[place] for place, row in enumerate(rows)}

    @modelapi(name="answers")  # type: ignore[untyped-decorator,unused-ignore]
    class Answers(ModelAPI):  # type: ignore[misc,unused-ignore]
        async def generate(self, input: Any, **asked: Any) -> ModelOutput:
            return ModelOutput.from_content("answers", texts[input[-1].text])

    monkeypatch.chdir(out)
    [log] = run("task.py", model=get_model("answers/x"), log_dir=str(tmp_path / "logs"), max_samples=1, display="none")
    assert log.status == "success" and log.samples and log.results, log.error
    values = {sample.id: sample.scores["bootcamp"].value for sample in log.samples}
    assert [values[row["id"]] for row in rows[:4]] == EXPECTED[:4]
    assert values[rows[4]["id"]] != values[rows[4]["id"]], "NaN"
    [found] = log.results.scores
    assert found.metrics["mean"].value == pytest.approx(1.5 / 4) and found.unscored_samples == 1


def test_the_harness_runs_the_task_file_and_leaves_an_unscored_document_out(
    task: Task, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lm_eval = pytest.importorskip("lm_eval")
    from lm_eval.api.model import LM
    from lm_eval.tasks import TaskManager

    class Answers(LM):  # type: ignore[misc,unused-ignore]
        def generate_until(self, requests: list[Any], **kwargs: Any) -> list[str]:
            return [responses(asked.doc["identity"])[asked.doc_id] for asked in requests]

        def loglikelihood(self, requests: list[Any], **kwargs: Any) -> list[Any]:
            raise NotImplementedError

        def loglikelihood_rolling(self, requests: list[Any], **kwargs: Any) -> list[Any]:
            raise NotImplementedError

    out = tmp_path / "out"
    export([task], Order("lm-eval", Selection((3,), 0, 5)), out)
    monkeypatch.chdir(out)
    monkeypatch.setenv("HF_DATASETS_CACHE", str(tmp_path / "cache"))
    manager = TaskManager(include_path=str(out))
    found = lm_eval.simple_evaluate(model=Answers(), tasks=["bootcamp"], task_manager=manager)["results"]["bootcamp"]
    assert found["score,none"] == pytest.approx(1.5 / 4)
    assert found["malformed,none"] == pytest.approx(1 / 4) and found["unscored,none"] == pytest.approx(1 / 5)


@pytest.mark.skipif("BOOTCAMP_INTERNBOOTCAMP" not in os.environ, reason="BOOTCAMP_INTERNBOOTCAMP, a checkout")
@pytest.mark.parametrize("think", ["", "<think>" + "x" * 120 + "</think>"])
def test_internbootcamps_own_base_scores_our_methods_as_our_class_does(task: Task, shelf: Path, think: str) -> None:
    place = Path(os.environ["BOOTCAMP_INTERNBOOTCAMP"], "internbootcamp", "bootcamp", "base.py")
    spec = importlib.util.spec_from_file_location("their_base", place)
    assert spec and spec.loader
    theirs = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(theirs)
    ours = as_internbootcamp("tricky", root=shelf)
    names = ("prompt_func", "extract_output", "_verify_correction")
    methods = {name: staticmethod(getattr(ours, name)) for name in names}
    both = type("Both", (theirs.Basebootcamp,), methods)
    case = ours(level=3).case_generator()
    right = 2 * case["payload"]["n"]
    for answer in (right, right + 1, -1, "none"):
        text = f"{think}<answer>{answer}</answer>"
        assert both.verify_score(text, case, format_score=0.1) == ours.verify_score(text, case, format_score=0.1)
    theirs_of, ours_of = (inspect.signature(kind.verify_score) for kind in (theirs.Basebootcamp, ours))
    assert [(item.name, item.default) for item in theirs_of.parameters.values()] == [
        (item.name, item.default) for item in ours_of.parameters.values()
    ]


async def test_a_classic_rubric_has_an_error_for_an_unscored_rollout_and_not_a_plain_zero(task: Task) -> None:
    vf = pytest.importorskip("verifiers")
    if not hasattr(vf, "Rubric"):
        pytest.skip("verifiers without the classic form")
    from evaluation.export.verifiers import load_environment

    environment = load_environment(["tricky"], levels=[3], start=0, end=1)
    [row] = environment.get_dataset()
    assert isinstance(environment, vf.SingleTurnEnv) and row["info"]["task_id"] == "tricky"
    for text, expected in zip(responses(row["answer"]), EXPECTED, strict=True):
        chat = [{"role": "assistant", "content": text}]
        state = vf.State(**row, completion=chat, trajectory=[], timing=vf.types.RolloutTiming())
        await environment.rubric.score_rollout(state)
        assert state["reward"] == expected
        assert isinstance(state.get("error"), vf.Error) == ("666" in text)


async def test_a_v1_taskset_raises_for_an_unscored_trace(task: Task) -> None:
    pytest.importorskip("verifiers")
    vf = pytest.importorskip("verifiers.v1")
    if not hasattr(vf.Taskset, "__iter__"):
        pytest.skip("verifiers with an earlier v1 form")
    from evaluation.export.verifiers_taskset import BootcampConfig, BootcampTaskset

    config = BootcampConfig(id="bootcamp_taskset", tasks=["tricky"], levels=[3], start=0, end=1)
    [found] = BootcampTaskset(config)
    assert found.key.startswith("tricky/3/0/") and "What is twice" in str(found.data.prompt)
    for text, expected in zip(responses(found.data.identity)[:4], EXPECTED[:4], strict=True):
        trace = vf.Trace.model_construct(root_reply=text, rewards={}, metrics={})
        await found.score(trace)
        assert trace.rewards["correctness"].score == expected
    trace = vf.Trace.model_construct(root_reply=responses(found.data.identity)[4], rewards={}, metrics={})
    with pytest.raises(vf.TaskError, match="verifier-crash"):
        await found.score(trace)
