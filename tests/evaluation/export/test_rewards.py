"""What each trainer gets for correct, partial, wrong, malformed and unscored: the table, run."""

from __future__ import annotations

import argparse
import dataclasses
import enum
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bootcamp_kit.errors import UsageError
from bootcamp_kit.interop.internbootcamp import as_internbootcamp
from bootcamp_kit.library import Library, load
from evaluation.export import openrlhf, slime, trl, verl
from evaluation.export.items import Counts, Item, Selection, items
from evaluation.export.judge import Judge, _judge_of, default_judge
from evaluation.export.reasoning_gym import BootcampDataset, NoScore

KINDS = ("correct", "partial", "wrong", "malformed", "crash", "hang")


@pytest.fixture
def item(shelf: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Item]:
    monkeypatch.setenv("BOOTCAMP_LIBRARY", str(shelf))
    _judge_of.cache_clear()
    yield next(items([load("tricky")], Selection((3,), 0, 1), Counts()))
    default_judge().close()
    _judge_of.cache_clear()


def responses(item: Item) -> list[str]:
    right = 2 * item.case.payload["n"]
    answers = [right, right + 1, -1, None, 666, 667]
    think = "<think>" + "x" * 120 + "</think>"
    return [f"{think}<answer>{answer}</answer>" if answer is not None else think for answer in answers]


def test_trl_gets_none_for_unscored(item: Item) -> None:
    texts, row, logged = responses(item), trl.row(item, "train"), {}
    batch = {"prompts": [row["prompt"]] * 6, "identity": [row["identity"]] * 6}
    plain = trl.bootcamp_reward(completions=texts, **batch, trainer_state=None)
    assert plain == [1.0, 0.5, 0.0, 0.0, None, None]
    assert trl.bootcamp_reward_without_none(completions=texts, **batch) == [1.0, 0.5, 0.0, 0.0, 0.375, 0.375]
    one = {"prompts": batch["prompts"][:1], "identity": batch["identity"][:1]}
    assert trl.bootcamp_reward_without_none(completions=texts[4:5], **one) == [0.0]
    chats = [[{"role": "assistant", "content": text}] for text in texts]
    assert (
        trl.bootcamp_reward(completions=chats, **batch, log_extra=logged.__setitem__, log_metric=logged.__setitem__)
        == plain
    )
    assert logged["unscored"] == pytest.approx(2 / 6) and logged["outcome"][3:5] == [
        "malformed",
        "unscored: verifier-crash",
    ]


def test_verl_gets_a_flag_for_unscored(item: Item) -> None:
    row = verl.row(item, "train")
    found = [
        verl.compute_score(
            data_source=row["data_source"],
            solution_str=text,
            ground_truth=row["reward_model"]["ground_truth"],
            extra_info={**row["extra_info"], "num_turns": 2},
        )
        for text in responses(item)
    ]
    assert [item["score"] for item in found] == [1.0, 0.5, 0.0, 0.0, 0.0, 0.0]
    assert [item["unscored"] for item in found] == [0, 0, 0, 0, 1, 1]
    assert [item["malformed"] for item in found] == [0, 0, 0, 1, 0, 0]
    assert len({tuple(item) for item in found}) == 1, "verl wants the same keys for every sample"


def test_openrlhf_gets_a_score_outside_the_band_for_unscored(item: Item) -> None:
    row = openrlhf.row(item, "train")
    prompt = "<|user|>" + row["input"][0]["content"] + "<|assistant|>"
    queries = [prompt + text for text in responses(item)]
    found = openrlhf.rewards(queries, [prompt] * 6, [row["answer"]] * 6)
    assert found["rewards"] == [1.0, 0.5, 0.0, 0.0, 0.0, 0.0]
    assert found["scores"] == [1.0, 0.5, 0.0, 0.0, -1.0, -1.0]
    torch = pytest.importorskip("torch")
    tensors = openrlhf.reward_func(queries=queries, prompts=[prompt] * 6, labels=[row["answer"]] * 6)
    assert torch.equal(tensors["rewards"], torch.tensor(found["rewards"]))


