"""One-line rules: a field of the instance, its length or sum, two fields combined. Does one of them earn the score?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

from sandbox.audit.foreign.guest_layouts import ANSWERS
from sandbox.audit.foreign.trial import Trial
from sandbox.checks.observed import shown

SCREEN, MOST_CASES, MOST_FIELDS, MOST_ROOM, MOST_PARTS = 8, 120, 8, 2_000, 4
MOST_COUNTED = 400
Rule = Callable[[dict[str, Any]], Any]


def rules(payload: dict[str, Any], told: frozenset[str]) -> Iterator[tuple[str, Rule]]:
    """(what it is in words, the rule) for those fields of one instance that its prompt tells."""
    names = [name for name in payload if name in told and not ANSWERS.search(str(name))][:MOST_FIELDS]
    whole = [name for name in names if type(payload[name]) is int]
    for name in names:
        value = payload[name]
        if isinstance(value, int | float | str):
            yield f"{name} itself", _field(name, lambda one: one)
        if type(value) is int:
            yield f"{name}-1", _field(name, lambda one: one - 1)
            yield f"{name}+1", _field(name, lambda one: one + 1)
            yield f"{name}//2", _field(name, lambda one: one // 2)
            yield f"2*{name}", _field(name, lambda one: 2 * one)
        if isinstance(value, list | str):
            yield f"length of {name}", _field(name, len)
        if isinstance(value, list):
            yield f"1 to the length of {name}, in order", _field(name, lambda one: _counted(len(one)))
        if type(value) is int:
            yield f"1 to {name}, in order", _field(name, _counted)
        if isinstance(value, list) and value and all(type(item) is int for item in value):
            for word, rule in (("sum", sum), ("largest", max), ("smallest", min)):
                yield f"{word} of {name}", _field(name, rule)
            yield f"{name} as it stands", _field(name, lambda one: " ".join(map(str, one)))
            yield f"{name} sorted", _field(name, lambda one: " ".join(map(str, sorted(one))))
    for place, first in enumerate(whole):
        for second in whole[place + 1 :]:
            for word, combine in (("+", int.__add__), ("*", int.__mul__), ("max", max), ("min", min)):
                yield f"{first} {word} {second}", _both(first, second, combine)
            yield f"{first} + {second} + 1", _both(first, second, lambda one, other: one + other + 1)
            yield f"{first} + {second} - 1", _both(first, second, lambda one, other: one + other - 1)
            yield f"|{first} - {second}|", _both(first, second, lambda one, other: abs(one - other))


def _counted(end: int) -> str:
    if not 1 < end <= MOST_COUNTED:
        raise ValueError
    return " ".join(map(str, range(1, end + 1)))


def _field(name: str, rule: Callable[[Any], Any]) -> Rule:
    return lambda payload: rule(payload[name])


def _always(constant: str) -> Rule:
    return lambda payload: constant


def _both(first: str, second: str, rule: Callable[[Any, Any], Any]) -> Rule:
    return lambda payload: rule(payload[first], payload[second])


def try_rules(trial: Trial) -> None:
    """Every rule on a few cases; those that earn there on many."""
    numbers = [n for n, item in enumerate(trial.made) if item and isinstance(item["payload"], dict)][:MOST_CASES]
    if len(numbers) < SCREEN:
        return
    made = list(rules(trial.made[numbers[0]]["payload"], trial.told))
    asked, owners = [], []
    for told, rule in made:
        for number in numbers[:SCREEN]:
            text = _applied(rule, trial.made[number]["payload"])
            if text is not None:
                asked.append((number, trial.put(text)))
                owners.append(told)
    earned: dict[str, float] = {}
    for told, item in zip(owners, trial.ask(asked), strict=True):
        earned[told] = earned.get(told, 0.0) + (item.value or 0.0)
    best = (0.0, "", 0, "")
    for told, rule in sorted(made, key=lambda pair: -earned.get(pair[0], 0.0))[:4]:
        if earned.get(told, 0.0) < 0.6 * SCREEN:
            continue
        texts = [(n, text) for n in numbers for text in [_applied(rule, trial.made[n]["payload"])] if text is not None]
        scored = trial.ask([(n, trial.put(text)) for n, text in texts])
        mean = sum(item.value or 0.0 for item in scored) / len(texts)
        best = max(best, (mean, told, texts[0][0], trial.put(texts[0][1])))
    mean, told, number, response = best
    if not told:
        return
    trial.result.figures["rule"] = {"rule": told, "mean": round(mean, 4), "n": len(numbers)}
    constant: Any = trial.result.figures.get("floor")
    if mean < trial.policy.threshold("floor_high") or (isinstance(constant, dict) and constant["mean"] >= mean):
        return
    exact = mean >= 0.999 and not told.endswith(("itself", "as it stands", "in order"))
    code = "foreign.rule_solves" if exact else "foreign.rule_wins"
    trial.find(
        code, f"the rule “{shown(told, 60)}” scores {mean:.2f} on average (n = {len(numbers)})", number, response
    )


def try_parts(trial: Trial) -> None:
    """Where right answers have a few parts: the best rule or constant for each part, put together."""
    known = [(n, text.split()) for n, text in trial.right.items() if isinstance(trial.made[n].get("payload"), dict)]
    if len(trial.right) < 0.8 * sum(bool(item) for item in trial.made):
        return  # what is known to be right may be all of one kind
    sizes = Counter(len(parts) for _, parts in known)
    size, times = sizes.most_common(1)[0] if sizes else (0, 0)
    if not 2 <= size <= MOST_PARTS or times < max(SCREEN, 0.8 * len(known)):
        return
    cases = [(n, parts) for n, parts in known if len(parts) == size][:MOST_CASES]
    made = list(rules(trial.made[cases[0][0]]["payload"], trial.told))
    chosen: list[tuple[str, Rule]] = []
    for place in range(size):
        constant, hits = Counter(parts[place] for _, parts in cases).most_common(1)[0]
        best: tuple[float, str, Rule] = (hits, f"always {constant}", _always(constant))
        for told, rule in made:
            hit = sum(_applied(rule, trial.made[n]["payload"]) == parts[place] for n, parts in cases)
            if hit > best[0]:
                best = (hit, told, rule)
        chosen.append((best[1], best[2]))
    texts = [(n, " ".join(str(_applied(rule, trial.made[n]["payload"])) for _, rule in chosen)) for n, _ in cases]
    scored = trial.ask([(n, trial.put(text)) for n, text in texts])
    mean = sum(item.value or 0.0 for item in scored) / len(scored)
    if mean >= trial.policy.threshold("floor_high"):
        told = ", ".join(name for name, _ in chosen)
        number, text = next(pair for pair, item in zip(texts, scored, strict=True) if item.value)
        message = f"the rule “{shown(told, 80)}” scores {mean:.2f} on average (n = {len(scored)})"
        trial.find("foreign.rule_wins", message, number, trial.put(text))


def _applied(rule: Rule, payload: Any) -> str | None:
    try:
        text = str(rule(payload))
    except (KeyError, TypeError, ValueError, OverflowError):
        return None
    return text if len(text) <= MOST_ROOM else None
