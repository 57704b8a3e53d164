"""Answers that are too long or too poor where the best is asked for, or at most so many steps: are they accepted?

Two different values cannot both be the smallest. Nothing is assumed about the rules: one answer is right because the
scorer took it, another comes from the task's own reference code for an instance that differs in one field, or is the
first one made longer.
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Callable, Iterator

from sandbox.audit.foreign.asking import Answered
from sandbox.audit.foreign.texts import seen
from sandbox.audit.foreign.trial import Trial
from sandbox.audit.foreign.truth import written
from sandbox.checks.observed import shown

OTHERS_S, CASES, LEAST, MOST_STEPS, MOST_CHARACTERS = 1.0, 12, 3, 20_000, 18_000
_BEST = re.compile(
    r"minim|maxim|smallest|largest|fewest|shortest|longest|cheapest|optimal|\bleast\b|\bmost\b|"
    r"\u6700\u5c0f|\u6700\u5927|\u6700\u5c11|\u6700\u591a|\u6700\u4f18|\u6700\u77ed|\u6700\u957f",
    re.IGNORECASE,
)
_SEVERAL = re.compile(
    r"\bany\b|arbitrar|several|multiple|more than one|all of them|another|\bsome\b|valid|possible|"
    r"\u4efb\u610f|\u4efb\u4f55|\u4efb\u4e00|\u591a\u4e2a|\u591a\u79cd|\u4e0d\u552f\u4e00|\u5408\u6cd5|\u53ef\u884c",
    re.IGNORECASE,
)
"""Words that may allow several answers."""
_OUTPUT = re.compile(r"\n\s*Output\s*\n(.*?)\n\s*Examples?\b", re.DOTALL)
_STEPS = r"(?:operations?|moves?|steps?|actions?|turns?|flips?|swaps?|queries|commands?|sortings?)"
_SIGNS = r"(?:\u6b21|\u6b65|\u4e2a\u64cd\u4f5c|\u6761\u6307\u4ee4)"
_FEWEST = re.compile(
    rf"(?:minimum|minimal|fewest|smallest|least)(?: possible)?(?: number of)?(?: \w+)? {_STEPS}|"
    r"shortest (?:path|sequence|way)|"
    rf"\u6700\u5c11(?:\u7684)?(?:\u64cd\u4f5c|\u6b65|\u79fb\u52a8|\u6b21)|\u6700\u77ed(?:\u8def\u5f84|\u5e8f\u5217|\u64cd\u4f5c)",
    re.IGNORECASE,
)
_AT_MOST = re.compile(
    rf"(?:at most|no more than|not (?:exceed|more than)|within|up to)\D{{0,12}}?(\d[\d,]*) {_STEPS}|"
    rf"(?:\u4e0d\u8d85\u8fc7|\u6700\u591a|\u81f3\u591a|\u4e0d\u5f97\u8d85\u8fc7)\s*(\d[\d,]*)\s*{_SIGNS}",
    re.IGNORECASE,
)
_UNDONE = ("LR", "RL", "UD", "DU", "lr", "rl", "ud", "du", "NS", "SN", "EW", "WE")


def try_others(trial: Trial) -> None:
    """Answers to instances that differ in one field: is another best value, or a second only answer, accepted?"""
    reference = trial.result.figures.get("reference")
    numbers = [n for n in trial.right if trial.truth.get(n) and trial.made[n]][:CASES]
    differs = _how_to_differ(trial)
    if not isinstance(reference, dict) or "layout" not in reference or len(numbers) < LEAST or differs is None:
        return
    label, style = str(reference["layout"]), str(reference["style"])
    own = trial.ask([(n, trial.put(trial.truth[n])) for n in numbers])
    numbers = [n for n, item in zip(numbers, own, strict=True) if item.value == 1.0]
    told = trial.first.deeper(
        "others", trial.name, seed=trial.plan.seed, label=label, numbers=numbers, seconds=OTHERS_S
    )
    texts = [
        (int(number), text)
        for number, _, output in (told if isinstance(told, list) else [])
        for text in [written(str(output), style, trial.form)]
        if text and differs(text, trial.truth[number])
    ]
    asked = [(n, trial.put(text)) for n, text in texts]
    taken = [(pair, item) for pair, item in zip(asked, trial.ask(asked), strict=True) if item.value == 1.0]
    cases = len({pair[0] for pair, _ in taken})
    trial.result.figures["other_answers"] = [len(taken), len(asked)]
    if cases >= LEAST:
        (number, response), item = taken[0]
        right = shown(trial.truth[number], 40)
        what = "the best value is asked for" if differs is _other_value else "one answer alone is right"
        message = f"{what}, and two are accepted on {cases} of {len(numbers)} cases, as {right!r} and another"
        trial.find("foreign.not_best_accepted", message, number, response, seen(item))


def _how_to_differ(trial: Trial) -> Callable[[str, str], bool] | None:
    """What makes two answers contradict each other; None where several may be right and no best value is asked for."""
    text = trial.first.deeper("text", trial.name)
    output = _OUTPUT.search(str(text.get("document", ""))) if isinstance(text, dict) else None
    prompt = next((str(item["question"]) for item in trial.made if item), "")
    if output is None:
        return None
    if not _SEVERAL.search(output.group(1) + prompt):
        return _other_parts
    return _other_value if _BEST.search(output.group(1)) and _BEST.search(prompt) else None


def _other_value(text: str, right: str) -> bool:
    """Whether two answers of several lines begin with different numbers."""
    one, other = _value(text), _value(right)
    return one is not None and other is not None and one != other


def _other_parts(text: str, right: str) -> bool:
    """Whether two answers do not have the same parts, in whatever order; numbers that are near are the same."""
    one, other = sorted(text.casefold().split()), sorted(right.casefold().split())
    return len(one) != len(other) or any(not _same(a, b) for a, b in zip(one, other, strict=True))


def _same(one: str, other: str) -> bool:
    try:
        return math.isclose(float(one), float(other), rel_tol=1e-3, abs_tol=1e-3)
    except ValueError:
        return one == other


def _value(text: str) -> float | None:
    """The number alone in the first line of an answer of several lines."""
    first, _, rest = text.strip().partition("\n")
    try:
        return float(first) if rest.strip() else None
    except ValueError:
        return None


def try_longer(trial: Trial) -> None:
    """Right answers made longer where the fewest steps are asked for, or more than so many are not allowed."""
    questions = {n: str(trial.made[n]["question"]) for n in list(trial.right)[:CASES] if trial.made[n]}
    first = next(iter(questions.values()), "")
    if not questions or not (_FEWEST.search(first) or _AT_MOST.search(first)):
        return
    ways: dict[str, list[tuple[int, str, str]]] = defaultdict(list)
    for number, question in questions.items():
        found = _AT_MOST.search(question)
        limit = int((found.group(1) or found.group(2)).replace(",", "")) if found else 0
        if limit <= MOST_STEPS:
            for way, text, spoilt in longer(trial.right[number], limit):
                ways[way].append((number, text, spoilt))
    for way, tries in ways.items():
        scored = trial.ask([(n, trial.put(text)) for n, text, _ in tries])
        taken = [(one, item) for one, item in zip(tries, scored, strict=True) if item.value == 1.0]
        if len(taken) >= max(LEAST, len(tries) // 2):
            control = trial.ask([(one[0], trial.put(one[2])) for one, _ in taken])
            if all(item.value is not None and item.value < 1.0 for item in control):
                _tell(trial, way, len(taken), len(tries), taken[0], first)
                return


def _tell(
    trial: Trial, way: str, taken: int, tried: int, example: tuple[tuple[int, str, str], Answered], prompt: str
) -> None:
    (number, text, _), item = example
    found = _FEWEST.search(prompt) or _AT_MOST.search(prompt)
    what = shown(found.group(), 60) if found else ""
    message = f"the prompt says “{what}”, and {taken} of {tried} right answers made longer score 1: {way}"
    trial.find("foreign.not_best_accepted", message, number, trial.put(text), seen(item))


def longer(right: str, limit: int) -> Iterator[tuple[str, str, str]]:
    """(how, the right answer with more steps than before and than a limit, the same with steps that are none)."""
    lines = right.strip().split("\n")
    counted = len(lines) > 1 and lines[0].strip().isdecimal()
    body = lines[1:] if counted else lines
    if len(body) == 1:
        steps, joint = _steps(body[0])
    else:
        steps, joint = [line.strip() for line in body if line.strip()], "\n"
    if not steps or (counted and int(lines[0]) != len(steps)):
        return
    for way, more in _more(steps):
        times = max(1, (limit - len(steps)) // len(more) + 1)
        added = more * times
        if (len(steps) + len(added)) * (len(steps[0]) + 1) > MOST_CHARACTERS:
            continue
        head = f"{len(steps) + len(added)}\n" if counted else ""
        spoilt = [*steps, *(["@"] * len(added) if joint == "" else ["999999937"] * len(added))]
        yield way, head + joint.join([*steps, *added]), head + joint.join(spoilt)


def _steps(text: str) -> tuple[list[str], str]:
    """The steps of one line and what stands between them: blanks, commas, or nothing in a word of few letters."""
    if "," in text:
        return [part.strip() for part in text.split(",")], ", "
    if " " in text.strip():
        return text.split(), " "
    word = text.strip()
    return (list(word), "") if word.isalpha() and len(word) > 1 and len(set(word)) <= 6 else ([], "")


def _more(steps: list[str]) -> Iterator[tuple[str, list[str]]]:
    yield "the whole again", steps
    yield "the last step twice more", [steps[-1]] * 2
    yield "the last step again", [steps[-1]]
    for pair in _UNDONE:
        if set(pair) & set(steps):
            yield f"{pair} at the end", list(pair)
