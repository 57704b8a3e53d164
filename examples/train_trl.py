"""GRPO with TRL on a processor, from nothing: a tiny model learns two small tasks through `bootcamp_reward`.

    python -m venv .train && .train/bin/pip install -r examples/requirements-train.txt -e .
    .train/bin/python examples/train_trl.py --out training

A Llama of some 0.2 million weights with a vocabulary of words and letters is warmed up on the *form* of an answer only
(the letters of the prompt in random order between the tags), so that some of its guesses earn something. Then TRL's
`GRPOTrainer` trains it with rewards from the library's verifiers, through the rows and the reward function of
`bootcamp export --to trl`. The trained and the untrained model answer the same held-out cases; the difference is given
with McNemar's test and an interval. Ends with `curve.png` and `result.json` in the `--out` folder.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

from toy_library import task_titles, write_library

TASKS = ("reverse", "rotate_left")
LEVELS = (1, 2)
TRAINING, HELD_OUT = 0, 1_000_000
"""First seeds: of the cases trained on, and of those never trained on."""
ANSWER_TOKENS = 10


@dataclass(frozen=True)
class Budget:
    """What one training run may use; the same for all runs of a comparison."""

    warm_steps: int = 300
    steps: int = 500
    prompts_per_step: int = 16
    answers_per_prompt: int = 8
    learning_rate: float = 5e-4
    beta: float = 0.0
    """Weight of the divergence from the warmed-up model, which answers with any order: it keeps answers varied."""
    whole_answers: bool = False
    """Reward right answers only. Letters that happen to stand right then earn nothing."""


def main() -> None:
    """Train on two tasks, compare, draw."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--out", type=Path, required=True, help="folder for library, curve and result")
    parser.add_argument("--steps", type=int, default=Budget.steps)
    parser.add_argument("--held-out", type=int, default=150, help="held-out cases of each task and level")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--levels", type=int, nargs="+", default=LEVELS, help="1: three letters; 2: four; up to 4")
    parser.add_argument("--prompts", type=int, default=Budget.prompts_per_step, help="prompts of each step")
    parser.add_argument("--beta", type=float, default=Budget.beta, help="weight of the divergence from the start")
    parser.add_argument("--learning-rate", type=float, default=Budget.learning_rate)
    parser.add_argument("--whole-answers", action="store_true", help="no reward for letters in place")
    asked = parser.parse_args()
    use_library(asked.out)
    budget, began = settings_of(asked), time.monotonic()
    tokenizer = make_tokenizer()
    held_out = rows(TASKS, HELD_OUT, asked.held_out, levels=asked.levels)
    training = rows(TASKS, TRAINING, 1_000, without=held_out, levels=asked.levels)
    model = make_model(tokenizer, asked.seed)
    warm_up(model, tokenizer, training, budget, asked.seed)
    before = answer(model, tokenizer, held_out)
    curve = train(model, tokenizer, training, budget, asked.out / "trl", asked.seed)
    after = answer(model, tokenizer, held_out)
    result = {
        "tasks": TASKS,
        "levels": asked.levels,
        **asdict(budget),
        "seed": asked.seed,
        "training_cases": len(training),
        "seconds": round(time.monotonic() - began),
        "weights": sum(parameter.numel() for parameter in model.parameters()),
        "held_out": compare(before, after),
        "by_task": {name: compare(*(of_task(side, held_out, name) for side in (before, after))) for name in TASKS},
        "reward": {"first_20": mean(curve[:20]), "last_20": mean(curve[-20:])},
        "curve": curve,
    }
    (asked.out / "result.json").write_text(json.dumps(result, indent=1) + "\n")
    draw(curve, asked.out / "curve.png")
    print(json.dumps({key: value for key, value in result.items() if key != "curve"}, indent=1))


def settings_of(asked: argparse.Namespace) -> Budget:
    """The budget that the command line names."""
    return Budget(
        steps=asked.steps,
        prompts_per_step=asked.prompts,
        learning_rate=asked.learning_rate,
        beta=asked.beta,
        whole_answers=asked.whole_answers,
    )


def use_library(out: Path) -> None:
    """Write the toy library and make it the default one of this process."""
    out.mkdir(parents=True, exist_ok=True)
    write_library(out / "library")
    os.environ["BOOTCAMP_LIBRARY"] = str((out / "library").resolve())


