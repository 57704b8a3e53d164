"""The responses that a foreign task is tried with, and what is made of their scores."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

from bootcamp_kit.jsondata import Json
from sandbox.audit.foreign.asking import ENDED, GIVEN_UP, Answered
from sandbox.audit.foreign.guest_layouts import ANSWERS
from sandbox.audit.foreign.texts import (
    CONSTANTS,
    MARK,
    MARKED,
    NONSENSE,
    NUMBER_MARK,
    NUMBER_MARKED,
    ODD,
    changed,
    common,
    forms_of,
    from_prompts,
    seen,
    wrong_for,
)
from sandbox.audit.foreign.trial import Trial
from sandbox.audit.statistics import rate
from sandbox.checks.bounds import lower_bound
from sandbox.checks.mutants import ORDER_KINDS
from sandbox.checks.observed import shown

_NONSENSE = frozenset({"nan", "inf", "1e309", "foreign_word", "empty", "no_choice"})
_SCALARS = ("integer", "decimal")
_SHAPELESS = frozenset({"foreign_symbol", "first_foreign", "empty", "key_dropped"})
_WAYS_OF_WRITING = frozenset(
    {*ORDER_KINDS, "mirrored", "transposed", "ragged", "wider", "last_repeated", "first_repeated"}
)
MANY_KINDS, ENOUGH, TOLERANCE = 3, 5, 1e-4
ECHO = "the prompt pasted back"
MAX_CONSTANT_CASES, SCREEN, MAX_ECHO = 160, 10, 20_000
PACES = ((0.05, 200, SCREEN, MAX_CONSTANT_CASES), (0.3, 40, 6, 60), (math.inf, 16, 4, 20))
"""For what ten scores cost at most: constants, cases each is tried on first, cases in all."""
SHARED, KIND_SCREEN, MOST_KINDS, MOST_FIELDS = 6, 5, 6, 12


def try_constants(trial: Trial) -> None:
    """Every response on a few cases; those that earn, and the answers of other cases, on all of them."""
    if trial.over():
        trial.skip("constants", GIVEN_UP)
        return
    numbers = [n for n, item in enumerate(trial.made) if item][:MAX_CONSTANT_CASES]
    questions = [str(trial.made[n]["question"]) for n in numbers]
    named = from_prompts(questions[:SHARED], [trial.form, *forms_of(questions)])
    texts = [
        trial.put(text) for text in dict.fromkeys([*named, *CONSTANTS, *common(trial.right), *common(trial.truth)])
    ]
    before = trial.first.spent
    trial.ask([(n, texts[0]) for n in numbers[:SCREEN]])
    cost = trial.first.spent - before
    few, screened, most = next(row[1:] for row in PACES if cost <= row[0])
    texts, numbers = texts[:few], numbers[:most]
    screen, rest = numbers[:screened], numbers[screened:]
    means = _means(trial, texts, screen)
    leading = sorted(
        (text for text in texts if means[text] >= 0.2), key=lambda text: (-means[text], texts.index(text))
    )[:6]
    best = (0.0, "", len(screen))
    for text in leading:
        scored = [item for item in trial.ask([(n, text) for n in rest]) if item.problem != GIVEN_UP]
        values = [item.value or 0.0 for item in scored] or [means[text]]
        best = max(best, (sum(values) / len(values), text, len(scored) or len(screen)))
    echo = _echo(trial, numbers, best[0])
    if echo[2]:
        best = max(best, echo)
    mean, text, n = best
    short = [n for n in numbers if trial.made[n]["length"] <= MAX_ECHO]
    witness = (short[-1], str(trial.made[short[-1]]["question"])) if text == ECHO else (numbers[-1], text)
    trial.result.figures["floor"] = {"response": text[:80], "mean": round(mean, 4), "n": n, "tried": len(texts) + 1}
    message = f"the response {shown(text, 60)!r} on every case scores {mean:.2f} on average (n = {n})"
    if mean >= trial.policy.threshold("floor_wins"):
        trial.find("foreign.constant_wins", message, *witness, f"mean {mean:.3f}")
    elif mean >= trial.policy.threshold("floor_high") and n >= SCREEN:
        trial.find("foreign.constant_high", message, *witness, f"mean {mean:.3f}")
    else:
        if lower_bound(int(mean * n), n) > trial.policy.threshold("floor_odd"):
            trial.find("foreign.constant_odd", message, *witness, f"mean {mean:.3f}")
        by_kind(trial, numbers, texts, mean)


def _means(trial: Trial, texts: Sequence[str], numbers: Sequence[int]) -> dict[str, float]:
    """What each response earns on average; whole prompts stand for themselves as ``ECHO``."""
    asked = [(n, str(trial.made[n]["question"]) if text == ECHO else text) for text in texts for n in numbers]
    scored = [item.value or 0.0 for item in trial.ask(asked)]
    size = len(numbers)
    return {text: sum(scored[place * size : (place + 1) * size]) / size for place, text in enumerate(texts)}


def _echo(trial: Trial, numbers: list[int], constant: float) -> tuple[float, str, int]:
    """The prompt pasted back; where that earns more than any constant, the prompt holds the answer."""
    short = [n for n in numbers if trial.made[n]["length"] <= MAX_ECHO]
    asked = [(n, str(trial.made[n]["question"])) for n in short]
    scored = [(pair, item) for pair, item in zip(asked, trial.ask(asked), strict=True) if item.problem != GIVEN_UP]
    asked, values = [pair for pair, _ in scored], [item.value or 0.0 for _, item in scored]
    if not values:
        return 0.0, ECHO, 0
    mean = sum(values) / len(values)
    surely = lower_bound(int(sum(values)), len(values)) > trial.policy.threshold("echo_floor")
    if surely and constant + 0.2 < mean < trial.policy.threshold("floor_high"):
        message = f"{ECHO} scores {mean:.2f} on average (n = {len(values)}), far more than any constant"
        number, text = next(pair for pair, value in zip(asked, values, strict=True) if value)
        trial.find("foreign.answer_in_prompt", message, number, text, f"mean {mean:.3f}")
    return mean, ECHO, len(values)


def by_kind(trial: Trial, numbers: list[int], texts: list[str], floor: float) -> None:
    """One response for each kind of case, where a word or a flag of the instance says which kind it is."""
    short = [n for n in numbers if trial.made[n]["length"] <= MAX_ECHO]
    for field, groups in _kinds(trial, short):
        chosen: list[str] = []
        total, tried = 0.0, 0
        for group in groups:
            means = _means(trial, [*texts, ECHO], group[:KIND_SCREEN])
            best = max(means, key=lambda text: means[text])
            rest = group[KIND_SCREEN:]
            total += _means(trial, [best], rest)[best] * len(group)
            tried += len(group)
            chosen.append(best)
        mean = total / tried
        if mean >= trial.policy.threshold("floor_high") and mean >= floor + 0.1:
            message = (
                f"one response for each value of “{shown(field, 30)}” scores {mean:.2f} on average (n = {tried}): "
            )
            told = ", ".join(f"{shown(text, 20)!r}" for text in chosen[:4])
            number = groups[0][0]
            response = str(trial.made[number]["question"]) if chosen[0] == ECHO else chosen[0]
            trial.find("foreign.rule_wins", message + told, number, response, f"mean {mean:.3f}")
            return


def _kinds(trial: Trial, numbers: list[int]) -> list[tuple[str, list[list[int]]]]:
    """Fields with two to six words or flags, and the numbers of their cases."""
    found = []
    payloads = {n: trial.made[n]["payload"] for n in numbers if isinstance(trial.made[n]["payload"], dict)}
    for field in list(next(iter(payloads.values()), {}))[:MOST_FIELDS]:
        if ANSWERS.search(str(field)):
            continue
        groups: dict[str, list[int]] = {}
        for n, payload in payloads.items():
            value = payload.get(field)
            if not isinstance(value, bool | str):
                groups = {}
                break
            groups.setdefault(str(value), []).append(n)
        if 2 <= len(groups) <= MOST_KINDS and all(len(group) > KIND_SCREEN for group in groups.values()):
            found.append((str(field), list(groups.values())))
    return found[:2]


def try_nonsense(trial: Trial) -> None:
    """Words that are nobody's answer, on many cases: a scorer that reads them as some default accepts them on a few."""
    numbers = [n for n, item in enumerate(trial.made) if item][:MAX_CONSTANT_CASES]
    for text in (*NONSENSE, trial.put(NONSENSE[0])):
        accepted = [
            n for n, item in zip(numbers, trial.ask([(n, text) for n in numbers]), strict=True) if item.value == 1.0
        ]
        if accepted and text.strip().casefold() not in str(trial.right.get(accepted[0], "")).casefold():
            message = f"{shown(text, 60)!r}, which is no answer, scores 1 on {len(accepted)} of {len(numbers)} cases"
            trial.find("foreign.nonsense_accepted", message, accepted[0], text, "score 1")
            return


