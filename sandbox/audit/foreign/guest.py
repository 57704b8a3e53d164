"""Runs *inside* the sandbox, sent there as ``bootcamp.py``: asks another library's tasks what the host wants to know.

``parse`` is the one entry: a request as JSON text in, JSON data out. ``adapter.py``, sent beside it, knows the library.
Everything that a foreign call raises or returns is told, nothing is judged here.
"""

from __future__ import annotations

import ast
import builtins
import functools
import hashlib
import json
import math
import re
import time
import traceback
from collections.abc import Callable
from typing import Any

from bootcamp_kit.case import Answer
from sandbox.guest.harness import AskedByParse

from . import adapter, deeper, running  # type: ignore[attr-defined]

MAX_TEXT = 60_000
MAX_PAYLOAD = 200_000
MAX_DEEP, MAX_BITS, WORK_S = 40, 10_000, 3_600.0
_UNLAWFUL = re.compile(r"Infinity|NaN")
SCORE_S, FEW, FEWEST = 2.5, 6, 2
"""Work for one response; cases that are kept where more take too long, and far too long."""
OWN = ("load", "list", "make", "score")
EXECUTORS = ("eval", "exec", "compile")


class Watch:
    """Tells whether a marked text reached an executor."""

    def __init__(self) -> None:
        self.marks: tuple[str, ...] = ()
        self.seen: set[str] = set()
        self._busy = False
        for name in EXECUTORS:
            setattr(builtins, name, self._wrapped(name, getattr(builtins, name)))

    def _wrapped(self, name: str, real: Callable[..., Any]) -> Callable[..., Any]:
        def call(source: Any, *rest: Any, **named: Any) -> Any:
            flags = rest[2] if len(rest) > 2 else named.get("flags", 0)
            reads = (
                name == "compile" and isinstance(flags, int) and flags & ast.PyCF_ONLY_AST
            )  # literal_eval runs nothing
            if self.marks and not reads and isinstance(source, str | bytes):
                text = source if isinstance(source, str) else source.decode("utf-8", "replace")
                self.seen.update(f"{name} {mark}" for mark in self.marks if mark in text)
            if name == "eval" and not rest and not named:
                import sys

                frame = sys._getframe(1)
                return real(source, frame.f_globals, frame.f_locals)
            if name == "exec" and not rest and not named:
                import sys

                frame = sys._getframe(1)
                return real(source, frame.f_globals, frame.f_locals)
            return real(source, *rest, **named)

        return call


class Foreign(AskedByParse):
    """Answers ``{"do": …}``: ``list``, ``make``, ``score``, and what ``deeper.py`` can."""

    def __init__(self) -> None:
        self._library: Any = None
        self._items: dict[tuple[str, int], list[Any]] = {}
        self._watch: Watch | None = None
        self._deeper: Any = None

    def parse(self, response: str) -> Answer:
        """One request."""
        asked = json.loads(response)
        do, plainly = asked.pop("do"), asked.pop("plainly", False)
        with running.ended_after(asked.pop("work_s", WORK_S)):
            if self._library is None:
                self._library = adapter.Library()
                self._watch = Watch()
                self._deeper = deeper.Deeper(self._library, self._pairs)
            found = self._found(do, asked)
            return as_data(found) if plainly else found

    def _found(self, do: str, asked: dict[str, Any]) -> Answer:
        found: Answer
        try:
            found = getattr(self, "_" + do)(**asked) if do in OWN else getattr(self._deeper, do)(**asked)
        except MemoryError:
            raise
        except BaseException as error:
            if do == "list" or not _theirs(error):
                raise
            return {"foreign": _problem(error)}
        return found

    def _load(self) -> Answer:
        """The library is imported by now."""
        return True

    def _list(self) -> Answer:
        return sorted(self._library.names())

    def _make(self, name: str, seed: int, count: int, start: int = 0, seconds: float = 6.0) -> Answer:
        """Cases of one task; each {question, answer, payload, digest} or {problem}. Fewer, where they take long."""
        told: list[Any] = []
        made = self._items.setdefault((name, seed), [])
        del made[start:]
        if len(made) < start:  # the process that made them is gone
            self._make(name, seed, start)
        try:
            task = self._library.task(name, seed, {})
        except BaseException as error:  # noqa: BLE001 - whatever the library raises is what is told
            return [{"problem": _problem(error), "at": "construct"}]
        begun = time.process_time()
        for number in range(start, start + count):
            spent = time.process_time() - begun
            few = FEW if spent <= 2 * seconds else FEWEST
            if spent > seconds and len(told) >= few:
                del made[start + few :], told[few:]
                return told
            try:
                with running.limited(2 * seconds):
                    item = task.case(number)
                    made.append((task, item))
                    changed = hasattr(task, "raw") and task.raw(number, item) is not item
                    told.append(_told(task, item) | {"round_trip": changed})
            except running.TooSlow:
                del made[number:]
                made.append((task, None))
                told.append(
                    {"problem": f"TooSlow: one case took more than {2 * seconds:g} s of work", "at": "generate"}
                )
                return told
            except BaseException as error:  # noqa: BLE001 - likewise
                del made[number:]
                made.append((task, None))
                told.append({"problem": _problem(error), "at": "generate"})
        return told

    def _pairs(self, name: str, seed: int, count: int) -> list[Any]:
        """(task, item) of the first cases, made again where the process that made them is gone."""
        made = self._items.get((name, seed), [])
        if len(made) < count:
            self._make(name, seed, count)
        return self._items[name, seed]

    def _score(
        self, name: str, seed: int, asked: list[Any], marks: list[str], raw: bool = False, seconds: float = 1.0
    ) -> Answer:
        """[value, problem, executors reached] for each [number, response], until about so much work is done."""
        made = self._pairs(name, seed, max(number for number, _ in asked) + 1)
        watch = self._watch
        assert watch is not None
        found: list[Any] = []
        until = time.process_time() + seconds
        for place, (number, response) in enumerate(asked):
            if found and time.process_time() > until:
                break
            task, item = made[number]
            watch.marks, watch.seen = tuple(marks), set()
            if raw and hasattr(task, "raw"):
                item = task.raw(number, item)
            try:
                with running.limited(SCORE_S):
                    value, problem = _value(running.named(place, functools.partial(task.score, item, response))())
            except running.TooSlow:
                value, problem = None, f"TooSlow: one response took more than {SCORE_S:g} s of work"
            except BaseException as error:  # noqa: BLE001 - likewise
                value, problem = None, _problem(error)
            watch.marks = ()
            found.append([value, problem, sorted(watch.seen)])
        return found


