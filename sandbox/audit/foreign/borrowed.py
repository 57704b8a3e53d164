"""Right answers of other cases: does one of a case of the same size do, whatever else the instance says?"""

from __future__ import annotations

import itertools
from collections import defaultdict
from typing import Any

from sandbox.audit.foreign.guest_layouts import ANSWERS
from sandbox.audit.foreign.trial import Trial
from sandbox.checks.observed import shown

MOST_CASES, LEAST, FIRST = 120, 12, 6


def try_borrowed(trial: Trial) -> None:
    """For cases that share their numbers, or the sizes of their lists: the right answer of one is tried on the next.

    Where that mostly earns the score, one fixed answer for each size solves the task, as one fixed tiling does.
    """
    known = {n: trial.made[n]["payload"] for n in trial.right if isinstance(trial.made[n].get("payload"), dict)}
    known = dict(list(known.items())[:MOST_CASES])
    for what, of in (("numbers", _numbers), ("sizes", _sizes)):
        groups: dict[tuple[Any, ...], list[int]] = defaultdict(list)
        for number, payload in known.items():
            groups[of(payload, trial.told)].append(number)
        pairs = [
            (one, other)
            for numbers in groups.values()
            for one, other in itertools.pairwise(numbers)
            if str(trial.made[one]["question"]) != str(trial.made[other]["question"])
        ]
        if len(pairs) < LEAST or len(groups) < 2:
            continue
        scored = _earned(trial, pairs[:FIRST])
        if sum(scored) < 0.6 * len(scored):
            continue
        scored += _earned(trial, pairs[FIRST:])
        mean = sum(scored) / len(scored)
        floor: Any = trial.result.figures.get("floor")
        constant = float(floor["mean"]) if isinstance(floor, dict) else 0.0
        if mean >= trial.policy.threshold("floor_high") and mean >= constant + 0.1:
            first = next(place for place, value in enumerate(scored) if value)
            number, text = pairs[first][1], trial.put(trial.right[pairs[first][0]])
            message = (
                f"the right answer of another case with the same {what} scores {mean:.2f} on average "
                f"(n = {len(scored)}), as {shown(trial.right[pairs[first][0]], 30)!r}"
            )
            trial.find("foreign.rule_wins", message, number, text, f"mean {mean:.3f}")
            return


def _earned(trial: Trial, pairs: list[tuple[int, int]]) -> list[float]:
    return [item.value or 0.0 for item in trial.ask([(other, trial.put(trial.right[one])) for one, other in pairs])]


def _numbers(payload: dict[str, Any], told: frozenset[str]) -> tuple[Any, ...]:
    """What the prompt tells in whole numbers and flags."""
    return tuple(
        (name, value)
        for name, value in payload.items()
        if name in told and isinstance(value, int) and not ANSWERS.search(str(name))
    )


def _sizes(payload: dict[str, Any], told: frozenset[str]) -> tuple[Any, ...]:
    """How large the lists and texts are that the prompt tells."""
    return tuple(
        (name, len(value), len(value[0]) if value and isinstance(value[0], list | str) else 0)
        for name, value in payload.items()
        if name in told and isinstance(value, list | str) and not ANSWERS.search(str(name))
    )
