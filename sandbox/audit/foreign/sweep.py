"""A task's own parameters: larger ones must not crash or hang its generator, and each must have some effect."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from typing import Any

from sandbox.audit.foreign.texts import missing
from sandbox.audit.foreign.trial import Trial
from sandbox.checks.observed import shown

CASES, MOST_AXES = 16, 16
_LEAST = ("min", "low", "lower")
_SIZES = re.compile(
    r"^(max_?)?(n|m|k|q|size|length|len|nodes|vertices|rows|cols|width|height)$|_max$|^max_", re.IGNORECASE
)
_MINOR_AXES = re.compile(
    r"seed|precision|default|name|version|format|debug|verbose|mod\b|^mod|timeout|attempt|retr", re.IGNORECASE
)


def sweep_axes(trial: Trial) -> None:
    """Vary each parameter alone, then make all that can grow larger together."""
    told = trial.first.deeper("axes", trial.name)
    axes = {name: _usual(trial, name, value) for name, value in told.items()} if isinstance(told, dict) else {}
    axes = {name: value for name, value in axes.items() if value is not None}
    if not axes:
        trial.skip("parameters", "the task has none with a number as its default")
        return
    names, usual = list(axes)[:MOST_AXES], _made(trial, {})
    if "digests" not in usual:
        trial.skip("parameters", "its usual cases cannot be made in time")
        return
    until, idle = time.monotonic() + trial.plan.sweep_s, []
    for name in names:
        if time.monotonic() > until:
            trial.skip("some parameters", "the time for parameters was over")
            break
        if _has_no_effect(trial, name, axes, usual["digests"]):
            idle.append(name)
    grown = {
        name: value * 2 for name, value in axes.items() if type(value) is int and value > 0 and not _is_least(name)
    }
    if len(grown) > 1:
        seen = _made(trial, grown)
        if "digests" not in seen:
            _broken(trial, ", ".join(f"{name}={value}" for name, value in grown.items()), seen)
    _tell_idle(trial, idle, len(names))


def _usual(trial: Trial, name: str, value: Any) -> Any:
    """A parameter's default; where that is None, the largest value that cases have under its name."""
    if value is not None:
        return value
    payloads = [item.get("payload") for item in trial.made if item]
    found = [payload[name] for payload in payloads if isinstance(payload, dict) and type(payload.get(name)) is int]
    return max(found, default=None)


def _has_no_effect(trial: Trial, name: str, axes: dict[str, Any], usual: list[str]) -> bool:
    same = tried = 0
    for value in values(name, axes[name]):
        seen = _made(trial, _paired(name, value, axes))
        if "digests" in seen:
            tried += 1
            same += seen["digests"] == usual[: len(seen["digests"])]
        elif type(value) is int and value < axes[name] and not _is_least(name):
            tried += 1  # a smaller value is not harder; that it breaks is an effect
        else:
            _broken(trial, f"{name}={value}", seen, lower=type(value) is int and value < axes[name])
            tried += not seen.get("refused") and seen.get("at") != "construct"
    return bool(tried) and same == tried


def _tell_idle(trial: Trial, idle: list[str], tried: int) -> None:
    trial.result.figures["parameters"] = {"tried": tried, "without_effect": len(idle)}
    if not idle:
        return
    told = ", ".join(shown(name, 30) for name in idle[:6])
    code = "foreign.axes_idle" if any(not _MINOR_AXES.search(name) for name in idle) else "foreign.axis_idle"
    trial.find(code, f"{len(idle)} of {tried} parameters change no case: {told}", 0, seen=told)


def values(name: str, value: Any) -> Iterator[Any]:
    """Other values that a user may well ask for: a little and much harder; of a lower limit, a lower one."""
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, int):
        if _is_least(name):
            yield from (value - 1,) if value > 1 else ()
            yield value + 1
            return
        yield value + 1
        if value > 3:
            yield value // 2
        yield value * 2 if value else 3
        if 0 < value < 1_000:
            yield value * 4
        if 0 < value < 100 and _SIZES.search(name):
            yield value * 10
    elif isinstance(value, float):
        yield from (value / 2, (1 + value) / 2) if 0 <= value <= 1 else (value * 2, value / 2)
    elif isinstance(value, list | tuple) and _is_range(name, value):
        yield [value[0], value[1] + 1]
        yield [value[0] * 2, value[1] * 2]


def _is_range(name: str, value: Any) -> bool:
    numbers = len(value) == 2 and all(type(item) is int for item in value)
    return numbers and value[0] < value[1] and re.search("range|bound|limit|interval|span", name) is not None


def _is_least(name: str) -> bool:
    return name.startswith(_LEAST) or name.endswith(_LEAST)


def _paired(name: str, value: Any, axes: dict[str, Any]) -> dict[str, Any]:
    """The change, and with a raised lower limit its upper one."""
    given = {name: value}
    if isinstance(value, int) and not isinstance(value, bool):
        for low, high in (("min", "max"), ("low", "high"), ("lower", "upper")):
            other = name.replace(low, high)
            if low in name and other in axes and isinstance(axes[other], int) and axes[other] < value:
                given[other] = value
    return given


def _made(trial: Trial, params: dict[str, Any]) -> dict[str, Any]:
    seen = trial.first.deeper("sweep", trial.name, seed=trial.plan.seed, params=params, count=CASES)
    return seen if isinstance(seen, dict) else {"problem": "the process hung or died", "at": "time", "refused": False}


def _broken(trial: Trial, change: str, seen: dict[str, Any], *, lower: bool = False) -> None:
    problem = str(seen.get("problem", ""))
    if missing(problem) or (seen.get("refused") and seen.get("at") == "construct"):
        return
    if seen.get("at") == "construct" and problem.startswith("TypeError"):
        return  # the parameter wants another type than its default shows
    what = "hangs" if seen.get("at") == "time" else "crashes"
    code = "foreign.axis_slow" if what == "hangs" else "foreign.axis_low_crash" if lower else "foreign.axis_crash"
    if all(finding.code != code for finding in trial.result.findings):
        trial.find(code, f"with {shown(change, 90)} the generator {what}: {shown(problem, 120)}", 0, change, problem)
