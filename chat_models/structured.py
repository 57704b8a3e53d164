"""Answers of a stated form: the provider's own structured output, read tolerantly, with one corrective turn.

A request carries a JSON Schema (:class:`chat_models.protocol.Schema`); providers that know how hold the model to it.
Those that do not, and models that write prose around their JSON, are read anyway: the last object that fits.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Generic, TypeVar

from bootcamp_kit.jsondata import canonical, strict_loads
from chat_models.protocol import ChatModel, ChatReply, ChatRequest, Message, Schema, StopReason

if TYPE_CHECKING:
    from pydantic import BaseModel, ValidationError

M = TypeVar("M", bound="BaseModel")
MAX_CHARS = 200_000
MAX_STARTS = 200
"""Places at which an object may begin that are tried; a reply of ten thousand braces is no answer."""
MAX_WORDS = 600


@dataclass(frozen=True, slots=True)
class Structured(Generic[M]):
    """What came of asking.

    Attributes:
        value: The answer, or None.
        reason: Why there is none, in words fit for the model that wrote it; else "".
        declined: The model would not answer; asking again would not help.
        corrected: A second turn was taken.
        asked: The last request.
        reply: The last reply.
    """

    value: M | None
    reason: str
    declined: bool
    corrected: bool
    asked: ChatRequest
    reply: ChatReply


def schema_of(kind: type[BaseModel]) -> Schema:
    """The JSON Schema of a Pydantic model, as a request carries it."""
    return Schema(kind.__name__, canonical(kind.model_json_schema()).decode())


async def ask_for(
    model: ChatModel, request: ChatRequest, kind: type[M], correction: Callable[[str], str]
) -> Structured[M]:
    """Ask for a ``kind``; a reply that is none goes back once, with the reason.

    Args:
        model: Who is asked.
        request: What is asked; its schema is set here.
        kind: A Pydantic model without defaults, its extra keys forbidden: strict providers want both.
        correction: Reason → the words of the second turn.

    Raises:
        ProviderError, BudgetError: as the model raises.
    """
    asked = replace(request, schema=schema_of(kind))
    reply = await model.chat(asked)
    value, reason = _read(reply, kind)
    if value is not None or reply.stop is StopReason.REFUSAL:
        return Structured(value, reason, reply.stop is StopReason.REFUSAL, False, asked, reply)
    said = Message("assistant", reply.text[:MAX_CHARS] if reply.text.strip() else "(nothing)")
    again = replace(asked, messages=(*asked.messages, said, Message("user", correction(reason))))
    second = await model.chat(again)
    value, reason = _read(second, kind)
    return Structured(value, reason, second.stop is StopReason.REFUSAL, True, again, second)


def read_object(text: str, kind: type[M]) -> M:
    """The last object in a text that is a ``kind``, whatever stands around it.

    Raises:
        ValueError: there is none; says what is wrong with the one that came nearest.
    """
    from pydantic import ValidationError

    problem = "the reply holds no JSON object"
    best: M | None = None
    for raw in _objects(text[:MAX_CHARS]):
        try:
            value = strict_loads(raw.encode())
        except ValueError as error:
            problem = f"not JSON: {error}"
            continue
        try:
            best = kind.model_validate(value)
        except ValidationError as error:
            problem = _words(error)
    if best is None:
        raise ValueError(problem[:MAX_WORDS])
    return best


def _read(reply: ChatReply, kind: type[M]) -> tuple[M | None, str]:
    if reply.stop is StopReason.REFUSAL:
        return None, "it declined"
    try:
        return read_object(reply.text, kind), ""
    except ValueError as error:
        cut = "the reply reached its length limit: write less. " if reply.stop is StopReason.LENGTH else ""
        return None, f"{cut}{error}"
    except UnicodeEncodeError:
        return None, "the reply holds characters that are not valid Unicode"


def _objects(text: str) -> Iterator[str]:
    """The outermost JSON objects of a text; where none can be read, the rest from its first brace."""
    decoder = json.JSONDecoder()
    start, tries, found = text.find("{"), 0, False
    first = start
    while start >= 0 and tries < MAX_STARTS:
        tries += 1
        try:
            _, end = decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            start = text.find("{", start + 1)
            continue
        found = True
        yield text[start:end]
        start = text.find("{", end)
    if not found and first >= 0:
        yield text[first:]


def _words(error: ValidationError) -> str:
    parts = [f"{'.'.join(map(str, item['loc'])) or 'the object'}: {item['msg']}" for item in error.errors()[:8]]
    return "; ".join(parts)
