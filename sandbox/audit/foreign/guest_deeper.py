"""Runs *inside* the sandbox: questions about one task that need more than making and scoring cases.

Its constructor's parameters and what changing them does; its reference code on instances written down again; whether
prompt and verdict hang on each field of an instance.
"""

from __future__ import annotations

import copy
import hashlib
import itertools
import json
import time
import traceback
from typing import Any

from . import layouts, reference, running, unread  # type: ignore[attr-defined]

SWEEP_S, RUN_S, PERTURB_S, UNTOLD_S, ONCE_S = 2.0, 0.5, 1.5, 0.5, 1.0
MOST_FIELDS, MOST_TOLD, FIRST_CASES, MOST_OTHERS = 24, 1_000_000, 8, 10


class Deeper:
    """Needs ``library``; ``made(name, seed, count)`` gives (task, item) pairs."""

    def __init__(self, library: Any, made: Any) -> None:
        self._library, self._made = library, made
        self._references: dict[str, Any] = {}
        self._fields: dict[tuple[str, int], frozenset[str]] = {}

    def axes(self, name: str) -> Any:
        """Parameters of the constructor with their defaults."""
        return {
            key: list(value) if isinstance(value, tuple) else value for key, value in self._library.axes(name).items()
        }

    def unread(self, name: str) -> Any:
        """Parameters that nothing reads."""
        if not hasattr(self._library, "class_name"):
            return []
        return unread.unread(self._library.text(name)[0], self._library.class_name(name))

    def sweep(self, name: str, seed: int, params: dict[str, Any], count: int) -> Any:
        """Cases at other parameters: {digests, longest, seconds} or {problem, at, refused}."""
        started, digests, longest, stage = time.monotonic(), [], 0, "construct"

        try:
            with running.limited(SWEEP_S):
                task = self._library.task(name, seed, params)
                stage = "generate"
                for number in range(count):
                    item = task.case(number)
                    text = json.dumps(item, sort_keys=True, default=repr)
                    digests.append(hashlib.sha256(text.encode()).hexdigest()[:12])
                    if number < 3:
                        longest = max(longest, len(str(task.question(item))))
        except running.TooSlow:
            return {
                "problem": f"{count} cases took more than {SWEEP_S:g} s of work",
                "at": "time",
                "refused": False,
                "made": len(digests),
            }
        except BaseException as error:  # noqa: BLE001 - whatever the library raises is what is told
            return {
                "problem": f"{type(error).__name__}: {str(error)[:200]}",
                "at": stage,
                "refused": _refused(error),
                "made": len(digests),
            }
        return {"digests": digests, "longest": longest, "seconds": time.monotonic() - started}

    def reads(self, name: str, response: str) -> Any:
        """Whether the task finds an answer in a response; None where that cannot be asked."""
        task = self._library.task(name, 0, {})
        if not hasattr(task, "reads"):
            return {"read": None}
        try:
            with running.limited(ONCE_S):
                sizes = task.reads(response)
            return {"read": sizes is not None, "sizes": (sizes or [])[:200]}
        except (Exception, running.TooSlow) as error:  # noqa: BLE001 - foreign; that it raises is the answer
            return {"read": False, "why": f"{type(error).__name__}: {str(error)[:100]}"}

    def text(self, name: str) -> Any:
        """The task's source and its docstring."""
        source, document = self._library.text(name)
        return {"source": source[:100_000], "document": document[:40_000]}

    def about_reference(self, name: str) -> Any:
        """Which language, and how many of the statement's examples it gets right."""
        found = self._reference(name)
        return {
            "language": found.language,
            "examples": found.examples,
            "right": found.right,
            "begun": found.begun,
            "ran": found.ran,
            "runs": found.program is not None,
        }

    def layouts(
        self, name: str, seed: int, numbers: list[int], start: int, end: int, without: list[int], seconds: float
    ) -> Any:
        """[label, what the reference prints for each numbered case]; those that print the same are told once.

        Of those at the places from ``start`` to ``end``; ``without`` are passed over: a process died of them.
        """
        program, statement = self._reference(name).program, self._library.text(name)[1]
        if program is None:
            return []
        until = time.process_time() + seconds
        found: dict[str, list[Any]] = {}
        examples = [given for given, _ in self._reference(name).pairs]
        first, prompts = numbers[0], self._prompts(name, seed, numbers[0])
        untold = self._untold(name, seed)
        several = layouts.layouts(self._item(name, seed, first), statement, prompts, untold)
        for place, (label, given) in enumerate(itertools.islice(several, end)):
            if time.process_time() > until:
                break
            if place < start or place in without:
                continue
            running.last_words(place)
            told = [_told(program, given)]
            if told[0][0] is None or not told[0][0].strip():
                continue
            told += [_told(program, self._given(name, seed, number, label)) for number in numbers[1:]]
            if sum(text is not None and bool(text.strip()) for text, _ in told) * 2 <= len(told):
                continue
            fits = layouts.consistent(given, examples)
            entry = [label, [text for text, _ in told], fits, layouts.in_order(given, prompts)]
            known = found.setdefault(json.dumps(entry[1]), entry)
            if (entry[2], entry[3]) > (known[2], known[3]):
                found[json.dumps(entry[1])] = entry
        listed = list(found.values())
        return listed if len(json.dumps(listed)) < MOST_TOLD else listed[:8]

    def solve(self, name: str, seed: int, label: str, numbers: list[int], seconds: float) -> Any:
        """[output or None, problem] for each numbered case."""
        program = self._reference(name).program
        until, found = time.process_time() + seconds, []
        for number in numbers:
            if time.process_time() > until:
                break
            found.append(_told(program, self._given(name, seed, number, label)))
        return found

    def perturb(self, name: str, seed: int, asked: list[Any], label: str) -> Any:
        """For each [number, other, right response] and field: [field, prompt changed, verdict changed, output, same].

        A field is given the value it has in the other case; a whole number that is the same there becomes one larger,
        and ``same`` is what it was. The verdict is that of the right response.
        """
        program, found = self._reference(name).program if label else None, []
        until = time.process_time() + PERTURB_S
        for number, other, response in asked:
            if time.process_time() > until:
                break
            task, item = self._pair(name, seed, number)
            _, donor = self._pair(name, seed, other)
            if not isinstance(item, dict) or not isinstance(donor, dict):
                continue
            question = _safely(task.question, item)
            verdict = _safely(task.score, item, response) if response is not None else None
            told = _told(program, self._given(name, seed, number, label)) if program else None
            for field in list(item)[:MOST_FIELDS]:
                if field not in donor:
                    continue
                same = item[field] if donor[field] == item[field] else None
                if donor[field] == item[field] and type(same) is not int:
                    continue
                changed = copy.deepcopy(item) | {field: copy.deepcopy(donor[field]) if same is None else same + 1}
                printed = None
                if program and told is not None and not label.startswith("prompt"):
                    given = layouts.by_label(label, changed, self._library.text(name)[1], [], self._untold(name, seed))
                    printed = _told(program, given)[0] not in (told[0], None)
                found.append([
                    str(field),
                    _safely(task.question, changed) != question,
                    response is not None and _safely(task.score, changed, response) != verdict,
                    printed,
                    same,
                ])  # fmt: skip
        return found

    def others(self, name: str, seed: int, label: str, numbers: list[int], seconds: float) -> Any:
        """[number, field, output]: what the reference code prints for instances that differ from one in one field."""
        found: list[Any] = []
        program = self._reference(name).program
        until, statement = time.process_time() + seconds, self._library.text(name)[1]
        if program is None or label.startswith("prompt"):
            return []
        for place, number in enumerate(numbers):
            item, donor = self._item(name, seed, number), self._item(name, seed, numbers[place - 1])
            if not isinstance(item, dict) or not isinstance(donor, dict):
                continue
            printed: set[str] = set()
            for field, value in itertools.islice(_changed_fields(item, donor), 3 * MOST_OTHERS):
                if time.process_time() > until:
                    return found
                changed = copy.deepcopy(item) | {field: value}
                told = _told(program, layouts.by_label(label, changed, statement, [], self._untold(name, seed)))[0]
                if told and told.strip() and told not in printed and len(printed) < MOST_OTHERS:
                    printed.add(told)
                    found.append([number, str(field), told])
        return found

    def _reference(self, name: str) -> Any:
        if name not in self._references:
            self._references = {name: reference.Reference(*self._library.text(name), name)}
        return self._references[name]

    def _pair(self, name: str, seed: int, number: int) -> Any:
        return self._made(name, seed, number + 1)[number]

    def _item(self, name: str, seed: int, number: int) -> Any:
        return self._pair(name, seed, number)[1]

    def _prompts(self, name: str, seed: int, number: int) -> list[str]:
        made = self._made(name, seed, max(number + 1, 6))
        chosen = [made[number], *(made[place] for place in range(min(6, len(made))) if place != number)]
        return [str(_safely(task.question, item)) for task, item in chosen if item is not None]

    def _untold(self, name: str, seed: int) -> frozenset[str]:
        """Fields of the first cases that may be swapped with one another without a change of any prompt."""
        if (name, seed) not in self._fields:
            made = [(task, item) for task, item in self._made(name, seed, FIRST_CASES)[:FIRST_CASES]]
            swaps: dict[str, list[bool]] = {}
            until = time.process_time() + UNTOLD_S
            for (task, item), (_, donor) in itertools.pairwise(made):
                if time.process_time() > until:
                    break
                if not isinstance(item, dict) or not isinstance(donor, dict):
                    continue
                question = _safely(task.question, item)
                for field in list(item)[:MOST_FIELDS]:
                    if field in donor and donor[field] != item[field]:
                        changed = copy.deepcopy(item) | {field: copy.deepcopy(donor[field])}
                        swaps.setdefault(field, []).append(_safely(task.question, changed) != question)
            self._fields = {(name, seed): frozenset(field for field, seen in swaps.items() if not any(seen))}
        return self._fields[name, seed]

    def _given(self, name: str, seed: int, number: int, label: str) -> str:
        prompts = self._prompts(name, seed, number) if label.startswith("prompt") else []
        return str(
            layouts.by_label(
                label, self._item(name, seed, number), self._library.text(name)[1], prompts, self._untold(name, seed)
            )
        )  # fmt: skip


