"""One protocol over every model provider."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal, Protocol, runtime_checkable

from bootcamp_kit.errors import InternalError


@dataclass(frozen=True, slots=True)
class Message:
    """One turn."""

    role: Literal["system", "user", "assistant"]
    text: str


@dataclass(frozen=True, slots=True)
class Schema:
    """The form an answer is to have: a JSON Schema as text, and its name."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class ChatRequest:
    """One question to a model.

    Attributes:
        messages: At most one system message, first; then user and assistant in turn, user last.
        max_tokens: Most output tokens.
        temperature: None leaves the provider's default.
        nonce: Distinguishes samples of one request in the response cache; never sent.
        schema: Asks the provider to hold the answer to this form; those that cannot are asked without it.
    """

    messages: tuple[Message, ...]
    max_tokens: int = 16_000
    temperature: float | None = None
    nonce: int = 0
    schema: Schema | None = None

    def __post_init__(self) -> None:
        roles = [message.role for message in self.messages]
        turns = roles[1:] if roles[:1] == ["system"] else roles
        in_turn = all(role == ("user", "assistant")[i % 2] for i, role in enumerate(turns))
        if not (in_turn and len(turns) % 2 == 1):
            raise InternalError(
                "a model request", f"messages in the order {roles}", "system?, user, (assistant, user)*"
            )
        if self.max_tokens < 1:
            raise InternalError("a model request", f"max_tokens is {self.max_tokens}", "give a positive number")

    @property
    def system(self) -> str | None:
        """The system message's text."""
        return self.messages[0].text if self.messages[0].role == "system" else None

    @property
    def turns(self) -> tuple[Message, ...]:
        """The messages after the system message."""
        return self.messages[1:] if self.system is not None else self.messages


class StopReason(StrEnum):
    """Why the text ended."""

    END = "end"
    LENGTH = "length"
    REFUSAL = "refusal"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens, as the provider counted them; 0 where it did not say.

    Attributes:
        input_tokens: All of the input, also what the provider read from or wrote to its own prompt cache.
        output_tokens: All of the output, also hidden reasoning.
        cached_input_tokens: The part of ``input_tokens`` which the provider read from its prompt cache.
    """

    input_tokens: int = 0
    output_tokens: int = 0
    cached_input_tokens: int = 0


@dataclass(frozen=True, slots=True)
class ChatReply:
    """What came back."""

    text: str
    stop: StopReason
    usage: Usage
    model: str


@runtime_checkable
class ChatModel(Protocol):
    """A model that answers. ``name`` is ``PROVIDER:MODEL`` and holds no secret."""

    @property
    def name(self) -> str:
        """For lineage and cache keys."""

    async def chat(self, request: ChatRequest) -> ChatReply:
        """Ask.

        Raises:
            ProviderError: refused by the provider, unreachable, or broken off; says what to do. Retries with the
                provider's own headers have been made by then.
        """

    async def close(self) -> None:
        """Give connections back."""
