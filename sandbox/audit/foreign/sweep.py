"""A task's own parameters: larger ones must not crash or hang its generator, and each must have some effect."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from sandbox.audit.foreign.texts import missing
from sandbox.audit.foreign.trial import Trial
from sandbox.checks.observed import shown

CASES, MOST_AXES = 16, 16
EASY, EASIEST, LOW = 0.2, 0.1, 5
"""The shares of a usual value below which a value without effect, and one that crashes, may be no sensible one; and the
least value whose crash counts where it is below the first."""
_LEAST = ("min", "low", "lower")
_SIZES = re.compile(
    r"^(max_?)?(n|m|k|q|size|length|len|nodes|vertices|rows|cols|width|height)$|_max$|^max_", re.IGNORECASE
)
_MINOR_AXES = re.compile(
    r"seed|precision|default|name|version|format|debug|verbose|mod\b|^mod|timeout|attempt|retr", re.IGNORECASE
)


def sweep_axes(trial: Trial) -> None:
    """Vary each parameter alone, then make all that can grow larger and smaller together."""
    told = trial.first.deeper("axes", trial.name)
    axes = {name: _usual(trial, name, value) for name, value in told.items()} if isinstance(told, dict) else {}
    axes = {name: value for name, value in axes.items() if value is not None and name != "seed"}  # that one is ours
    if not axes:
        trial.skip("parameters", "the task has none with a number as its default")
        return
    names, usual = list(axes)[:MOST_AXES], _made(trial, {})
    unread = trial.first.deeper("unread", trial.name) or []
    if "digests" not in usual:
        trial.skip("parameters", "its usual cases cannot be made in time")
        _tell_idle(trial, [name for name in names if name in unread], len(names), "parameters that nothing reads")
        return
    idle = []
    for place, name in enumerate(names):
        if trial.over():
            trial.skip("some parameters", "the time for parameters was over")
            idle += [other for other in names[place:] if other in unread]
            break
        if _has_no_effect(trial, name, axes, usual["digests"]):
            idle.append(name)
    for factor in (2, 0.5):
        changed = _scaled(axes, factor)
        if len(changed) > 1 and not trial.over():
            _broken(trial, changed, _made(trial, changed), axes, factor)
    _tell_idle(trial, idle, len(names))


def _scaled(axes: dict[str, Any], factor: float) -> dict[str, Any]:
    """All whole numbers above 3 that are no lower limits, larger or smaller by a factor; with them their ranges."""
    found: dict[str, Any] = {}
    for name, value in axes.items():
        if type(value) is int and value > 3 and not _is_least(name) and not _MINOR_AXES.search(name):
            low = max([3, *(axes[other] for other in _lower(name) if type(axes.get(other)) is int)])
            found[name] = max(low, round(value * factor))
    return {name: value for name, value in found.items() if value != axes[name]}


def _usual(trial: Trial, name: str, value: Any) -> Any:
    """A parameter's default; where that is None, the largest value that cases have under its name."""
    if value is not None:
        return value
    payloads = [item.get("payload") for item in trial.made if item]
    found = [payload[name] for payload in payloads if isinstance(payload, dict) and type(payload.get(name)) is int]
    return max(found, default=None)


def _has_no_effect(trial: Trial, name: str, axes: dict[str, Any], usual: list[str]) -> bool:
    same = tried = 0
    far = False  # whether it has some effect where it is far smaller
    for value, factor in values(name, axes[name], axes):
        if trial.over():
            break
        given = _paired(name, value, axes)
        seen = _made(trial, given)
        if "digests" in seen and factor >= EASY:  # a limit far above all that is ever drawn does nothing, either
            tried += 1
            same += seen["digests"] == usual[: len(seen["digests"])]
        elif "digests" in seen:
            far = far or seen["digests"] != usual[: len(seen["digests"])]
        elif "digests" not in seen:
            _broken(trial, given, seen, axes, factor)
            far = far or (factor < EASY and seen.get("at") == "generate")
            tried += not seen.get("refused") and seen.get("at") != "construct"
    idle = bool(tried) and same == tried
    if idle and far:
        message = f"{shown(name, 30)} changes no case unless it is far smaller than {shown(str(axes[name]), 30)}"
        trial.find("foreign.axis_idle", message, 0, seen=name)
    return idle and not far


def _tell_idle(trial: Trial, idle: list[str], tried: int, how: str = "change no case") -> None:
    trial.result.figures["parameters"] = {"tried": tried, "without_effect": len(idle)}
    if not idle:
        return
    told = ", ".join(shown(name, 30) for name in idle[:6])
    code = "foreign.axes_idle" if any(not _MINOR_AXES.search(name) for name in idle) else "foreign.axis_idle"
    message = f"{len(idle)} of {tried} parameters {how}: {told}" if how.startswith("change") else f"{how}: {told}"
    trial.find(code, message, 0, seen=told)