def _changed_fields(item: dict[str, Any], donor: dict[str, Any]) -> Any:
    """(field, other value): numbers a little and much larger or smaller, one place of a list, the donor's value."""
    several: list[list[tuple[str, Any]]] = []
    for field, value in list(item.items())[:MOST_FIELDS]:
        others: list[Any] = []
        if type(value) is int:
            others = [0, value // 2, value - 1, 2 * value, value + 1]
        elif isinstance(value, list) and value and all(type(one) is int for one in value):
            middle = len(value) // 2
            ones = (min(value), value[middle] // 2, value[middle] - 1)
            others = [*([*value[:middle], one, *value[middle + 1 :]] for one in ones), value[::-1]]
        if field in donor:
            others.append(copy.deepcopy(donor[field]))
        several.append([(field, other) for other in others if other != value])
    return (pair for pairs in itertools.zip_longest(*several) for pair in pairs if pair is not None)


def _told(program: Any, given: str) -> list[Any]:
    if not given:
        return [None, "no input"]
    try:
        return [running.run(program, given, RUN_S), ""]
    except BaseException as error:  # noqa: BLE001 - the reference code's own
        return [None, type(error).__name__]


def _safely(function: Any, *args: Any) -> Any:
    try:
        with running.limited(ONCE_S):
            return function(*args)
    except (Exception, running.TooSlow) as error:  # noqa: BLE001 - foreign; that it raises is the answer
        return f"{type(error).__name__}"


def _refused(error: BaseException) -> bool:
    """Whether a statement of the task itself raised this on purpose, while it was set up."""
    last = traceback.extract_tb(error.__traceback__)[-1:]
    return bool(last) and (last[0].line or "").strip().startswith(("raise", "assert"))
