"""Conditions that all right answers keep: is an answer that breaks one accepted, or one that contradicts the right one?

A right answer and "impossible" for the same case, a list of another length than the instance prescribes, a number
twice in a permutation, another cost before the same plan: each is wrong without knowing the rules.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from sandbox.audit.foreign.asking import Answered
from sandbox.audit.foreign.texts import forms_of, from_prompts, seen
from sandbox.audit.foreign.trial import Trial
from sandbox.checks.observed import shown

MOST_CASES, LEAST, ENOUGH, MOST_REFUSALS = 60, 8, 4, 6
_REFUSALS = re.compile(
    r"-1|no|none|impossible|infeasible|unsatisfiable|unsolvable|cannot|no solutions?|not possible|no answer|"
    r"\u65e0\u89e3|\u4e0d\u53ef\u80fd",
    re.IGNORECASE,
)
"""Whole answers that say that there is none."""
_YES, _NO = re.compile(r"yes|true|possible", re.IGNORECASE), re.compile(r"no|false|impossible", re.IGNORECASE)
_SAYS_MINUS_ONE = re.compile(r"[-\u2212]\s?1\b")


def try_conditions(trial: Trial) -> None:
    """Both of two contradicting answers, and right answers changed so that they break a condition all of them keep."""
    _refused_too(trial)
    known = {n: text for n, text in trial.right.items() if trial.made[n]}
    known = dict(list(known.items())[:MOST_CASES])
    for what, change in _conditions(trial, known):
        asked = [(n, trial.put(new)) for n, text in known.items() for new in [change(text)] if new and new != text]
        asked = asked[: 2 * trial.plan.mutated]
        scored = trial.ask(asked)
        taken = [(pair, item) for pair, item in zip(asked, scored, strict=True) if item.value == 1.0]
        if len(taken) >= ENOUGH and len(taken) * 2 >= len(asked):
            _tell(trial, f"{what}: {len(taken)} of {len(asked)} right answers changed so score 1", taken[0])
            return


def _tell(trial: Trial, message: str, first: tuple[tuple[int, str], Answered]) -> None:
    (number, response), item = first
    trial.find("foreign.wrong_accepted", message, number, response, seen(item))


def _refused_too(trial: Trial) -> None:
    """Cases where an answer and "there is none" are both right, or yes and no."""
    questions = [str(item["question"]) for item in trial.made if item]
    named = from_prompts(questions[:6], [trial.form, *forms_of(questions)])
    words = [text for text in dict.fromkeys([*named, *trial.right.values()]) if _REFUSALS.fullmatch(text.strip())]
    if not any(_SAYS_MINUS_ONE.search(question) for question in questions[:1]):
        words = [text for text in words if text.strip() != "-1"]
    words = list(dict.fromkeys([*words[:MOST_REFUSALS], *_opposites(trial.right)]))
    asked: list[tuple[int, str]] = []
    for number, right in list(trial.right.items())[:MOST_CASES]:
        asked += [(number, trial.put(word)) for word in words if _contradict(right.strip(), word.strip())]
    scored = trial.ask(asked)
    taken = [(pair, item) for pair, item in zip(asked, scored, strict=True) if item.value == 1.0]
    if len(taken) >= 2:
        (number, response), item = taken[0]
        cases = len({pair[0] for pair, _ in taken})
        message = (
            f"{shown(response, 40)!r} scores 1 on {cases} cases whose right answer is another, "
            f"as {shown(trial.right[number], 40)!r}"
        )
        trial.find("foreign.both_accepted", message, number, response, seen(item))


def _opposites(right: Mapping[int, str]) -> list[str]:
    """Yes and no in the letters that right answers use."""
    firsts = {text.split()[0] for text in right.values() if text.split()}
    for yes, no in (("YES", "NO"), ("Yes", "No"), ("yes", "no"), ("True", "False"), ("true", "false")):
        if firsts & {yes, no}:
            return [yes, no]
    return []


def _contradict(right: str, word: str) -> bool:
    first = right.split()[0] if right else ""
    if _NO.fullmatch(word) and _YES.fullmatch(first):
        return True
    if _YES.fullmatch(word):
        return _NO.fullmatch(right) is not None
    return bool(right) and word.casefold() not in right.casefold() and not _REFUSALS.search(right.partition("\n")[0])


def _conditions(trial: Trial, known: Mapping[int, str]) -> Iterator[tuple[str, Callable[[str], str]]]:
    """(what is broken, the change) for each condition that all right answers of several parts keep."""
    several = {n: text for n, text in known.items() if len(text.split()) > 1}
    if len(several) < LEAST or len(several) < 0.8 * len(known):
        return
    words = {n: text.split() for n, text in several.items()}
    flat = all("\n" not in text.strip() for text in several.values())
    permuted = [parts for parts in words.values() if len(parts) > 2 and _is_permutation(parts)]
    if flat and len(permuted) == len(words):
        yield "a number twice in a permutation", lambda text: " ".join([*text.split()[:-1], text.split()[0]])
    if flat and _length_told(trial, words):
        yield "shorter than the instance prescribes", lambda text: " ".join(text.split()[:-1])
        yield "longer than the instance prescribes", lambda text: f"{text.strip()} {text.split()[-1]}"
    if not flat and all(_has_cost(text) for text in several.values()):
        yield "another cost before the same plan", _other_cost


def _is_permutation(parts: list[str]) -> bool:
    if not all(part.isdecimal() for part in parts):
        return False
    numbers = sorted(map(int, parts))
    return numbers in (list(range(len(parts))), list(range(1, len(parts) + 1)))


def _length_told(trial: Trial, words: Mapping[int, list[str]]) -> bool:
    """Whether one field of the instance says how many parts the right answer has, and not always the same."""
    sizes = {n: len(parts) for n, parts in words.items()}
    if len(set(sizes.values())) < 3:
        return False
    told: list[set[str]] = []
    for number, size in sizes.items():
        payload = trial.made[number].get("payload")
        fields: Mapping[str, Any] = payload if isinstance(payload, dict) else {}
        told.append({name for name, value in fields.items() if _size(value) == size and name in trial.told})
    return bool(set.intersection(*told))


def _size(value: Any) -> int:
    if isinstance(value, list | str):
        return len(value)
    return value if type(value) is int else -1


def _has_cost(text: str) -> bool:
    """A number alone in the first line that does not count what follows."""
    first, _, rest = text.strip().partition("\n")
    counts = {len(rest.split()), len(rest.strip().splitlines())}
    return first.strip().isdecimal() and bool(rest.strip()) and int(first) not in counts


def _other_cost(text: str) -> str:
    first, _, rest = text.strip().partition("\n")
    return f"{int(first) + 1}\n{rest}"