def rows(
    task_ids: Any,
    first_seed: int,
    per_level: int,
    without: Sequence[dict[str, Any]] = (),
    levels: Sequence[int] = LEVELS,
) -> list[dict[str, Any]]:
    """Distinct cases as TRL rows, as `bootcamp export --to trl` writes them; fewer where a level has no more.

    No case whose payload is that of one of ``without`` is among them, whatever its seed.
    """
    from bootcamp_kit.library import load
    from evaluation.export.items import Counts, Selection, case_mark, items
    from evaluation.export.trl import row

    excluded = frozenset(case_mark(row["task_id"], row["key"]) for row in without)
    selection = Selection(tuple(levels), first_seed, first_seed + 4 * per_level, per_level, excluded)
    return [row(item, "train") for item in items([load(name) for name in task_ids], selection, Counts())]


def make_tokenizer() -> Any:
    """Words of the tasks and single letters; text between blanks is one token."""
    from tokenizers import Tokenizer
    from tokenizers.models import WordLevel
    from tokenizers.pre_tokenizers import WhitespaceSplit
    from transformers import PreTrainedTokenizerFast

    form = "Take the letters and do this : . Write that you get , blanks between in form <answer> </answer> then"
    words = {"<pad>", "<end>", "<ask>", "<reply>", "<unknown>", *form.split(), *"abcdefgh"}
    words |= {word for title in task_titles() for word in title.split()}
    vocabulary = {word: number for number, word in enumerate(sorted(words))}
    core = Tokenizer(WordLevel(vocabulary, unk_token="<unknown>"))
    core.pre_tokenizer = WhitespaceSplit()
    return PreTrainedTokenizerFast(
        tokenizer_object=core,
        pad_token="<pad>",
        eos_token="<end>",
        unk_token="<unknown>",
        additional_special_tokens=["<ask>", "<reply>"],
        padding_side="left",
        chat_template="{% for m in messages %}<ask> {{ m['content'] }} {% endfor %}<reply>",
    )


def make_model(tokenizer: Any, seed: int) -> Any:
    """A Llama small enough for one core."""
    import torch
    from transformers import LlamaConfig, LlamaForCausalLM

    torch.manual_seed(seed)
    config = LlamaConfig(
        vocab_size=len(tokenizer),
        hidden_size=96,
        intermediate_size=192,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=4,
        max_position_embeddings=128,
        pad_token_id=tokenizer.pad_token_id,
        eos_token_id=tokenizer.eos_token_id,
        bos_token_id=None,
        tie_word_embeddings=False,
        initializer_range=0.1,  # with 0.02 it does not learn to copy a letter in 1,500 steps
    )
    return LlamaForCausalLM(config)


def asked_text(tokenizer: Any, row: dict[str, Any]) -> str:
    """A row's prompt as the model sees it."""
    return str(tokenizer.apply_chat_template(row["prompt"], tokenize=False, add_generation_prompt=True))


def warm_up(model: Any, tokenizer: Any, data: list[dict[str, Any]], budget: Budget, seed: int) -> None:
    """Teach the form of an answer: the prompt's own letters, in random order. No answer is looked at."""
    import torch

    rng, optimizer = Random(seed), torch.optim.AdamW(model.parameters(), lr=1e-3)
    model.train()
    for _ in range(budget.warm_steps):
        texts, asked = [], []
        for row in rng.sample(data, min(32, len(data))):
            text = asked_text(tokenizer, row)
            letters = re.findall(r"letters ((?:[a-h] )+)and", text)[0].split()
            rng.shuffle(letters)
            asked.append(text)
            texts.append(f"{text} <answer> {' '.join(letters)} </answer> <end>")
        batch = tokenizer(texts, return_tensors="pt", padding=True, padding_side="right")
        lengths = [len(tokenizer(text).input_ids) for text in asked]
        labels = batch.input_ids.masked_fill(batch.attention_mask == 0, -100)
        for index, length in enumerate(lengths):
            labels[index, :length] = -100
        loss = model(input_ids=batch.input_ids, attention_mask=batch.attention_mask, labels=labels).loss
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()


