"""The answers a verifier is tried on: what the audit asked anyway, and a wider set that stands for all answers.

The *corpus* is every probe of the audit with a case and a response. The *wider set* holds what no check asked: mutants
of mutants, answers moved between cases, every small number, random answers over the symbols seen. A changed verifier
that the corpus does not tell from the original, and the wider set does, is a missing test; one that neither tells is
*not distinguished*: it may be equivalent or not, and is counted apart.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bootcamp_kit.answers import CLOSE, OPEN
from bootcamp_kit.card import AnswerFormat
from bootcamp_kit.case import Case
from sandbox.checks.evidence import Evidence
from sandbox.checks.mutants import mutants
from sandbox.checks.structure import INTEGER, delimited
from sandbox.plan import derived

MAX_RESPONSE = 20_000
SMALL_NUMBERS = range(-3, 33)
_SEPARATORS = (" ", ", ", "\n")


@dataclass(frozen=True, slots=True)
class Question:
    """One response to one case, and the class of answers it stands for."""

    case: Case
    response: str
    family: str
    kind: str


def asked(evidence: Evidence, at_most: int) -> list[Question]:
    """The corpus: right answers first, then kinds in turn, so that the first few hundred hold some of every kind."""
    found = [
        Question(item.case, item.right, "right", "oracle")
        for item in evidence.right
        if item.case is not None and item.right is not None
    ]
    for family in ("examples", "near_miss", "still_right", "floor", "garbage"):
        found += [
            Question(item.probe.case, item.probe.response, family, item.probe.kind) for item in evidence.asked(family)
        ]
    return _in_turn(found, at_most)


def wider(evidence: Evidence, at_most: int) -> list[Question]:
    """What no check asked, in a fixed order that depends on the task's bytes alone."""
    answer = evidence.task.answer
    right = [(item.case, item.right) for item in evidence.right if item.case and item.right]
    rng = random.Random(derived(evidence.folder.content_hash, "wider"))
    found: list[Question] = []
    contents = [cut.content.strip() for _, text in right if (cut := delimited(text))]
    for case, text in right:
        made = {text: kind for kind, text in _variants(text, answer, contents, rng)}
        found += [Question(case, response, "wider", kind) for response, kind in made.items()]
    return _in_turn(found, at_most)


def _variants(right: str, answer: AnswerFormat, others: Sequence[str], rng: random.Random) -> Iterator[tuple[str, str]]:
    first = mutants(right, answer)
    for one in rng.sample(first, min(6, len(first))):
        second = mutants(one.response, answer)
        for two in rng.sample(second, min(5, len(second))):
            yield f"{one.kind}, then {two.kind}", two.response
    for other in rng.sample(others, min(4, len(others))):
        yield "answer of another case", f"{OPEN}{other}{CLOSE}"
    if answer.kind in ("integer", "integers", "decimal"):
        for number in SMALL_NUMBERS:
            yield "a small number", f"{OPEN}{number}{CLOSE}"
    content = next((cut.content for cut in [delimited(right)] if cut), "")
    for _ in range(12):
        yield from ((kind, f"{OPEN}{text}{CLOSE}") for kind, text in _random_texts(content, rng))


def _random_texts(content: str, rng: random.Random) -> Iterator[tuple[str, str]]:
    """Random well-formed answers over the tokens and the characters of a right one."""
    separator = next((mark for mark in ("\n", ", ", ",", " ") if mark in content.strip()), "")
    parts = content.strip().split(separator) if separator else [content.strip()]
    pool = [*parts, *_neighbours(parts)]
    length = max(1, len(parts) + rng.choice((-1, 0, 0, 0, 1)))
    yield "random parts", (separator or " ").join(rng.choice(pool) for _ in range(length))
    yield "parts shuffled", (separator or " ").join(rng.sample(parts, len(parts)))
    characters = list(content.strip())
    if len(characters) > 1:
        places = [place for place, char in enumerate(characters) if not char.isspace()]
        for place in rng.sample(places, min(len(places), rng.choice((1, 1, 2)))):
            characters[place] = rng.choice([char for char in content if not char.isspace()])
        yield "characters changed", "".join(characters)


def _neighbours(parts: Sequence[str]) -> list[str]:
    numbers = [int(part) for part in parts if INTEGER.fullmatch(part) and len(part) < 15]
    return [str(number + step) for number in numbers[:20] for step in (-1, 1)] + (["0", "1"] if numbers else [])


def _in_turn(questions: Sequence[Question], at_most: int) -> list[Question]:
    """One of each kind and level, then a second of each, … until there are enough; no question twice."""
    queues: dict[tuple[str, str, int], list[Question]] = {}
    seen: set[tuple[int, int, str, str]] = set()
    for item in questions:
        key = (item.case.level, item.case.seed, str(item.case.payload), item.response)
        if key not in seen and len(item.response) <= MAX_RESPONSE:
            seen.add(key)
            queues.setdefault((item.family, item.kind, item.case.level), []).append(item)
    found: list[Question] = []
    depth = 0
    while len(found) < at_most and any(depth < len(queue) for queue in queues.values()):
        found += [queue[depth] for queue in queues.values() if depth < len(queue)]
        depth += 1
    return found[:at_most]
