"""A simple classifier over everything that is shown of an item: does anything tell one kind of item from another?

Each fold takes the one feature and threshold that part the other folds best, and judges what was held out. A tell of
any one figure, word or length is found; one that lies only in how several go together is not.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from review.as_json import item_to_json
from review.item import QueueItem

EVIDENCE = ("report.", "findings", "strip", "risk", "difficulty")
"""Where the evidence stands. Of an ``evident`` fault it differs by design."""
OWN_WORDS = ("hash", "title", "task_id", "ref", "created")
FOLDS = 5


def features(item: QueueItem, *, evidence: bool = True) -> dict[str, float]:
    """Numbers by path: figures, lengths of texts and lists, first digits of hashes; each short word as yes or no."""
    found: dict[str, float] = {}
    _flatten("", item_to_json(item), found)
    found |= {f"hash digit {place}": float(int(item.content_hash[place], 16)) for place in range(4)}
    found |= {
        "hash parity": float(int(item.content_hash[0], 16) % 2),
        "digit of report": float(int(item.report.hash[0], 16)),
    }
    return found if evidence else {path: value for path, value in found.items() if not path.startswith(EVIDENCE)}


def _flatten(path: str, value: Any, found: dict[str, float]) -> None:
    if isinstance(value, Mapping):
        for key, inner in value.items():
            _flatten(f"{path}.{key}".lstrip("."), inner, found)
    elif isinstance(value, str):
        found[f"{path}#"] = float(len(value))
        if len(value) < 40 and not path.endswith(OWN_WORDS):
            found[f"{path}={value}"] = 1.0
    elif isinstance(value, list | tuple):
        found[f"{path}[]"] = float(len(value))
        for number, inner in enumerate(value[:40]):
            _flatten(f"{path}[{number}]", inner, found)
    elif isinstance(value, bool | int | float):
        found[path] = float(value)


def told_apart(one: Sequence[Mapping[str, float]], other: Sequence[Mapping[str, float]]) -> float:
    """Share of held-out items of two kinds that are judged rightly; about one half where nothing tells."""
    items = [*((row, True) for row in one), *((row, False) for row in other)]
    order = sorted(range(len(items)), key=lambda place: (place * 7919) % len(items))
    right = 0
    for fold in range(FOLDS):
        held = set(order[fold::FOLDS])
        rule = _best_rule([items[place] for place in order if place not in held])
        right += sum(_says(rule, items[place][0]) == items[place][1] for place in held)
    return right / len(items)


Rule = tuple[str, float, bool]


def _says(rule: Rule, row: Mapping[str, float]) -> bool:
    path, threshold, above = rule
    return (row.get(path, -1.0) > threshold) == above


def _best_rule(items: Sequence[tuple[Mapping[str, float], bool]]) -> Rule:
    best, chosen = -1, ("", 0.0, True)
    for path in sorted({path for row, _ in items for path in row}):
        values = sorted((row.get(path, -1.0), kind) for row, kind in items)
        yes = sum(kind for _, kind in values)
        below = 0
        for place, (value, kind) in enumerate(values[:-1], 1):
            below += kind
            if value == values[place][0]:
                continue
            above_right = (yes - below) + (place - below)
            for above, hits in ((True, above_right), (False, len(values) - above_right)):
                if hits > best:
                    best, chosen = hits, (path, (value + values[place][0]) / 2, above)
    return chosen