def try_odd(trial: Trial) -> None:
    """Responses that a scorer may not expect: does it raise, hang or give what is no score?"""
    numbers = [n for n, item in enumerate(trial.made) if item][: trial.plan.odd_cases]
    texts = [*ODD, *(trial.put(text) for text in (*ODD, *CONSTANTS))]
    asked = [(n, text) for text in dict.fromkeys(texts) for n in numbers]
    kinds = trial.endings
    for (number, text), item in zip(asked, trial.ask(asked), strict=True):
        if item.value is None and item.problem != GIVEN_UP and not item.problem.startswith(ENDED):
            code = "foreign.score_crash"
            if "not finite" in item.problem or "not a number" in item.problem:
                code = "foreign.score_shape"
            kinds.setdefault(code, (number, text, item.problem))
        elif item.value is not None and not 0.0 <= item.value <= 1.0:
            kinds.setdefault("foreign.out_of_range", (number, text, f"score {item.value}"))


def try_marked(trial: Trial) -> None:
    """Responses with a word that no solver would write: does it reach ``eval``, ``exec`` or ``compile``?"""
    numbers = [n for n, item in enumerate(trial.made) if item][:3]
    for marked, mark, code in (
        (MARKED, MARK, "foreign.executes_text"),
        (NUMBER_MARKED, NUMBER_MARK, "foreign.evaluates_numbers"),
    ):
        for number in numbers:
            texts = _spliced(trial, marked, mark, [number])
            for (_, text), item in zip(texts, trial.ask(texts, [mark]), strict=True):
                if item.executed:
                    how = ", ".join(sorted({entry.partition(" ")[0] for entry in item.executed}))
                    trial.find(code, f"text of the response is given to {how}", number, text, how)
                    return


