"""A cast of scripted models around the worked example ("Exact load"), good at their parts unless told otherwise."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from authoring.prompts import Prompts
from chat_models.protocol import ChatRequest, Message
from evaluation.process_box import ProcessBox
from sandbox.limits import JobLimits
from tests.authoring.parts import mended, reply_with

SPECIFICATION = {
    "rules": ["the chosen crates weigh exactly the load", "no crate is named twice"],
    "payload": [{"name": "weights", "form": "list of integers", "meaning": "one for each crate"}],
    "answer_kind": "integers",
    "answer_form": "crate numbers from 1, divided by commas",
    "solutions": "any",
    "difficulty": [{"name": "crates", "meaning": "how many", "easiest": "8", "hardest": "18"}],
    "edge_cases": ["a crate named twice", "crate 0"],
    "prompt_must_state": ["each crate at most once"],
    "open_points": [],
}
SECOND = """=== FILE second.py ===
def verify(payload, answer):
    try:
        numbers = [int(part) for part in answer.replace(",", " ").split()]
    except ValueError:
        return False
    weights = payload["weights"]
    if len(set(numbers)) != len(numbers) or any(not 1 <= number <= len(weights) for number in numbers):
        return False
    return sum(weights[number - 1] for number in numbers) == payload["load"]


def solve(payload):
    ways = {0: []}
    for number, weight in enumerate(payload["weights"], 1):
        for total, way in list(ways.items()):
            ways.setdefault(total + weight, way + [number])
    return ", ".join(map(str, ways[payload["load"]]))
=== END FILE ===
"""
ZERO_IS_LAST = ("1 <= number <= len(weights) for number in answer", "0 <= number <= len(weights) for number in answer")
"""A hole that the gate does not see: crate 0 is the last one, and may stand beside it."""
FORGETS_A_RULE = (
    """Choose some of these crates, each at "
            f"most once, so that""",
    """Choose some of these crates so "
            f"that""",
)
"""A prompt without a rule that the verdict depends on."""


def part_of(request: ChatRequest) -> str:
    """Which part a request asks a model to play, by the prompt it is asked with."""
    prompts = Prompts()
    system, said = request.system, request.turns[0].text
    if system is None:
        return "panel"
    if system == prompts.fill("blind"):
        return "blind"
    if system == prompts.system:
        return "repair" if said.startswith("A bootcamp that was written") else "draft"
    last = request.turns[-1].text
    if last.startswith("Your judge and the other"):
        return "reconsider"
    begins = {"Take this brief": "analyse", "Write a second": "second", "Find responses": "attack"}
    return next(part for begin, part in begins.items() if said.startswith(begin))


def as_request(body: Any) -> ChatRequest:
    """A request as it came over OpenAI's or Anthropic's wire."""
    said = [Message(item["role"], item["content"]) for item in body["messages"]]
    system = body.get("system")
    if system is not None:
        text = system if isinstance(system, str) else "".join(block["text"] for block in system)
        said.insert(0, Message("system", text))
    return ChatRequest(tuple(said))


def cast(**parts: Any) -> Callable[[ChatRequest], Any]:
    """A model's answers by part: text, or a function of the request. What is not given is played well."""
    played: dict[str, Any] = {
        "draft": reply_with(),
        "repair": mended(),
        "analyse": json.dumps(SPECIFICATION),
        "second": SECOND,
        "reconsider": "STANDS. No crate may be named twice.",
        "attack": '{"claims": []}',
        "blind": solved,
        "panel": solved,
        **parts,
    }

    def answer(request: ChatRequest) -> Any:
        found = played[part_of(request)]
        return found(request) if callable(found) else found

    return answer


def solved(request: ChatRequest) -> str:
    """A right answer, read from the prompt alone."""
    weights, load = read_prompt(request.turns[-1].text)
    return f"MISSING: nothing\nI added them up. <answer>{', '.join(map(str, subset(weights, load)))}</answer>"


def wrong(request: ChatRequest) -> str:
    """An answer that is always wrong."""
    return "MISSING: nothing\n<answer>1, 1</answer>"


def puzzled(request: ChatRequest) -> str:
    """What an honest solver says of a prompt without the rule that each crate may be used once; else a right answer."""
    if "each at most once" in request.turns[-1].text:
        return solved(request)
    return "MISSING: whether a crate may be used several times\n<answer>1, 1</answer>"


def attacks_crate_zero(request: ChatRequest) -> str:
    """Claims that name the last crate 0."""
    claims = []
    for number, payload in cases_of(request.turns[0].text):
        weights, last = payload["weights"], len(payload["weights"])
        chosen = subset(weights, payload["load"], must=last)
        if chosen:
            named = [0 if one == last else one for one in chosen]
            response = f"<answer>{', '.join(map(str, named))}</answer>"
            claims.append(
                {"case": number, "response": response, "claim": "wrong_accepted", "why": "there is no crate 0"}
            )
    return json.dumps({"claims": claims})


def cases_of(text: str) -> list[tuple[int, Any]]:
    """The cases in a prompt for opponents: number and data."""
    found = re.findall(r"^case (\d+) \(level \d+\)\ndata: (.*)$", text, re.MULTILINE)
    return [(int(number), json.loads(data)) for number, data in found]


def read_prompt(text: str) -> tuple[list[int], int]:
    """Weights and load of the exercise."""
    weights = [int(weight) for weight in re.findall(r"^crate \d+: (\d+) kg$", text, re.MULTILINE)]
    (load,) = re.findall(r"exactly (\d+) kg", text)
    return weights, int(load)


def subset(weights: list[int], load: int, must: int = 0) -> list[int]:
    """Crates that weigh the load, ``must`` among them where given; empty where there are none."""
    ways: dict[int, list[int]] = {weights[must - 1] if must else 0: [must] if must else []}
    for number, weight in enumerate(weights, 1):
        if number != must:
            for total, way in list(ways.items()):
                ways.setdefault(total + weight, [*way, number])
    return ways.get(load, [])


@contextmanager
def process_box(files: Mapping[str, bytes], limits: JobLimits) -> Iterator[ProcessBox]:
    """Scripted code runs in a killable process of this machine; only ever given code of the tests' own."""
    with ProcessBox(files, limits) as box:
        yield box


def without(text: str, change: tuple[str, str]) -> str:
    """A reply with one thing changed, which must be there."""
    before, after = change
    assert before in text, before
    return text.replace(before, after)


def numbered(texts: list[str]) -> Callable[[ChatRequest], str]:
    """One text after the other, the last one again and again."""
    left = itertools.chain(texts, itertools.repeat(texts[-1]))
    return lambda request: next(left)