def values(name: str, value: Any, axes: dict[str, Any]) -> Iterator[tuple[Any, float]]:
    """Other values that a user may well ask for, with how much larger they are: a little and much harder, and easier.

    No value is below what is the lower limit by its name; of a lower limit, a lower one is asked for, too.
    """
    if isinstance(value, bool):
        yield not value, 1
    elif isinstance(value, int):
        if _is_least(name):
            yield from ((value - 1, 0.5),) if value > 1 else ()
            high = [axes[other] for other in _upper(name) if type(axes.get(other)) is int]
            middle = [(limit + value) // 2 for limit in high if limit > value + 3]
            yield from ((one, one / max(1, value)) for one in dict.fromkeys([value + 1, *middle]))
            return
        low = max([1, *(axes[other] for other in _lower(name) if type(axes.get(other)) is int)])
        larger = [value + 1, value * 2 if value else 3, *([value * 4] if 0 < value < 1_000 else [])]
        if 0 < value < 100 and _SIZES.search(name):
            larger.append(value * 10)
        smaller = [value // 2, value // 4, value // 20, 5, 3] if value > 3 and not _MINOR_AXES.search(name) else []
        for one in dict.fromkeys([*larger, *(one for one in smaller if max(3, low) <= one < value)]):
            yield one, one / max(1, value)
    elif isinstance(value, float):
        both = (value / 2, (1 + value) / 2) if 0 <= value <= 1 else (value * 2, value / 2)
        yield from ((one, 1) for one in both)
    elif isinstance(value, list | tuple) and _is_range(name, value):
        yield [value[0], value[1] + 1], 1.1
        yield [value[0] * 2, value[1] * 2], 2
        if value[1] > value[0] + 3:
            yield [value[0], (value[0] + value[1]) // 2], 0.5


def _never_taken(trial: Trial, given: dict[str, Any], axes: dict[str, Any]) -> None:
    """Tell that a parameter cannot even be given the value that it has where it is not given."""
    name = next(iter(given))
    if isinstance(axes[name], list) or any(finding.code == "foreign.axis_crash" for finding in trial.result.findings):
        return
    own = _made(trial, {name: axes[name]})
    if own.get("at") == "construct" and not own.get("refused"):
        change, problem = f"{name}={axes[name]}", str(own["problem"])
        message = f"with {shown(change, 60)}, its usual value, the task cannot be set up: {shown(problem, 120)}"
        trial.find("foreign.axis_crash", message, 0, change, problem)


def _fairly_low(given: dict[str, Any], factor: float) -> bool:
    """Whether a user may ask for so little: no lower limit, and not next to nothing."""
    whole = all(type(value) is int and value >= LOW for value in given.values())
    return not any(_is_least(name) for name in given) and (factor >= EASY or whole)


_LIMITS = (("min", "max"), ("low", "high"), ("lower", "upper"))


def _lower(name: str) -> list[str]:
    return [name.replace(high, low) for low, high in _LIMITS if high in name]


def _upper(name: str) -> list[str]:
    return [name.replace(low, high) for low, high in _LIMITS if low in name]


def _is_range(name: str, value: Any) -> bool:
    numbers = len(value) == 2 and all(type(item) is int for item in value)
    return numbers and value[0] < value[1] and re.search("range|bound|limit|interval|span", name) is not None


def _is_least(name: str) -> bool:
    return name.startswith(_LEAST) or name.endswith(_LEAST)


def _paired(name: str, value: Any, axes: dict[str, Any]) -> dict[str, Any]:
    """The change, and with a raised lower limit its upper one."""
    given = {name: value}
    if isinstance(value, int) and not isinstance(value, bool):
        given |= {other: value for other in _upper(name) if isinstance(axes.get(other), int) and axes[other] < value}
    return given


def _made(trial: Trial, params: dict[str, Any]) -> dict[str, Any]:
    if trial.over():
        return {"problem": "not asked", "at": "unknown", "refused": False}
    seen = trial.first.deeper("sweep", trial.name, seed=trial.plan.seed, params=params, count=CASES)
    return seen if isinstance(seen, dict) else {"problem": "the process died", "at": "unknown", "refused": False}


def _broken(trial: Trial, given: dict[str, Any], seen: dict[str, Any], axes: dict[str, Any], factor: float) -> None:
    """Tell that a change breaks the generator; by how much one may rely on that, so it weighs.

    A crash of one parameter alone that is none where all of them change with it weighs less, and so does one at
    ten times its value.
    """
    problem, hangs = str(seen.get("problem", "")), seen.get("at") == "time"
    if "digests" in seen or seen.get("at") == "unknown" or missing(problem):
        return
    if seen.get("at") == "construct" and (seen.get("refused") or problem.startswith("TypeError")):
        if not seen.get("refused"):
            _never_taken(trial, given, axes)
        return  # the task says no, or the parameter wants another type than its default shows
    code = "foreign.axis_crash"
    if hangs:
        code = "foreign.axis_hang" if seen.get("made") == 0 and 1 <= factor <= 2 else "foreign.axis_slow"
    elif factor > 4 or factor < EASIEST or (factor < 1 and not _fairly_low(given, factor)):
        code = "foreign.axis_low_crash" if factor < 1 else "foreign.axis_alone_crash"
    elif len(given) == 1 and factor > 1.1 and any(_is_least(name) for name in given):
        together = _scaled(axes, factor) | given
        if len(together) > 1 and "digests" in _made(trial, together):
            code = "foreign.axis_alone_crash"
    if all(finding.code != code for finding in trial.result.findings):
        change = ", ".join(f"{name}={value}" for name, value in given.items())
        what = "hangs" if hangs else "crashes"
        trial.find(code, f"with {shown(change, 90)} the generator {what}: {shown(problem, 120)}", 0, change, problem)
