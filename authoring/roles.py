"""Which model plays which part, and how its calls are booked, limited and kept."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Iterable, Sequence
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import TypeVar

from authoring.runs import RunFolder
from bootcamp_kit.errors import ProviderError
from bootcamp_kit.jsondata import Json
from chat_models.cache import CachedModel
from chat_models.errors import ContextOverflow
from chat_models.protocol import ChatModel, ChatReply, ChatRequest, StopReason, Usage
from evaluation.concurrency import AdaptiveLimit

T = TypeVar("T")
MOST_CALLS = 32


class Role(StrEnum):
    """A part that a model plays: the word in ``[roles]``, in the ledger and in events."""

    ANALYST = "analyst"
    AUTHOR = "author"
    OPPONENT = "opponent"
    ATTACKER = "attacker"
    SOLVER = "solver"


@dataclass(frozen=True, slots=True)
class Call:
    """Whose call it is, and under which name its transcript is kept."""

    role: Role
    brief_id: str
    transcript: str


@dataclass
class Roles:
    """The models beside the author, and one limit on how many of their calls are on their way at once.

    Attributes:
        analyst: Writes the specification.
        opponent: Writes the second verifier.
        attacker: Looks for answers that are judged wrongly.
        solvers: Solve cases blindly; all of them make up the panel.
        limit: Shared by all of them; follows the providers' throughput, halves when a call fails.
    """

    analyst: ChatModel
    opponent: ChatModel
    attacker: ChatModel
    solvers: Sequence[ChatModel]
    limit: AdaptiveLimit = field(default_factory=lambda: AdaptiveLimit(MOST_CALLS, clock=time.monotonic))

    @classmethod
    def all_by(cls, model: ChatModel) -> Roles:
        """One model in every part."""
        return cls(model, model, model, (model,))

    @property
    def models(self) -> tuple[ChatModel, ...]:
        """Each model once."""
        found = {id(model): model for model in (self.analyst, self.opponent, self.attacker, *self.solvers)}
        return tuple(found.values())

    def bound(self, model: ChatModel, call: Call, run: RunFolder) -> BookedModel:
        """The model with its calls booked, limited and kept as transcripts."""
        return BookedModel(model, self.limit, call, run)

    async def close(self) -> None:
        """Give connections back."""
        for model in self.models:
            await model.close()


class BookedModel:
    """A model for one purpose: every answered call is booked on a role and a brief and leaves a transcript.

    A request that is longer than the model can read is answered by nothing, cut off: that helper has nothing to say.
    Several calls get the names ``NAME``, ``NAME-2``, ``NAME-3`` in the order they are made.
    """

    def __init__(self, model: ChatModel, limit: AdaptiveLimit, call: Call, run: RunFolder) -> None:
        self._model = labelled(model, call.role, call.brief_id)
        self._limit, self._call, self._run, self._calls = limit, call, run, 0

    @property
    def name(self) -> str:
        """The model's."""
        return self._model.name

    async def chat(self, request: ChatRequest) -> ChatReply:
        """See :class:`chat_models.protocol.ChatModel`."""
        self._calls += 1
        name = self._call.transcript + (f"-{self._calls}" if self._calls > 1 else "")
        await self._limit.enter()
        try:
            reply = await self._model.chat(request)
        except ContextOverflow:
            reply = ChatReply("", StopReason.LENGTH, Usage(), self.name)
        except ProviderError:
            self._limit.failed()
            raise
        finally:
            await self._limit.leave()
        self._limit.answered()
        self._run.put_transcript(name, transcript(request, reply, asked=self.name))
        return reply

    async def close(self) -> None:
        """The model belongs to the roles; nothing to do."""


async def together(asked: Iterable[Awaitable[T]]) -> list[T]:
    """All answers, side by side. One that fails lets the others come home first: they are paid for.

    Raises:
        BaseException: the first failure, in the order given.
    """
    answers = await asyncio.gather(*asked, return_exceptions=True)
    failed = [answer for answer in answers if isinstance(answer, BaseException)]
    if failed:
        raise failed[0]
    return [answer for answer in answers if not isinstance(answer, BaseException)]


def labelled(model: ChatModel, role: Role, brief_id: str) -> ChatModel:
    """The model with its calls booked, where there is a ledger."""
    return model.labelled(role=role, brief_id=brief_id) if isinstance(model, CachedModel) else model


def transcript(request: ChatRequest, reply: ChatReply, *, asked: str) -> dict[str, Json]:
    """One call as it is kept; ``asked`` is the name of the model that was asked."""
    return {
        "model": reply.model,
        "asked": asked,
        "messages": [asdict(message) for message in request.messages],
        "max_tokens": request.max_tokens,
        "temperature": request.temperature,
        "nonce": request.nonce,
        "schema": request.schema.name if request.schema else "",
        "reply": reply.text,
        "stop": reply.stop.value,
        "usage": asdict(reply.usage),
    }


@dataclass(frozen=True, slots=True)
class Spend:
    """What was paid for a brief; ``usd`` is None where a price is not known."""

    calls: int = 0
    tokens: int = 0
    usd: float | None = None
