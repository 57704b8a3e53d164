"""Right answers from the reference code that a task quotes: believed only where the task's own scorer mostly agrees.

How an instance is to be written down as input, and the output as a response, is not known. Many ways are tried. One
is believed when the scorer accepts what comes of it far more often than it accepts the output for another case; what
it then rejects is a right answer rejected, or a wrong stored answer.
"""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Iterator
from typing import Any

from sandbox.audit.foreign.texts import forms_of, seen
from sandbox.audit.foreign.trial import Trial
from sandbox.audit.statistics import rate

FIRST, TRIED, WAYS, OUTPUTS_S = 3, 24, 4, 2.0
PARTS = (0, 8, 40, 200)
"""Places between which layouts are asked for at once."""
BELIEVED = 0.6
"""Chance-corrected agreement from which a way of writing an instance down is believed."""
BELIEVED_WITHOUT_EXAMPLE = 0.85
"""The same where the code gets no example of its own statement right, as where any of several answers will do."""
CONTRADICTED, DEADLY, MOST_LINES, OUTRIGHT = 20, 6, 12, 30
SLOW_S, SLOWLY = 0.015, 8
"""Work for one score from which a scorer is slow, and is asked about so many cases only."""
IN_ORDER = 0.98
"""The share of an input's words in the prompt's order from which it surely is the instance that the prompt tells."""
BELIEVED_ALONE = 0.15
"""The same where it gets its examples right, and all inputs it reads that are built like them make it say the same."""
BELIEVED_ANY = 0.3
"""The same where any of several answers will do, so that a scorer that compares with its own rejects most of them."""
MOST_ASKED = 4_000
_ANY = re.compile(
    r"(?:print|output|find|choose) any\b|any of them|\u4efb\u610f\u4e00|\u4efb\u4e00|\u4efb\u610f\u89e3|"
    r"(?:multiple|several) (?:possible |correct |optimal |valid )?(?:answers|solutions)",
    re.IGNORECASE,
)
_ONE = re.compile(r"lexicograph|\u5b57\u5178\u5e8f", re.IGNORECASE)

Way = tuple[str, str, str]
"""Label of the layout, style of the output, form of the response."""


def styles(output: str, form: str = "") -> Iterator[tuple[str, str]]:
    """(style, text): how a program's output may be written as an answer; in a form also each line in its own."""
    tokens, lines = output.split(), [line.strip() for line in output.strip().splitlines() if line.strip()]
    rows = [line.split() for line in lines]
    yield "as printed", "\n".join(lines)
    yield "one line", " ".join(tokens)
    yield "list", "[" + ", ".join(_literal(token) for token in tokens) + "]"
    yield "rows", "[" + ", ".join("[" + ", ".join(map(_literal, row)) + "]" for row in rows) + "]"
    yield "commas", ", ".join(tokens)
    yield "lower", " ".join(tokens).lower()
    yield "upper", " ".join(tokens).upper()
    yield "title", " ".join(tokens).title()
    yield "lines", "\n".join(tokens)
    if len(lines) > 1:
        yield "first line", lines[0]
        yield "all but the first line", "\n".join(lines[1:])
        yield "list of all but the first line", "[" + ", ".join(map(_literal, " ".join(lines[1:]).split())) + "]"
    opening, _, closing = form.partition("§")
    if len(lines) > 1 and opening and closing:
        yield "each line in its own", f"{closing}\n{opening}".join(lines)


def _literal(token: str) -> str:
    return token if token.lstrip("-").replace(".", "", 1).isdecimal() else f'"{token}"'


def written(output: str, style: str, form: str = "") -> str:
    """An output in one style; "" where it has no such."""
    return dict(styles(output, form)).get(style, "")


