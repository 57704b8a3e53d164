"""The fake that ships: a model that answers from a list, a function or a file. For tests and examples."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from bootcamp_kit.errors import BootcampError, ProviderError, UsageError
from bootcamp_kit.jsondata import Json, strict_loads
from chat_models.options import ModelOptions
from chat_models.protocol import ChatReply, ChatRequest, StopReason, Usage

Answer: TypeAlias = str | ChatReply | BootcampError
Answers: TypeAlias = Iterable[Answer] | Callable[[ChatRequest], Answer]


class ScriptedModel:
    """Answers in order, or by a function; an exception among the answers is raised.

    Args:
        answers: The answers, or a function of the request.
        name: For lineage and cache keys.

    Attributes:
        requests: Everything asked so far.
    """

    def __init__(self, answers: Answers, *, name: str = "scripted:model") -> None:
        self._answer = answers if callable(answers) else _in_order(list(answers))
        self._name = name
        self.requests: list[ChatRequest] = []

    def __repr__(self) -> str:
        return f"<ScriptedModel {self._name}>"

    @property
    def name(self) -> str:
        """``scripted:…``."""
        return self._name

    async def chat(self, request: ChatRequest) -> ChatReply:
        """The next answer.

        Raises:
            ProviderError: no answer is left, or the script says so.
        """
        self.requests.append(request)
        answer = self._answer(request)
        await asyncio.sleep(0)
        if isinstance(answer, BootcampError):
            raise answer
        if isinstance(answer, str):
            return ChatReply(answer, StopReason.END, _estimated(request, answer), self._name)
        return answer

    async def close(self) -> None:
        """Nothing to give back."""


def open_scripted(target: str, environ: Mapping[str, str], options: ModelOptions) -> ScriptedModel:
    """``scripted:FILE.jsonl``: one reply a line.

    A line is ``{"text": …}`` or ``{"error": …}`` with, as wanted, ``"stop"`` (end, length, refusal, other), ``"when"``
    (a list of texts which must all occur in the request) and ``"times"`` (how often the line serves; default 1, 0 =
    always). The first line that fits is the reply. For a script whose answers do not depend on what a killed run had
    already asked, use ``when`` with ``"times": 0``.

    Raises:
        UsageError: the file cannot be read or a line is not of this form.
    """
    path = Path(target)
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise UsageError(f"open scripted:{target}", f"{error.strerror}", "give a JSONL file of replies") from error
    lines = [_Line.read(path, n, line) for n, line in enumerate(raw.split(b"\n"), 1) if line.strip()]
    return ScriptedModel(_by_lines(lines), name=f"scripted:{path.stem}")


@dataclass(frozen=True, slots=True)
class _Line:
    answer: Answer
    when: tuple[str, ...]
    times: int

    @classmethod
    def read(cls, path: Path, number: int, raw: bytes) -> _Line:
        """One line of a script."""
        asked = f"read {path}, line {number}"
        try:
            line = strict_loads(raw)
        except ValueError as error:
            raise UsageError(asked, f"not JSON: {error}", "one object a line") from error
        if not isinstance(line, dict) or ("text" in line) == ("error" in line) or set(line) - _KEYS:
            raise UsageError(asked, "not a reply", f"text or error; and {sorted(_KEYS - {'text', 'error'})} as wanted")
        if not all(_KEY_FORMS[key](value) for key, value in line.items()):
            raise UsageError(asked, "a value has the wrong type", "see chat_models/scripted.py")
        name = f"scripted:{path.stem}"
        answer: Answer
        if "error" in line:
            answer = ProviderError(f"ask {name}", line["error"], "this error is part of the script")
        else:
            answer = ChatReply(line["text"], StopReason(line.get("stop", "end")), Usage(), name)
        return cls(answer, tuple(line.get("when", ())), line.get("times", 1))


_KEY_FORMS: Mapping[str, Callable[[Json], bool]] = {
    "text": lambda v: isinstance(v, str),
    "error": lambda v: isinstance(v, str),
    "stop": lambda v: v in tuple(StopReason),
    "when": lambda v: isinstance(v, list) and all(isinstance(text, str) for text in v),
    "times": lambda v: type(v) is int and v >= 0,
}
_KEYS = set(_KEY_FORMS)


def _by_lines(lines: list[_Line]) -> Callable[[ChatRequest], Answer]:
    served = [0] * len(lines)

    def answer(request: ChatRequest) -> Answer:
        said = "\n".join(message.text for message in request.messages)
        for i, line in enumerate(lines):
            if (line.times == 0 or served[i] < line.times) and all(text in said for text in line.when):
                served[i] += 1
                if isinstance(line.answer, ChatReply):
                    usage = _estimated(request, line.answer.text)
                    return ChatReply(line.answer.text, line.answer.stop, usage, line.answer.model)
                return line.answer
        return ProviderError("ask the script", "no line is left that fits the request", "add a line")

    return answer


def _in_order(answers: list[Answer]) -> Callable[[ChatRequest], Answer]:
    left = iter(answers)

    def answer(request: ChatRequest) -> Answer:
        for found in left:
            return found
        return ProviderError("ask the script", f"all {len(answers)} answers are used up", "add one")

    return answer


def _estimated(request: ChatRequest, text: str) -> Usage:
    """Words, for want of a tokenizer: a fake must have a count that tests can predict."""
    return Usage(sum(len(message.text.split()) for message in request.messages), len(text.split()))
