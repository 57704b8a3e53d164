"""The operations of the function server (``sandbox/calls.py`` has their table), run in a job's own process."""

from __future__ import annotations

import json
import marshal
from collections.abc import Callable, Mapping
from types import CodeType
from typing import Any

from bootcamp_kit.case import Case, Score
from bootcamp_kit.contract import Bootcamp, Oracle
from bootcamp_kit.errors import Malformed
from bootcamp_kit.jsondata import Json
from bootcamp_kit.loading import load_bootcamp, load_oracle, package_name
from bootcamp_kit.seeds import rng_for
from sandbox.guest.plain import WrongType, require_plain, require_str, type_name
from sandbox.guest.stdin_pipe import make_empty, stdin_pipe

_NO_REFERENCES = 2
"""Version of the snapshots: equal data, equal bytes, whatever objects are shared or interned."""


class ArgumentChanged(RuntimeError):
    """A callee changed an argument: the contract says that every method is pure."""


class TaskOps:
    """Loads one task on first use and answers calls on it."""

    def __init__(self, files: Mapping[str, bytes], max_output: int) -> None:
        self._files, self.max_output = files, max_output
        self._package = package_name(files)
        self._bootcamp: Bootcamp | None = None
        self._oracle: Oracle | None = None
        self._programs: dict[str, CodeType] = {}
        self._ops: dict[str, Callable[[Any], Json]] = {
            "load": self._load,
            "generate": self._generate,
            "prompt": self._prompt,
            "parse": self._parse,
            "verify": self._verify,
            "score": self._score,
            "solve": self._solve,
            "program": self._program,
        }

    def answer(self, op: str, args: Any) -> Json:
        """Run one call. Whatever the task raises passes through."""
        return self._ops[op](args)

    @property
    def bootcamp(self) -> Bootcamp:
        """The task's bootcamp, loaded on first use."""
        if self._bootcamp is None:
            self._bootcamp = load_bootcamp(self._package, self._files)
        return self._bootcamp

    @property
    def oracle(self) -> Oracle:
        """The task's oracle, loaded on first use."""
        if self._oracle is None:
            self._oracle = load_oracle(self._package, self._files)
        return self._oracle

    def _load(self, args: Any) -> Json:
        return {"bootcamp": type(self.bootcamp).__name__, "oracle": type(self.oracle).__name__}

    def _generate(self, args: Any) -> Json:
        rng = rng_for(args["task_id"], args["level"], args["seed"])
        before = snapshot(args["params"])
        payload = self.bootcamp.generate(rng, args["params"])
        require_unchanged(before, args["params"], "params")
        require_plain(payload, "payload")
        return payload

    def _prompt(self, args: Any) -> Json:
        case = _case(args["case"])
        before = snapshot(args["case"])
        text = self.bootcamp.prompt(case)
        require_unchanged(before, args["case"], "case")
        require_str(text, "prompt")
        return text

    def _parse(self, args: Any) -> Json:
        try:
            answer = self.bootcamp.parse(args["response"])
        except Malformed as malformed:
            require_str(malformed.reason, "Malformed.reason")
            return {"malformed": malformed.reason}
        require_plain(answer, "answer")
        return {"answer": answer}

    def _verify(self, args: Any) -> Json:
        case = _case(args["case"])
        before = snapshot([args["case"], args["answer"]])
        score = self.bootcamp.verify(case, args["answer"])
        require_unchanged(before, [args["case"], args["answer"]], "case or answer")
        return _score_to_json(score)

    def _score(self, args: Any) -> Json:
        case = _case(args["case"])
        before = snapshot(args["case"])
        score = Bootcamp.score(self.bootcamp, case, args["response"])
        require_unchanged(before, args["case"], "case")
        return _score_to_json(score)

    def _solve(self, args: Any) -> Json:
        case = _case(args["case"])
        before = snapshot(args["case"])
        response = self.oracle.solve(case)
        require_unchanged(before, args["case"], "case")
        require_str(response, "solve's response")
        return response

    def _program(self, args: Any) -> Json:
        from bootcamp_kit.stdio_program import run_program

        source = args["source"]
        if source not in self._programs:
            self._programs[source] = compile(source, "<program>", "exec", dont_inherit=True)
        code, stdin = self._programs[source], args["stdin"]
        if not stdin:
            make_empty()
            return {"stdout": run_program(code, stdin, max_output=self.max_output)}
        with stdin_pipe(stdin.encode()):
            return {"stdout": run_program(code, stdin, max_output=self.max_output)}


def snapshot(argument: Json) -> bytes:
    """What :func:`require_unchanged` compares with."""
    return marshal.dumps(argument, _NO_REFERENCES)


def require_unchanged(before: bytes, argument: Json, what: str) -> None:
    """Compare an argument with what it was, as JSON text; equal snapshots settle that three times as fast.

    Raises:
        ArgumentChanged: they differ.
    """
    try:
        if marshal.dumps(argument, _NO_REFERENCES) == before:
            return
    except ValueError:
        pass  # not plain data any more, perhaps still the same text
    try:
        after = json.dumps(argument)
    except (TypeError, ValueError):
        after = ""
    if after != json.dumps(marshal.loads(before)):
        raise ArgumentChanged(f"the {what} was changed by the call")


def _case(raw: Any) -> Case:
    return Case(raw["task_id"], raw["level"], raw["seed"], raw["params"], raw["payload"])


def _score_to_json(score: Any) -> Json:
    if type(score) is not Score:
        raise WrongType(f"score is of type {type_name(score)}, not bootcamp_kit.case.Score")
    Score(score.value, score.outcome, score.reason)  # again: a frozen dataclass can be changed behind its back
    return {"value": score.value, "outcome": score.outcome.value, "reason": score.reason}