def from_reference(trial: Trial) -> None:
    """Find right answers by the reference code, and report those that the scorer rejects."""
    about = trial.first.deeper("about_reference", trial.name)
    if not isinstance(about, dict) or not about.get("runs"):
        trial.skip("reference code", "the task quotes none that can be run here")
        return
    figures: dict[str, Any] = {"language": about["language"], "examples": [about["right"], about["examples"]]}
    trial.result.figures["reference"] = figures
    numbers = [number for number, item in enumerate(trial.made) if item]
    trial.slow = _is_slow(trial, numbers[:SLOWLY])
    best, agreement, alone = _best_way(trial, numbers[: SLOWLY if trial.slow else TRIED])
    sound = max(about["right"], about["begun"] if about["examples"] > 1 else 0) == min(4, about["examples"]) > 0
    if best is None:
        trial.skip("reference code", "no way to write the instances down gives what the scorer accepts")
        return
    figures["alone"] = alone > 0
    figures |= {"layout": best[0], "style": best[1], "form": best[2], "agreement": round(agreement, 3)}
    if alone and agreement < BELIEVED_ALONE and 2 * about["right"] >= max(1, about["examples"]):
        _contradicted(trial, best, numbers)
    if alone >= IN_ORDER and agreement < BELIEVED_ALONE and sound and _outright(trial, best, numbers, figures):
        return
    sure = BELIEVED if about["right"] else BELIEVED_WITHOUT_EXAMPLE
    if alone and about["right"] == min(4, about["examples"]):
        sure = BELIEVED_ALONE
    if _any_will_do(trial):
        sure = min(sure, BELIEVED_ALONE if alone else BELIEVED_ANY)
    if agreement < sure:
        trial.skip("reference code", f"agreement with the scorer beyond chance is {agreement:.2f} only")
        return
    _compare(trial, best, numbers, figures)


def _is_slow(trial: Trial, numbers: list[int]) -> bool:
    before = trial.first.spent
    trial.ask([(n, trial.put("1")) for n in numbers])
    return trial.first.spent - before > SLOW_S * len(numbers)


def _any_will_do(trial: Trial) -> bool:
    """Whether statement or prompt say that any of several answers is right, and neither which one."""
    text = trial.first.deeper("text", trial.name)
    statement = str(text.get("document", "")).partition("Here is a reference")[0] if isinstance(text, dict) else ""
    prompt = next((str(item["question"]) for item in trial.made if item), "")
    return _ANY.search(statement + prompt) is not None and not _ONE.search(statement + prompt)


def _best_way(trial: Trial, numbers: list[int]) -> tuple[Way | None, float, float]:
    """The way that the scorer agrees with most, how much, and how far the prompt shows its words in that order.

    The last is 0 where another way that is built like the statement's examples gives other outputs.
    """
    numbers = sorted(numbers, key=lambda n: -len(str(trial.made[n]["payload"])))  # small cases tell layouts apart badly
    found = _printed(trial, numbers[:FIRST])
    if not found:
        return None, 0.0, 0.0
    forms = list(dict.fromkeys([trial.form, *forms_of([str(trial.made[n]["question"]) for n in numbers])]))[:3]
    asked: list[tuple[int, str]] = []
    owners: list[Way] = []
    alike = [item for item in found if item[2]]
    closest = [item for item in alike if item[3] >= IN_ORDER]
    alike = closest if len(closest) == 1 else alike
    for label, outputs, *_ in found:
        for form in forms:
            for number, output in zip(numbers, outputs, strict=False):
                texts: set[str] = set()
                for style, text in styles(str(output or ""), form):
                    if text and text not in texts and len(asked) < MOST_ASKED:
                        texts.add(text)
                        asked.append((number, form.replace("§", text)))
                        owners.append((str(label), style, form))
    counts: dict[Way, int] = {}
    for owner, item in zip(owners, trial.ask(asked), strict=True):
        counts[owner] = counts.get(owner, 0) + (item.value == 1.0)
    leading = sorted((way for way in counts if counts[way]), key=lambda way: -counts[way])[:WAYS]
    best, agreement = None, -1.0
    for way in leading:
        this = _agreement(trial, way, numbers)
        if this > agreement:
            best, agreement = way, this
        if this >= 0.999:
            break
    if len(alike) == 1 and best is not None and best[0] != alike[0][0]:
        ways = [way for way in leading if way[0] == alike[0][0]]
        if ways:
            best = ways[0]
            agreement = _agreement(trial, best, numbers)
    if best is None and len(alike) == 1:
        return (str(alike[0][0]), "as printed", trial.form), 0.0, max(0.01, alike[0][3])
    alone = len(alike) == 1 and best is not None and best[0] == alike[0][0]
    return best, agreement, max(0.01, alike[0][3]) if alone else 0.0


