"""Right answers that are put together from several fields, as the prompt's own example shows; and what they reveal.

Two cases with the same prompt and different right answers leave the solver nothing to decide by. Answers that are
right before an instance became JSON data, and wrong after, are lost on every trainer that keeps its data in files.
"""

from __future__ import annotations

import itertools
import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import Any

from bootcamp_kit.jsondata import Json
from sandbox.audit.foreign.guest_layouts import ANSWERS
from sandbox.audit.foreign.texts import forms_of, from_prompts, seen
from sandbox.audit.foreign.trial import Trial
from sandbox.audit.foreign.truth import from_reference

_PIECE = re.compile(r"[A-Za-z]+|-?\d+(?:\.\d+)?|[\u4e00-\u9fff]+")
_STANDS_FOR = re.compile(r"值|数值|结果|答案|整数|value|number|integer|answer|result|[nxyk]", re.IGNORECASE)
MOST_TEMPLATES, MOST_WAYS, MOST_PIECES, SCREEN, LEAST = 8, 60, 6, 6, 8

Place = tuple[str, ...]


def stored_in_parts(trial: Trial) -> None:
    """Look for right answers in the shape of the prompts' examples; kept where the scorer takes most of them."""
    left = [n for n, item in enumerate(trial.made) if item and n not in trial.right]
    if len(left) * 5 < len(trial.made):
        return
    questions = [str(trial.made[n]["question"]) for n in left]
    forms = [form for form in forms_of(questions) if form != "§" and (not trial.right or form == trial.form)]
    templates = list(dict.fromkeys(text for q in questions[:12] for text in from_prompts([q], forms)[:2]))
    for form, template in itertools.product(forms[:1], templates[:MOST_TEMPLATES]):
        pieces = _PIECE.findall(template)
        if not 1 <= len(pieces) <= MOST_PIECES:
            continue
        for way in itertools.islice(_ways(trial, template, left), MOST_WAYS):
            right = _accepted(trial, form, template, way, left)
            if right:
                trial.form, trial.right = form, trial.right | right
                told: list[Json] = [".".join(place) if place else "" for place in way]
                figures: dict[str, Json] = {"template": template[:60], "parts": told, "right": len(right)}
                trial.result.figures["stored_in_parts"] = figures
                return


def _ways(trial: Trial, template: str, left: list[int]) -> Iterator[tuple[Place | None, ...]]:
    """For each piece of an example the field that may stand there, or None for the piece itself."""
    known: dict[Place, set[str]] = defaultdict(set)
    for number in left[:60]:
        for place, value in _scalars(trial.made[number].get("payload")):
            known[place].add(str(value))
    places = sorted(known, key=lambda place: not ANSWERS.search(place[0]))[:16]
    options: list[list[Place | None]] = []
    for found in _PIECE.finditer(template):
        piece = found.group()
        if template[found.end() :].lstrip().startswith("="):  # the name of what follows
            options.append([None])
            continue
        fits = [place for place in places if piece in known[place]]
        stored = [place for place in places if ANSWERS.search(place[0]) and place not in fits]
        if piece.lstrip("-").isdecimal() or _STANDS_FOR.fullmatch(piece):
            fits += [place for place in stored if all(re.fullmatch(r"-?[\d.]+", value) for value in known[place])]
        options.append([*fits[:4], None])
    for way in itertools.product(*options):
        used = [place for place in way if place]
        if used and len(set(used)) == len(used):
            yield way


def _scalars(payload: Any) -> Iterator[tuple[Place, Any]]:
    for name, value in payload.items() if isinstance(payload, dict) else ():
        if isinstance(value, int | float | str) and not isinstance(value, bool):
            yield (str(name),), value
        elif isinstance(value, list) and len(value) <= 3:
            for place, inner in enumerate(value):
                if isinstance(inner, int | float | str):
                    yield (str(name), str(place)), inner


def _accepted(trial: Trial, form: str, template: str, way: tuple[Place | None, ...], left: list[int]) -> dict[int, str]:
    """The answers so made, of the cases that have these fields, if the scorer takes most of them and not any."""
    texts = {}
    for number in left:
        fields = {place: str(value) for place, value in _scalars(trial.made[number].get("payload"))}
        if all(place is None or place in fields for place in way):
            parts = iter([None if place is None else fields[place] for place in way])
            if fields:
                texts[number] = _PIECE.sub(lambda found, parts=parts: next(parts) or found.group(), template)  # type: ignore[misc]
    if len(texts) < LEAST or len(set(texts.values())) < 2:
        return {}
    whole = [(n, form.replace("§", text)) for n, text in texts.items()]
    if sum(item.value == 1.0 for item in trial.ask(whole[:SCREEN])) * 2 <= len(whole[:SCREEN]):
        return {}
    scored = trial.ask(whole)
    right = {n: texts[n] for (n, _), item in zip(whole, scored, strict=True) if item.value == 1.0}
    return right if len(right) * 2 > len(texts) else {}


def same_prompts(trial: Trial) -> None:
    """Whether the right answer of one case is rejected in another that has the same prompt."""
    groups: dict[str, list[int]] = defaultdict(list)
    for number in trial.right:
        groups[str(trial.made[number]["question"])].append(number)
    pairs = [
        (one, other)
        for numbers in groups.values()
        for one, other in itertools.pairwise(numbers)
        if trial.right[one] != trial.right[other]
    ][:20]
    asked = [(other, trial.put(trial.right[one])) for one, other in pairs]
    lost = [(pair, item) for pair, item in zip(asked, trial.ask(asked), strict=True) if item.value is not None]
    lost = [(pair, item) for pair, item in lost if item.value != 1.0]
    if len(lost) >= 2:
        (number, text), item = lost[0]
        message = (
            f"the right answer of one case is rejected in another with the same prompt ({len(lost)} of {len(pairs)})"
        )
        trial.find("foreign.same_prompt", message, number, text, seen(item))


def round_trip(trial: Trial, search: Callable[[], None]) -> None:
    """Where no right answers are known after a JSON round trip: are some known before it?

    Args:
        trial: The task; the right answers found are not kept.
        search: Looks for stored answers that are one field.
    """
    changed = [n for n, item in enumerate(trial.made) if item and item.get("round_trip") and n not in trial.right]
    if len(changed) < LEAST:
        return
    kept = dict(trial.right), trial.form, dict(trial.result.figures), list(trial.result.findings), dict(trial.truth)
    skipped = list(trial.result.skipped)
    trial.raw = True
    if not trial.right:
        search()
    if not trial.right or trial.right == kept[0]:
        stored_in_parts(trial)
    if not trial.right:
        from_reference(trial)
    trial.raw = False
    asked = [(n, trial.put(trial.right[n])) for n in changed if n in trial.right]
    after = [(pair, item) for pair, item in zip(asked, trial.ask(asked), strict=True) if item.known]
    trial.right, trial.form, trial.result.figures, trial.result.findings, trial.truth = kept
    trial.result.skipped = skipped
    lost = [(pair, item) for pair, item in after if item.value != 1.0]
    if len(lost) >= LEAST and len(lost) * 2 > len(after):
        (number, text), item = lost[0]
        message = f"{len(lost)} of {len(after)} right answers score below 1 once the instance went through JSON"
        trial.find("foreign.round_trip", message, number, text, seen(item))
