"""What verifications and an audit cost in the sandbox: ``python benchmarks/audit.py [--rounds N] [--json]``.

1,000 scores of one task are asked in a box, each as a call of its own and hundreds in one call, and of the same
operations in this very process, all three in turn. What is told is CPU time, of both sides together: on a busy machine
the wall clock says how the machine was shared. Then one whole audit without a model of two tasks, with the seconds of
its stages.
"""

from __future__ import annotations

import argparse
import gc
import json
import random
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path = [str(ROOT), *(place for place in sys.path if Path(place or ".").resolve() != ROOT / "benchmarks")]

from bootcamp_kit.folder import TaskFolder  # noqa: E402 - the folder above must come first: this one has a sandbox.py
from sandbox.audit.audit import run_audit  # noqa: E402
from sandbox.audit.many import ManyScores  # noqa: E402
from sandbox.calls import Call, Op, case_to_json  # noqa: E402
from sandbox.collect import Asker, collect_cases  # noqa: E402
from sandbox.guest.ops import TaskOps  # noqa: E402
from sandbox.runner import job_limits  # noqa: E402
from sandbox.service import Sandbox, SandboxSettings  # noqa: E402

TASKS = ("digit_total", "fewest_coins", "permutation_with_inversions", "flood_map")
AUDITED = ("digit_total", "fewest_coins")
CALLS = 1_000


def verifications(sandbox: Sandbox, name: str, rounds: int) -> dict[str, float]:
    """Median CPU milliseconds of 1,000 scores each way, and the medians of their ratios to this process."""
    folder = task(name)
    ops = TaskOps(folder.sources, 1 << 20)
    with (
        sandbox.box(folder.sources, job_limits(folder.card)) as box,
        box.session() as session,
        ManyScores(sandbox, folder) as many,
    ):
        asker = Asker(box, folder.card)
        cases = collect_cases(asker, [(level, seed) for level in folder.card.difficulty.levels for seed in range(20)])
        known = [(case.case, case.right) for case in cases if case.case and case.right]
        rng = random.Random(0)
        pairs = [(rng.choice(known)[0], rng.choice(known)[1]) for _ in range(CALLS)]
        calls = [Call(Op.SCORE, {"case": case_to_json(case), "response": response}) for case, response in pairs]
        times: dict[str, list[float]] = {"calls": [], "many": [], "bare": []}
        for place in range(rounds + 1):
            gc.collect()
            seen, spent = timed(lambda: session.batch(calls))
            spent += sum(item.cpu_s for item in seen)
            before = many.cpu_s
            scores, at_once = timed(lambda: many.ask(pairs))
            at_once += many.cpu_s - before
            answers, bare = timed(lambda: [ops.answer("score", copied(call)) for call in calls])
            if [item.value for item in seen] != answers or [item.value if item else None for item in scores] != [
                answer["value"] for answer in answers
            ]:
                raise SystemExit("the three ways do not agree")
            if place:  # the first round imports
                for name, took in (("calls", spent), ("many", at_once), ("bare", bare)):
                    times[name].append(took)
    ratios = {
        f"{name}_ratio": round(statistics.median(a / b for a, b in zip(times[name], times["bare"], strict=True)), 2)
        for name in ("calls", "many")
    }
    return {**{f"{name}_ms": median_ms(spent) for name, spent in times.items()}, **ratios}


def timed(act: Callable[[], list[Any]]) -> tuple[list[Any], float]:
    """What it returns, and the CPU seconds of this process."""
    start = time.process_time()
    return act(), time.process_time() - start


def copied(call: Call) -> Any:
    """The arguments as a process reads them from its input."""
    return json.loads(json.dumps(dict(call.args)))


def median_ms(seconds: Sequence[float]) -> float:
    """In milliseconds, to a tenth."""
    return round(1e3 * statistics.median(seconds), 1)


def task(name: str) -> TaskFolder:
    """A sound task of the test suite."""
    return TaskFolder.read(ROOT / "tests" / "sound_tasks" / name)


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--no-audit", action="store_true")
    given = parser.parse_args(arguments)
    found: dict[str, dict[str, dict[str, float]]] = {"verifications": {}, "audit": {}}
    with Sandbox(SandboxSettings()) as sandbox:
        for name in TASKS:
            found["verifications"][name] = verifications(sandbox, name, given.rounds)
        for name in () if given.no_audit else AUDITED:
            found["audit"][name] = dict(run_audit(sandbox, task(name)).report.seconds)
    if given.json:
        print(json.dumps(found, indent=1))
        return
    for name, item in found["verifications"].items():
        told = f"{item['calls_ms']} ms as calls (×{item['calls_ratio']}), {item['many_ms']} ms at once"
        print(f"{name:30} 1,000 scores: {told} (×{item['many_ratio']}), {item['bare_ms']} ms bare; CPU")
    for name, seconds in found["audit"].items():
        print(f"{name:30} audit: " + ", ".join(f"{stage} {spent:.1f}" for stage, spent in seconds.items()))


if __name__ == "__main__":
    main()
