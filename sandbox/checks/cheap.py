"""Responses that solve nothing: garbage that must not crash a verifier, and cheap strategies that must not earn."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from bootcamp_kit.answers import CLOSE, OPEN
from bootcamp_kit.card import Card
from sandbox.checks.evidence import CaseEvidence
from sandbox.checks.structure import delimited

Strategy = Callable[[CaseEvidence], str | None]
"""What to answer on a case without solving it; None where the strategy does not apply."""

CONSTANTS = (
    "0", "1", "-1", "2", "3", "10", "YES", "NO", "True", "False", "None", "null", "[]", "{}", '""', "impossible",
    "IMPOSSIBLE", "nan", "inf", "1e309", "A", "First", "Second", "0 0", "1 2 3", "banana", "?", "[0]", "0.5",
)  # fmt: skip
MAX_FIELDS = 12


def wrapped(content: str) -> str:
    """The content between the delimiters."""
    return f"{OPEN}{content}{CLOSE}"


def garbage(huge: int) -> list[tuple[str, str]]:
    """(name, response): texts no solver means as an answer; ``huge`` characters for the long ones."""
    plain = {
        "nothing": "",
        "blanks": " \n\t ",
        "prose": "I do not know.",
        "open only": OPEN,
        "close only": CLOSE,
        "close before open": f"{CLOSE}5{OPEN}",
        "nested": f"{OPEN}{OPEN}1{CLOSE}{CLOSE}",
        "two thousand tags": OPEN * 2_000 + CLOSE * 2_000,
        "null character": wrapped("\0"),
        "emoji and right-to-left": wrapped("\U0001f0a1\u202e\u0661\u0662\u0663\u202c\u00f1"),
        "superscript digit": wrapped("²"),
        "circled digit": wrapped("①"),
        "arabic digits": wrapped("٣ ٤"),
        "fraction character": wrapped("½"),
        "underscores": wrapped("1_000"),
        "not a number": wrapped("NaN"),
        "overflow": wrapped("1e999"),
        "infinity": wrapped("-Infinity"),
        "five thousand digits": wrapped("9" * 5_000),
        "huge exponent": wrapped("9" * 20 + "e" + "9" * 10),
        "deep brackets": wrapped("[" * 5_000 + "]" * 5_000),
        "json object": wrapped('{"a": [1, {"b": null}], "c": 1e5}'),
        "list of lists": wrapped("[[], [1], [1, [2]]]"),
        "mixed list": wrapped("[1, null, true, \"x\", 2.5]"),
        "only commas": wrapped(",,,"),
        "only minus": wrapped("-"),
        "code": wrapped("__import__('os').getpid()"),
        "format string": wrapped("%s%n{0.__class__}"),
        "negative zero": wrapped("-0"),
        "index out of range": wrapped("999999999"),
        "negative index": wrapped("-1 -2 -3"),
        "long word": wrapped("a" * huge),
        "many numbers": wrapped("1 " * (huge // 2)),
        "many lines": wrapped("1\n" * (huge // 2)),
        "long prose": "so it goes " * (huge // 10),
        "many open tags": OPEN * (huge // 10),
    }  # fmt: skip
    return list(plain.items())


def strategies(card: Card, seen: Sequence[CaseEvidence], visible: frozenset[str]) -> dict[str, Strategy]:
    """Name → strategy.

    Args:
        card: The task's card.
        seen: Cases whose right answers may be reused.
        visible: Payload fields the prompt shows ("payload" for a payload that is no object): only these are copied.

    Names begin with ``constant``, ``options``, ``example``, ``echo``, ``seen``, ``cross`` or ``rule``.
    """
    found: dict[str, Strategy] = {"constant nothing": lambda case: ""}
    for content in dict.fromkeys((*card.answer.choices, *CONSTANTS)):
        found[f"constant {content}"] = _always(wrapped(content))
    for name, mark in (("or", " or "), ("comma", ", "), ("blank", " ")):
        if card.answer.choices:
            found[f"options {name}"] = _always(wrapped(mark.join(card.answer.choices)))
    found["example"] = _always(card.answer.example)
    found["echo prompt"] = lambda case: case.prompt_text
    found["echo prompt as answer"] = lambda case: wrapped(case.prompt_text) if case.prompt_text is not None else None
    fields = dict.fromkeys(name for case in seen for name, _ in _fields(case, visible))
    for name in list(fields)[:MAX_FIELDS]:
        found[f"echo {name}"] = _echo(name, visible)
    for response, _ in Counter(case.right for case in seen if case.right is not None).most_common(4):
        cut = delimited(response)
        found[f"seen {(cut.content if cut else response)[:40]!r}"] = _always(response)
    found["cross another case"] = _cross(seen)
    found.update(_rules(visible))
    return found


def _always(response: str) -> Strategy:
    return lambda case: response


def _echo(name: str, visible: frozenset[str]) -> Strategy:
    def strategy(case: CaseEvidence) -> str | None:
        fields = dict(_fields(case, visible))
        return wrapped(rendered(fields[name])) if name in fields else None

    return strategy


def _cross(seen: Sequence[CaseEvidence]) -> Strategy:
    """The right answer of the next case of the same level."""
    order = [case for case in seen if case.right is not None]
    following = {}
    for place, case in enumerate(order):
        later = [other for other in order[place + 1 :] + order[:place] if other.level == case.level]
        following[case.level, case.seed] = later[0].right if later else None
    first = {case.level: case.right for case in reversed(order)}
    return lambda case: following.get((case.level, case.seed), first.get(case.level))


def _fields(case: CaseEvidence, visible: frozenset[str]) -> Iterator[tuple[str, Any]]:
    payload = case.case.payload if case.case else None
    if not isinstance(payload, dict):
        if "payload" in visible:
            yield "payload", payload
        return
    for key in sorted(set(payload) & visible):
        value = payload[key]
        yield f"field {key[:40]}", value
        if isinstance(value, dict):
            yield from ((f"field {key[:40]}.{inner[:40]}", item) for inner, item in value.items())


def rendered(value: Any) -> str:
    """A payload value as a person would copy it: numbers bare, lists with blanks, rows on lines."""
    if isinstance(value, str):
        return value.strip()
    if isinstance(value, list):
        if any(isinstance(item, list | str) and len(item) > 1 for item in value):
            return "\n".join(rendered(item) for item in value)
        return " ".join(rendered(item) for item in value)
    return json.dumps(value, ensure_ascii=False)


def _rules(visible: frozenset[str]) -> dict[str, Strategy]:
    """One-line rules over the integers the prompt shows."""
    rules: dict[str, Callable[[list[int]], int]] = {
        "smallest number": min,
        "largest number": max,
        "sum": sum,
        "how many numbers": len,
        "first number": lambda numbers: numbers[0],
        "last number": lambda numbers: numbers[-1],
        "span": lambda numbers: max(numbers) - min(numbers),
    }

    def apply(rule: Callable[[list[int]], int]) -> Strategy:
        def strategy(case: CaseEvidence) -> str | None:
            top = [value for name, value in _fields(case, visible) if "." not in name]
            numbers = list(_numbers(top))
            return wrapped(str(rule(numbers))) if numbers else None

        return strategy

    return {f"rule {name}": apply(rule) for name, rule in rules.items()}


def _numbers(value: Any) -> Iterator[int]:
    if type(value) is int and abs(value) < 10**1_000:
        yield value
    elif isinstance(value, list):
        for item in value:
            yield from _numbers(item)
    elif isinstance(value, dict):
        for item in value.values():
            yield from _numbers(item)
