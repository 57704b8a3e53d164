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
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

from tiny_model import asked_text, make_model, make_tokenizer, warm_up
from toy_library import write_library

TASKS = ("reverse", "rotate_left")
LEVELS = (1,)
TRAINING, HELD_OUT = 0, 1_000_000
"""First seeds: of the cases trained on, and of those never trained on."""
ANSWER_TOKENS = 10


@dataclass(frozen=True)
class Budget:
    """What one training run may use; the same for all runs of a comparison."""

    warm_steps: int = 300
    steps: int = 400
    prompts_per_step: int = 16
    answers_per_prompt: int = 8
    learning_rate: float = 5e-4
    beta: float = 0.005
    """Weight of the divergence from the warmed-up model, which answers with any order: it keeps answers varied."""
    whole_answers: bool = True
    """Reward right answers only: letters that happen to stand right would pay for doing one task in place of the
    other."""


def main() -> None:
    """Train on two tasks, compare, draw."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--out", type=Path, required=True, help="folder for library, curve and result")
    parser.add_argument("--steps", type=int, default=Budget.steps)
    parser.add_argument("--held-out", type=int, default=130, help="held-out cases of each task and level")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--levels", type=int, nargs="+", default=LEVELS, help="1: three letters; 2: four; up to 4")
    parser.add_argument("--tasks", nargs="+", default=TASKS, metavar="TASK", help="of examples/toy_library.py")
    parser.add_argument("--answers", type=int, default=Budget.answers_per_prompt, help="answers to each prompt")
    parser.add_argument("--prompts", type=int, default=Budget.prompts_per_step, help="prompts of each step")
    parser.add_argument("--beta", type=float, default=Budget.beta, help="weight of the divergence from the start")
    parser.add_argument("--learning-rate", type=float, default=Budget.learning_rate)
    parser.add_argument("--partial-answers", action="store_true", help="reward letters in place, too")
    asked = parser.parse_args()
    use_library(asked.out)
    budget, began = settings_of(asked), time.monotonic()
    tokenizer = make_tokenizer()
    held_out = rows(asked.tasks, HELD_OUT, asked.held_out, levels=asked.levels)
    training = rows(asked.tasks, TRAINING, 1_000, without=held_out, levels=asked.levels)
    model = make_model(tokenizer, asked.seed)
    warm_up(model, tokenizer, training, budget.warm_steps, asked.seed)
    before = answer(model, tokenizer, held_out)
    steps: list[dict[str, float]] = []
    curve = train(model, tokenizer, training, budget, asked.out / "trl", asked.seed, steps)
    after = answer(model, tokenizer, held_out)
    result = {
        "tasks": asked.tasks,
        "levels": asked.levels,
        **asdict(budget),
        "seed": asked.seed,
        "training_cases": len(training),
        "seconds": round(time.monotonic() - began),
        "weights": sum(parameter.numel() for parameter in model.parameters()),
        "held_out": compare(before, after),
        "by_task": {
            name: compare(*(of_task(side, held_out, name) for side in (before, after))) for name in asked.tasks
        },
        "reward": ends(curve),
        "reward_by_task": {name: ends([step[name] for step in steps if name in step]) for name in asked.tasks},
        "curve": curve,
        "steps_by_task": steps,
    }
    (asked.out / "result.json").write_text(json.dumps(result, indent=1) + "\n")
    draw(steps, asked.tasks, asked.out / "curve.png")
    print(json.dumps({key: value for key, value in result.items() if key not in ("curve", "steps_by_task")}, indent=1))


def settings_of(asked: argparse.Namespace) -> Budget:
    """The budget that the command line names."""
    return Budget(
        steps=asked.steps,
        prompts_per_step=asked.prompts,
        answers_per_prompt=asked.answers,
        learning_rate=asked.learning_rate,
        beta=asked.beta,
        whole_answers=not asked.partial_answers,
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


def train(
    model: Any,
    tokenizer: Any,
    data: list[dict[str, Any]],
    budget: Budget,
    out: Path,
    seed: int,
    steps: list[dict[str, float]] | None = None,
) -> list[float]:
    """GRPO; returns the mean reward of each step, and adds to ``steps`` that of each task."""
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
        reward_funcs=[noted(whole if budget.whole_answers else bootcamp_reward, steps)],
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


def noted(reward: Any, steps: list[dict[str, float]] | None) -> Any:
    """The same reward function; the mean reward of each task goes to ``steps``."""

    def rewarded(*given: Any, **named: Any) -> list[float | None]:
        scores: list[float | None] = reward(*given, **named)
        by_task: dict[str, list[float]] = {}
        for name, score in zip(named["task_id"], scores, strict=True):
            if score is not None:
                by_task.setdefault(name, []).append(score)
        if steps is not None:
            steps.append({name: mean(own) for name, own in by_task.items()})
        return scores

    return rewarded


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


def ends(curve: list[float]) -> dict[str, float]:
    """The mean reward of the first and of the last steps."""
    return {"first_20": mean(curve[:20]), "last_20": mean(curve[-20:])}


def draw(steps: list[dict[str, float]], tasks: Sequence[str], path: Path) -> None:
    """Reward of each task over steps, as running means."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    window = 20
    figure, axes = plt.subplots(figsize=(7, 3.5))
    for name in tasks:
        curve = [step[name] for step in steps if name in step]
        smooth = [mean(curve[max(0, step - window + 1) : step + 1]) for step in range(len(curve))]
        axes.plot(smooth, label=name.replace("_", " "))
    axes.set(xlabel="step", ylabel=f"reward, mean of {window} steps", ylim=(0, 1), title=f"GRPO on {len(tasks)} tasks")
    axes.legend()
    figure.tight_layout()
    figure.savefig(path, dpi=120)


if __name__ == "__main__":
    main()