def _spliced(trial: Trial, texts: Sequence[str], mark: str, numbers: list[int]) -> list[tuple[int, str]]:
    """The marked texts alone, and the mark in the place of a part of the right answer."""
    asked = [(n, text) for n in numbers for text in texts]
    for n in numbers:
        right = trial.right.get(n, "")
        parts = list(dict.fromkeys(re.findall(r"[A-Za-z_]+|\d+", right)))[:6]
        asked += [(n, right.replace(part, mark, 1)) for part in parts]
        asked += [(n, f"{right} {mark}"), (n, f"{right}+{mark}")]
        asked += [(n, f"{numbers}+{mark}") for numbers in _numbers_told(trial.made[n].get("payload"))]
    return [(n, trial.put(text)) for n, text in asked]


def _numbers_told(payload: Any) -> list[str]:
    """The few numbers of a field, as a sum: scorers of sums compare the numbers before they evaluate."""
    values = list(payload.values()) if isinstance(payload, dict) else []
    found = [re.findall(r"\d+", str(value)) for value in values if isinstance(value, list | str)]
    return ["+".join(numbers) for numbers in found if 2 <= len(numbers) <= MANY_KINDS * 2][:MANY_KINDS]


def try_mutants(trial: Trial) -> None:
    """Typed changes of right answers; which of the accepted ones are surely wrong is decided narrowly."""
    chosen = list(trial.right.items())[: trial.plan.mutated]
    by_kind: dict[tuple[str, str], list[tuple[int, str, Answered]]] = {}
    asked = [(n, shape, kind, trial.put(new)) for n, text in chosen for shape, kind, new in changed(text)]
    for (n, shape, kind, text), item in zip(asked, trial.ask([(n, text) for n, _, _, text in asked]), strict=True):
        certain = "nonsense" if kind in _NONSENSE else "scalar" if shape in _SCALARS else "other"
        by_kind.setdefault((kind, certain), []).append((n, text, item))
    classes: dict[str, Json] = {}
    loose: list[tuple[str, int, str, Answered]] = []
    undecided: Counter[str] = Counter()
    for (kind, certain), tries in by_kind.items():
        accepted = [(n, text, item) for n, text, item in tries if item.value == 1.0]
        classes[kind] = [len(accepted), len(tries)]
        if not accepted:
            continue
        n, text, item = accepted[0]
        message = f"a right answer changed ({kind}) scores 1 on {len(accepted)} of {len(tries)} cases"
        if certain == "nonsense":
            trial.find("foreign.nonsense_accepted", message, n, text, seen(item))
        elif certain == "scalar" and (
            kind == "negated" or all(_rounds(trial.right[n], text) for n, text, _ in accepted)
        ):
            trial.find("foreign.loose_number", message, n, text, seen(item))
        elif (
            certain == "scalar"
            and len(tries) >= ENOUGH
            and len(accepted) >= max(2.0, trial.policy.threshold("scalar_accept") * len(tries))
        ) or (kind in _SHAPELESS and len(accepted) * 2 >= len(tries) >= 4 and not _only_more(trial, n, text)):
            trial.find("foreign.wrong_accepted", message, n, text, seen(item))
        else:
            undecided[kind] += len(accepted)
            if certain == "other" and kind not in _WAYS_OF_WRITING and len(accepted) >= 0.8 * len(tries) >= 4:
                loose.append((kind, n, text, item))
    trial.result.figures["accepted_of_by_class"] = classes
    if len(loose) >= MANY_KINDS:
        kind, n, text, item = loose[0]
        told = ", ".join(entry[0] for entry in loose[:4])
        trial.find(
            "foreign.hardly_checked",
            f"most right answers changed in {len(loose)} ways score 1: {told}",
            n,
            text,
            seen(item),
        )
    if undecided:
        kind, times = undecided.most_common(1)[0]
        trial.find(
            "foreign.undecided",
            f"{sum(undecided.values())} changed answers score 1 and may be right ({kind} {times} times)",
        )