def _printed(trial: Trial, numbers: list[int]) -> list[Any]:
    """What the layouts make the reference print, as [label, outputs, built like the examples, in order].

    Compiled code does not take every input: a layout that a process died of is left out the next time, and those
    that are known by then are kept.
    """
    found: dict[str, list[Any]] = {}
    without: list[int] = []
    parts = list(itertools.pairwise(PARTS))
    while parts and len(without) <= DEADLY:
        told = trial.first.deeper(
            "layouts", trial.name, seed=trial.plan.seed, numbers=numbers, start=parts[0][0], end=parts[0][1],
            without=without, seconds=OUTPUTS_S,
        )  # fmt: skip
        if not isinstance(told, list):
            if trial.first.died_in is None:
                break
            without.append(trial.first.died_in)
            continue
        for entry in told:
            known = found.setdefault(json.dumps(entry[1]), entry)
            if entry[2:] > known[2:]:
                found[json.dumps(entry[1])] = entry
        del parts[0]
    return list(found.values())


def _outputs(trial: Trial, label: str, numbers: list[int]) -> dict[int, str]:
    """What the reference prints for the cases, as far as that is quick; told once for each layout and range."""
    key = (label, len(numbers))
    if key not in trial.outputs:
        trial.outputs[key] = _asked_outputs(trial, label, numbers)
    return trial.outputs[key]


def _asked_outputs(trial: Trial, label: str, numbers: list[int]) -> dict[int, str]:
    found: dict[int, str] = {}
    for start in range(0, len(numbers), 40):
        part = numbers[start : start + 40]
        if trial.over() or (start and not found):
            break
        told = trial.first.deeper(
            "solve", trial.name, seed=trial.plan.seed, label=label, numbers=part, seconds=OUTPUTS_S
        )
        for number, item in zip(part, told if isinstance(told, list) else [], strict=False):
            if isinstance(item, list) and isinstance(item[0], str):
                (found if item[0].strip() else trial.silent.setdefault(label, {}))[number] = item[0]
    return found