def test_openrlhf_never_takes_the_prompts_example_for_an_answer() -> None:
    prompt = "<|user|> " + "Rules and rules. " * 30 + "End with <answer>7</answer> <|assistant|>"
    assert openrlhf.response_of(prompt + " none", prompt) == " none"
    respelt = prompt.replace("<|user|> ", "<|user|>")
    assert openrlhf.response_of(respelt + " none", prompt) == " none"
    assert openrlhf.response_of(prompt.replace(" ", "  ") + "none", prompt) is None


class Status(enum.Enum):
    COMPLETED = "completed"
    FAILED = "failed"


@dataclasses.dataclass
class Sample:
    """The fields of slime's Sample that a custom reward model meets."""

    prompt: Any
    response: str
    label: str
    status: Status = Status.COMPLETED
    remove_sample: bool = False
    reward: float | None = None
    group_index: int | None = None

    def get_reward_value(self, args: Any) -> float | None:
        return self.reward


Sample.Status = Status  # type: ignore[attr-defined]


async def test_slime_gets_a_failed_sample_for_unscored(item: Item) -> None:
    row = slime.row(item, "train")
    samples = [Sample(row["input"], text, row["label"]) for text in responses(item)]
    assert await slime.batched_custom_rm(None, samples) == [1.0, 0.5, 0.0, 0.0, 0.0, 0.0]
    assert [sample.remove_sample for sample in samples] == [False] * 4 + [True] * 2
    assert [sample.status for sample in samples[3:5]] == [Status.COMPLETED, Status.FAILED]
    assert await slime.custom_rm(None, samples[0]) == 1.0
    assert await slime.custom_rm(None, samples[:2]) == [1.0, 0.5], "branched rollouts come as a list"


@pytest.mark.parametrize("indexed", [True, False])
def test_slimes_groups_are_normalised_without_their_unscored_samples(indexed: bool) -> None:
    rewards, unscored = [1.0, 0.0, 0.0, 0.5, 0.0, 0.0, 0.0, 0.0], {2, 6, 7}
    samples = [
        Sample("", "", "", remove_sample=place in unscored, reward=value, group_index=place // 4 if indexed else None)
        for place, value in enumerate(rewards)
    ]
    args = argparse.Namespace(
        rewards_normalization=True, advantage_estimator="grpo", grpo_std_normalization=False, n_samples_per_prompt=4
    )
    raw, found = slime.post_process_rewards(args, samples)
    assert raw == rewards and found == [0.5, -0.5, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]
    args.grpo_std_normalization = True
    assert slime.post_process_rewards(args, samples)[1] == pytest.approx([1.0, -1.0] + [0.0] * 6, abs=1e-5)
    args.advantage_estimator = "ppo"
    assert slime.post_process_rewards(args, samples) == (rewards, rewards)


def test_reasoning_gym_raises_for_unscored(item: Item, shelf: Path) -> None:
    with Judge(Library(shelf)) as judge:
        data = BootcampDataset(load("tricky", root=shelf), judge, level=3, seed=0, size=3)
        entry = data[0]
        assert set(entry) == {"question", "answer", "metadata"} and len(list(data)) == len(data) == 3
        assert json.loads(json.dumps(entry)) == entry
        assert [data.score_answer(text, entry) for text in responses(item)[:4]] == [1.0, 0.5, 0.0, 0.0]
        assert data.score_answer(None, entry) == 0.0
        for text in responses(item)[4:]:
            with pytest.raises(NoScore, match="verifier"):
                data.score_answer(text, entry)


def test_internbootcamps_class_takes_the_rows_and_raises_for_unscored(item: Item, shelf: Path) -> None:
    from evaluation.export.internbootcamp import row

    cls, found = as_internbootcamp("tricky", root=shelf), row(item, "train")
    assert cls.prompt_func(found["ground_truth"]) == found["prompt"]
    scores = [cls.verify_score(text, found["ground_truth"], format_score=0.1) for text in responses(item)[:4]]
    assert scores == [1.0, 0.5, 0.1, 0.0]
    answers = [cls.extract_output(text) for text in responses(item)[:3]]
    assert [cls._verify_correction(answer, found["ground_truth"]) for answer in answers] == [True, 0.5, False]
    with pytest.raises(RuntimeError, match="fell over"):
        cls.verify_score(responses(item)[4], found["ground_truth"])


def test_data_of_another_version_is_an_error_and_not_a_zero(item: Item) -> None:
    identity = json.loads(item.identity())
    for broken, match in (
        ({**identity, "content_hash": "0" * 64}, "export again"),
        ({**identity, "task_id": "nothing"}, "not among"),
        ({"task_id": "tricky"}, "not readable"),
        ("no json", "not readable"),
    ):
        with pytest.raises(UsageError, match=match):
            default_judge().one(broken if isinstance(broken, str) else json.dumps(broken), "x")


def test_threads_share_a_judge(item: Item) -> None:
    from concurrent.futures import ThreadPoolExecutor

    def score(number: int) -> float:
        right = 2 * item.case.payload["n"]
        text = f"<answer>{right + number % 3}</answer>"
        return verl.compute_score("", text, item.identity())["score"]

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(score, range(300))) == [(1.0, 0.5, 0.0)[number % 3] for number in range(300)]