def _rounds(right: str, response: str) -> bool:
    """Whether a response holds a number next to the right one, both with a point: rounded, or within a tolerance."""
    found = re.findall(r"-?\d+(?:\.\d+)?", response)
    try:
        near = max(1.0, TOLERANCE * abs(float(right)))
        return bool(found) and abs(float(found[-1]) - float(right)) < near and "." in found[-1]
    except ValueError:
        return False


def _only_more(trial: Trial, number: int, response: str) -> bool:
    """Whether a response is the right answer of several lines with more behind it, which many readers pass over."""
    right = trial.right[number].strip()
    return "\n" in right and trial.put(right)[: len(trial.put("")) // 2 + len(right)] in response


def try_hedges(trial: Trial) -> None:
    """The right answer and a wrong one in one response; a scorer that takes either order lets a solver hedge."""
    chosen = list(trial.right.items())[: trial.plan.mutated]
    taken = []
    for name, form in (("right or wrong", "{right} or {wrong}"), ("wrong or right", "{wrong} or {right}")):
        asked = [(n, trial.put(form.format(right=text, wrong=wrong_for(text)))) for n, text in chosen]
        full = [(pair, item) for pair, item in zip(asked, trial.ask(asked), strict=True) if item.value == 1.0]
        trial.result.figures[name] = [len(full), len(asked)]
        if full:
            taken.append((f"“{name}” scores 1 on {len(full)} of {len(asked)} cases", *full[0]))
    if taken:
        message, (n, text), item = taken[0]
        code = "foreign.hedge" if len(taken) == 2 else "foreign.one_of_two"
        trial.find(code, message, n, text, seen(item))


def try_white_space(trial: Trial) -> None:
    """White space around right answers."""
    chosen = list(trial.right.items())[: trial.plan.mutated]
    asked = [(n, trial.put(space.replace("§", text))) for n, text in chosen for space in (" §", "§\n", "§ ")]
    lost = [
        (pair, item) for pair, item in zip(asked, trial.ask(asked), strict=True) if item.value != 1.0 and item.known
    ]
    trial.result.figures["white_space_rejected"] = rate(len(lost), len(asked))
    if lost:
        (n, text), item = lost[0]
        trial.find(
            "foreign.white_space",
            f"white space around a right answer costs it, {len(lost)} of {len(asked)}",
            n,
            text,
            seen(item),
        )
