"""Does training on more tasks help on tasks left out? The same budget spent on 1, 4, 16 and 28 small tasks.

    .train/bin/python examples/task_scaling.py --out scaling

The tasks are those of `toy_library.py`: one or two moves of letters. Eight pairs of moves are left out: no run trains
on them; the single moves they are made of are among the first six tasks. Each run starts from the same warmed-up model,
which has seen the prompts of all tasks and no answer, and takes the same number of steps with the same number of
answers. Then it is asked cases of its own tasks and of those left out, which no run has seen. An interval takes the
wider of the spread between tasks and that between cases. Ends with `scaling.png` and `result.json`; a run that is there
already is not repeated.
"""

from __future__ import annotations

import argparse
import copy
import json
import time
from pathlib import Path
from random import Random
from typing import Any

from tiny_model import make_model, make_tokenizer, warm_up
from toy_library import task_id, task_titles
from train_trl import HELD_OUT, TRAINING, Budget, answer, mean, rows, train, use_library

LEVELS = (1, 2)

SIZES = (1, 4, 16, 28)
LEFT_OUT = 8
CASES = 25
"""Held-out cases of each task and level."""


def main() -> None:
    """Train each size, compare, draw."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--out", type=Path, required=True, help="folder for library, runs, picture and result")
    parser.add_argument("--steps", type=int, default=180, help="of every run")
    parser.add_argument("--seeds", type=int, default=1, help="runs of each size")
    asked = parser.parse_args()
    use_library(asked.out)
    singles, left_out, order = split()
    budget = Budget(steps=asked.steps, warm_steps=600, beta=0.0, whole_answers=False)
    tokenizer = make_tokenizer()
    everything = [*order, *left_out]
    tests = rows(everything, HELD_OUT, CASES, levels=LEVELS)
    base = make_model(tokenizer, 0)
    warm_up(base, tokenizer, rows(everything, TRAINING, 40, without=tests, levels=LEVELS), budget.warm_steps, 0)
    runs = [run(asked.out, base, tokenizer, tests, (), left_out, budget, 0)]
    for seed in range(asked.seeds):
        for size in SIZES:
            chosen = tuple(order[:size]) if seed == 0 else tuple(Random(seed).sample(order, size))
            runs.append(run(asked.out, base, tokenizer, tests, chosen, left_out, budget, seed))
    result = {"steps": asked.steps, "left_out": left_out, "single_moves": singles, "runs": runs}
    (asked.out / "result.json").write_text(json.dumps(result, indent=1) + "\n")
    draw(runs, asked.out / "scaling.png")
    for item in runs:
        print(item["size"], item["seed"], "own", item["own"], "left out", item["left_out"], f"{item['seconds']} s")


def split() -> tuple[list[str], list[str], list[str]]:
    """Single moves; the pairs left out; the order in which tasks join the training: single moves among the first 16."""
    titles = task_titles()
    singles = [task_id(title) for title in titles if ", then" not in title]
    pairs = [task_id(title) for title in titles if ", then" in title]
    Random("left out").shuffle(pairs)
    return singles, sorted(pairs[:LEFT_OUT]), [*singles, *pairs[LEFT_OUT:]]


def run(
    out: Path,
    base: Any,
    tokenizer: Any,
    tests: list[dict[str, Any]],
    chosen: tuple[str, ...],
    left_out: list[str],
    budget: Budget,
    seed: int,
) -> dict[str, Any]:
    """Train a copy of ``base`` on the chosen tasks (none: only test it), ask it the held-out cases."""
    path = out / f"run-{len(chosen)}-{seed}.json"
    if path.exists():
        found: dict[str, Any] = json.loads(path.read_text())
        return found
    began, model, curve = time.monotonic(), copy.deepcopy(base), []
    if chosen:
        per_level = max(20, 1_000 // len(chosen))
        data = rows(chosen, TRAINING, per_level, without=tests, levels=LEVELS)
        curve = train(model, tokenizer, data, budget, out / "trl", seed)
    scores = answer(model, tokenizer, tests)
    by_task = {
        name: [score for score, row in zip(scores, tests, strict=True) if row["task_id"] == name]
        for name in {row["task_id"] for row in tests}
    }
    found = {
        "size": len(chosen),
        "seed": seed,
        "tasks": list(chosen),
        "seconds": round(time.monotonic() - began),
        "own": share({name: by_task[name] for name in chosen}),
        "left_out": share({name: by_task[name] for name in left_out}),
        "by_task": {name: mean([float(score == 1.0) for score in by_task[name]]) for name in sorted(by_task)},
        "curve": curve,
    }
    path.write_text(json.dumps(found) + "\n")
    return found


def share(by_task: dict[str, list[float]]) -> dict[str, Any]:
    """Share of right answers, with an interval over tasks."""
    from evaluation.statistics import clustered_by_task

    values = [
        (name, f"{name}/{number}", float(score == 1.0))
        for name, scores in by_task.items()
        for number, score in enumerate(scores)
    ]
    if not values:
        return {"tasks": 0, "n": 0}
    found = clustered_by_task(values)
    interval = [round(found.low, 4), round(found.high, 4)]
    return {"tasks": len(by_task), "n": len(values), "share": round(found.value, 4), "interval": interval}


def draw(runs: list[dict[str, Any]], path: Path) -> None:
    """Right answers over the number of tasks trained on."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(7, 3.5))
    for key, colour, label in (("left_out", "tab:red", "tasks left out"), ("own", "tab:blue", "tasks trained on")):
        points = [(item["size"], item[key]) for item in runs if item[key]["n"]]
        sizes = [max(size, 0.5) * (0.96 if key == "own" else 1.04) for size, _ in points]
        values = [found["share"] for _, found in points]
        below = [found["share"] - found["interval"][0] for _, found in points]
        above = [found["interval"][1] - found["share"] for _, found in points]
        axes.errorbar(sizes, values, yerr=[below, above], fmt="o", color=colour, label=label, capsize=3)
    axes.set_xscale("log", base=2)
    axes.set_xticks([0.5, *SIZES], ["none", *map(str, SIZES)])
    axes.set(xlabel="tasks trained on, same number of steps", ylabel="right answers", ylim=(0, 1))
    axes.legend()
    figure.tight_layout()
    figure.savefig(path, dpi=120)


if __name__ == "__main__":
    main()