def _agreement(trial: Trial, way: Way, numbers: list[int]) -> float:
    """Kappa: how often the scorer accepts the output for its own case, beyond how often that for the next one."""
    label, style, form = way
    outputs = _outputs(trial, label, numbers)
    if len(outputs) < max(6, len(numbers) // 2):
        return -1.0
    have = list(outputs)
    texts = [written(outputs[n], style, form) for n in have]
    own = [(n, form.replace("§", text)) for n, text in zip(have, texts, strict=True)]
    others = [(n, own[(place + 1) % len(own)][1]) for place, n in enumerate(have)]
    scored = trial.ask(own)
    trial.taken[way] = {n: text for (n, _), text, item in zip(own, texts, scored, strict=True) if item.value == 1.0}
    right = [item.value == 1.0 for item in scored if item.value is not None]
    chance = [item.value == 1.0 for item in trial.ask(others) if item.value is not None]
    if len(right) < 6 or not chance or sum(chance) >= 0.9 * len(chance):
        return 0.0
    by_chance = sum(chance) / len(chance)
    return (sum(right) / len(right) - by_chance) / (1 - by_chance)


def _compare(trial: Trial, way: Way, numbers: list[int], figures: dict[str, Any]) -> None:
    label, style, form = way
    outputs = _outputs(trial, label, numbers)
    texts = {n: written(output, style, form) for n, output in outputs.items()}
    scored = trial.ask([(n, form.replace("§", text)) for n, text in texts.items()])
    accepted = {n: text for (n, text), item in zip(texts.items(), scored, strict=True) if item.value == 1.0}
    lost = {
        n: (form.replace("§", text), item)
        for (n, text), item in zip(texts.items(), scored, strict=True)
        if item.value is not None and item.value != 1.0 and not _accepted_otherwise(trial, n, outputs[n], form)
    }
    figures["rejected"] = rate(len(lost), len(texts))
    if not trial.right:
        trial.right, trial.form = accepted or trial.taken.get(way, {}), form  # the latter where the time was over
    trial.truth, trial.blank = dict(texts), list(trial.silent.get(label, ()))
    if not lost and len(texts) >= TRIED:  # every right answer is taken: what was stored is not what is asked for
        kept = [item for item in trial.result.findings if item.code != "foreign.answer_sometimes_not_one"]
        trial.result.findings[:] = kept
    if lost:
        number, (text, item) = next(iter(lost.items()))
        message = f"what the task's own reference code prints is rejected on {len(lost)} of {len(texts)} cases"
        trial.find("foreign.reference_rejected", message, number, text, seen(item))


def _outright(trial: Trial, way: Way, numbers: list[int], figures: dict[str, Any]) -> bool:
    """Whether outputs of few lines, of a code that gets its examples right, are accepted always or hardly ever.

    Always: agreement beyond chance shows nothing where all cases have the same answer. Hardly ever: the input holds
    the words of the prompt in its order and is built like the examples, so the scorer is wrong, or asks for something
    else than the statement.
    """
    label, _, form = way
    outputs = {n: text for n, text in _outputs(trial, label, numbers).items() if len(text.split("\n")) <= MOST_LINES}
    if len(outputs) < CONTRADICTED or len(outputs) < 0.9 * len(_outputs(trial, label, numbers)):
        return False
    outputs = dict(list(outputs.items())[: SLOWLY + 2 if trial.slow else OUTRIGHT])
    best, taken, lost = "as printed", 0, next(iter(outputs))
    tried: set[tuple[str, ...]] = set()
    for style in ("as printed", "one line", "list", "commas", "lower", "upper", "title"):
        asked = [(n, form.replace("§", written(text, style))) for n, text in outputs.items()]
        texts_now = tuple(text for _, text in asked)
        if texts_now in tried:
            continue
        tried.add(texts_now)
        scored = trial.ask(asked)
        if any(not item.known for item in scored):
            return False
        full = sum(item.value == 1.0 for item in scored)
        first = next((n for n, item in zip(outputs, scored, strict=True) if item.value != 1.0), lost)
        best, taken, lost = (style, full, first) if full > taken else (best, taken, lost)
    figures |= {"outright": [taken, len(outputs)], "style": best}
    texts = {n: written(text, best) for n, text in outputs.items()}
    if taken >= 0.95 * len(outputs):
        trial.truth = texts
        if not trial.right:
            trial.form = form
            trial.right = dict(texts)
        return False
    if taken > 0.2 * len(outputs):
        _compare(trial, (label, best, form), numbers, figures)
        return True
    text = texts[lost]
    message = f"what the task's own reference code prints is rejected on {len(outputs) - taken} of {len(outputs)} cases"
    trial.find(
        "foreign.reference_rejected",
        message,
        lost,
        form.replace("§", text),
        seen(trial.ask([(lost, form.replace("§", text))])[0]),
    )
    figures["rejected"] = rate(len(outputs) - taken, len(outputs))
    return True


def _contradicted(trial: Trial, way: Way, numbers: list[int]) -> None:
    """Stored answers that are numbers, built like what the reference prints, and hardly ever the same."""
    if "stored_answer" not in trial.result.figures:
        return
    outputs = _outputs(trial, way[0], numbers)
    both = [(n, outputs[n].split(), trial.right[n].split()) for n in outputs if n in trial.right]
    alike = [(n, told, kept) for n, told, kept in both if len(told) == len(kept) and all(map(_is_number, told + kept))]
    differ = [item for item in alike if any(not _near(a, b) for a, b in zip(item[1], item[2], strict=True))]
    if len(alike) < CONTRADICTED or len(alike) < 0.9 * len(both) or len(differ) < 0.5 * len(alike):
        return
    number, told, kept = differ[0]
    message = (
        f"on {len(differ)} of {len(alike)} cases the stored answer is another than the reference code's: "
        f"{' '.join(kept)[:40]!r}, not {' '.join(told)[:40]!r}"
    )
    trial.find("foreign.reference_contradicts", message, number, trial.put(" ".join(told)), "score below 1")


def _is_number(text: str) -> bool:
    return text.lstrip("-").replace(".", "", 1).isdecimal()


def _near(one: str, other: str) -> bool:
    return abs(float(one) - float(other)) <= 1e-4 * max(1.0, abs(float(one)))


def _accepted_otherwise(trial: Trial, number: int, output: str, form: str) -> bool:
    return any(
        item.value == 1.0 for item in trial.ask([(number, form.replace("§", text)) for _, text in styles(output, form)])
    )