def test_nemo_gym_gets_a_masked_sample_for_unscored(item: Item) -> None:
    from types import SimpleNamespace as Thing

    from evaluation.export import nemo_gym

    row, found = nemo_gym.row(item, "train"), []
    for text in responses(item):
        parts = [Thing(type="output_text", text=text[:5]), Thing(type="output_text", text=text[5:])]
        output = [Thing(type="reasoning"), Thing(type="message", content=parts), Thing(type="function_call")]
        body = Thing(identity=row["identity"], response=Thing(output=output))
        found.append(nemo_gym.verify_fields(default_judge(), body))
    assert [item["reward"] for item in found] == [1.0, 0.5, 0.0, 0.0, 0.0, 0.0]
    assert [item["mask_sample"] for item in found] == [False] * 4 + [True] * 2
    assert found[4]["failure_reason"].startswith("verifier-crash") and found[4]["failure_kind"] == "verifier_error"
    assert row["responses_create_params"]["input"][0]["role"] == "user"


def test_lm_eval_gets_no_score_for_unscored(item: Item) -> None:
    from evaluation.export import lm_eval

    doc = lm_eval.row(item, "eval")
    found = [lm_eval.process_results(doc, [text]) for text in responses(item)]
    assert [item.get("score") for item in found] == [1.0, 0.5, 0.0, 0.0, None, None]
    assert [item["unscored"] for item in found] == [0, 0, 0, 0, 1, 1] and found[3]["malformed"] == 1


def test_inspect_gets_nan_for_unscored(item: Item) -> None:
    import math

    from evaluation.export import inspect_ai

    identity = inspect_ai.row(item, "eval")["metadata"]["identity"]
    found = [inspect_ai.reward(default_judge().one(identity, text, answers=True)) for text in responses(item)]
    assert found[2]["answer"] == "-1" and found[3]["answer"] is None
    assert [item["value"] for item in found[:4]] == [1.0, 0.5, 0.0, 0.0]
    assert all(math.isnan(item["value"]) and item["metadata"]["unscored"] for item in found[4:])


async def test_verifiers_gets_a_number_for_every_scored_response(item: Item) -> None:
    from evaluation.export import verifiers

    row = verifiers.row(item, "train")
    chats = [[{"role": "assistant", "content": text}] for text in responses(item)[:4]]
    found = [await verifiers.correctness(completion=chat, answer=row["answer"], state={}) for chat in chats]
    assert found == [1.0, 0.5, 0.0, 0.0]
    vf = pytest.importorskip("verifiers")
    with pytest.raises(getattr(vf, "Error", NoScore), match="unscored"):
        await verifiers.correctness(completion=responses(item)[4], answer=row["answer"])