def answer(model: Any, tokenizer: Any, data: list[dict[str, Any]]) -> list[float]:
    """The score of the likeliest answer to each case, judged by the library; 1.0 is right."""
    import torch

    from evaluation.export.trl import bootcamp_reward

    model.eval()
    texts: list[str] = []
    for start in range(0, len(data), 200):
        part = [asked_text(tokenizer, row) for row in data[start : start + 200]]
        batch = tokenizer(part, return_tensors="pt", padding=True, return_token_type_ids=False)
        with torch.no_grad():
            made = model.generate(**batch, max_new_tokens=ANSWER_TOKENS, do_sample=False)
        texts += tokenizer.batch_decode(made[:, batch.input_ids.shape[1] :], skip_special_tokens=True)
    scores = bootcamp_reward([], texts, identity=[row["identity"] for row in data])
    assert None not in scores, "these verifiers do not fail"
    return [float(score) for score in scores if score is not None]


def train(model: Any, tokenizer: Any, data: list[dict[str, Any]], budget: Budget, out: Path, seed: int) -> list[float]:
    """GRPO; returns the mean reward of each step."""
    from datasets import Dataset
    from trl import GRPOConfig, GRPOTrainer

    from evaluation.export.trl import bootcamp_reward

    if budget.beta:  # the trainer loads the model it compares with from a folder
        model.save_pretrained(out / "warm")
        model.config._name_or_path = str(out / "warm")
    config = GRPOConfig(
        output_dir=str(out),
        max_steps=budget.steps,
        per_device_train_batch_size=budget.prompts_per_step * budget.answers_per_prompt,
        num_generations=budget.answers_per_prompt,
        max_completion_length=ANSWER_TOKENS,
        learning_rate=budget.learning_rate,
        lr_scheduler_type="constant_with_warmup",
        warmup_steps=10,
        beta=budget.beta,
        temperature=1.0,
        logging_steps=1,
        save_strategy="no",
        report_to=[],
        use_cpu=True,
        bf16=False,
        gradient_checkpointing=False,
        dataloader_pin_memory=False,
        disable_tqdm=True,
        log_level="error",
        seed=seed,
    )
    trainer = GRPOTrainer(
        model=model,
        reward_funcs=[whole if budget.whole_answers else bootcamp_reward],
        args=config,
        train_dataset=Dataset.from_list(data),
        processing_class=tokenizer,
    )
    trainer.train()
    return [round(entry["reward"], 4) for entry in trainer.state.log_history if "reward" in entry]


def whole(*given: Any, **named: Any) -> list[float | None]:
    """The library's reward, without credit for a part; unscored stays so."""
    from evaluation.export.trl import bootcamp_reward

    return [None if score is None else float(score == 1.0) for score in bootcamp_reward(*given, **named)]


def compare(before: list[float], after: list[float]) -> dict[str, Any]:
    """Right answers of two models to the same cases: shares with Wilson's 95 % intervals, McNemar's exact test."""
    from evaluation.statistics import mcnemar
    from evaluation.statistics import share as interval_of

    found: dict[str, Any] = {"n": len(before)}
    for name, scores in (("before", before), ("after", after)):
        right = sum(score == 1.0 for score in scores)
        share = interval_of(right, len(scores))
        found[name] = {
            "right": right,
            "share": round(share.value, 4),
            "interval": [round(share.low, 4), round(share.high, 4)],
        }
        found[name]["mean_score"] = mean(scores)
    test = mcnemar([(left == 1.0, right == 1.0) for left, right in zip(before, after, strict=True)])
    return {**found, "only_before": test.only_a, "only_after": test.only_b, "p": test.p_value}


def of_task(scores: list[float], data: list[dict[str, Any]], name: str) -> list[float]:
    """The scores of one task."""
    return [score for score, row in zip(scores, data, strict=True) if row["task_id"] == name]


def mean(values: list[float]) -> float:
    """The mean, to four digits."""
    return round(sum(values) / len(values), 4)


def draw(curve: list[float], path: Path) -> None:
    """Reward over steps, with a running mean."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    window = 10
    smooth = [mean(curve[max(0, step - window + 1) : step + 1]) for step in range(len(curve))]
    figure, axes = plt.subplots(figsize=(7, 3.5))
    axes.plot(curve, color="0.8", label="each step")
    axes.plot(smooth, color="tab:blue", label=f"mean of {window} steps")
    axes.set(xlabel="step", ylabel="mean reward", ylim=(0, 1), title="GRPO on two tasks")
    axes.legend()
    figure.tight_layout()
    figure.savefig(path, dpi=120)


if __name__ == "__main__":
    main()