def _told(task: Any, item: Any) -> dict[str, Any]:
    question, answer, payload = task.question(item), task.answer(item), task.payload(item)
    problem = ""
    try:
        text = json.dumps(payload, sort_keys=True)
        read = json.loads(text) if len(text) < MAX_PAYLOAD else None
        if read is not None and _UNLAWFUL.search(text):
            json.dumps(payload, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        text, problem = repr(payload), f"not JSON data: {_problem(error)}"
        read = as_data(payload) if len(text) < MAX_PAYLOAD else None
    whole = f"{question}\n{answer}\n{text}".encode("utf-8", "replace")
    return {
        "question": _clean(question, MAX_TEXT),
        "question_type": type(question).__name__,
        "length": len(question) if isinstance(question, str) else -1,
        "answer": None if answer is None else _clean(answer, MAX_TEXT),
        "answer_type": type(answer).__name__,
        "payload": read,
        "payload_problem": problem,
        "digest": hashlib.sha256(whole).hexdigest(),
    }


def as_data(value: Any, depth: int = 0) -> Any:
    """What may be told as JSON data; anything else as text."""
    if isinstance(value, dict) and depth < MAX_DEEP:
        return {_clean(key, 1_000): as_data(item, depth + 1) for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset) and depth < MAX_DEEP:
        listed = sorted(value, key=repr) if isinstance(value, set | frozenset) else value
        return [as_data(item, depth + 1) for item in listed]
    if value is None or type(value) is bool or (type(value) is float and math.isfinite(value)):
        return value
    if type(value) is int and value.bit_length() < MAX_BITS:
        return value
    if isinstance(value, int):
        return f"a whole number of {value.bit_length()} bits"
    return _clean(value, MAX_TEXT)


def _theirs(error: BaseException) -> bool:
    """Whether the library's code raised, or was at work when its time was over; not ours."""
    names = {frame.filename for frame in traceback.extract_tb(error.__traceback__)}
    return isinstance(error, running.TooSlow) or any(
        name.startswith((adapter.FOLDER, "<reference>", "<string>")) for name in names
    )


def _clean(value: Any, cap: int) -> str:
    return str(value)[:cap].encode("utf-8", "replace").decode()


def _problem(error: BaseException) -> str:
    try:
        return f"{type(error).__name__}: {_clean(error, 300)}"
    except Exception:  # noqa: BLE001 - its __str__ is foreign too
        return type(error).__name__


def _value(score: Any) -> tuple[float | None, str]:
    if type(score) is bool:
        return float(score), ""
    try:
        value = float(score)
    except (TypeError, ValueError) as error:
        return None, f"not a number: {_problem(error)}"
    if not math.isfinite(value):
        return None, f"not finite: {value}"
    return value, "" if isinstance(score, int | float) else f"of type {type(score).__name__}"


BOOTCAMP = Foreign()
