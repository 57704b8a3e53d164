"""Any task as a class with InternBootcamp's v1 methods: a drop-in for its data generator and its trainers.

Source: ``internbootcamp/bootcamp/base.py`` of InternLM/InternBootcamp (interface only; no code is taken from it).

What is the same: method names, arguments, defaults and the order in which length, ``</think>`` and answer are judged.
What is different: a verifier that crashes raises here; there it silently scores ``format_score``.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from bootcamp_kit.case import Answer, Case, Outcome
from bootcamp_kit.errors import Malformed, UsageError
from bootcamp_kit.library import Task, load


class InternBootcampTask:
    """Base of the classes that :func:`as_internbootcamp` makes. ``task`` is set on each of them.

    Args:
        level: Difficulty level of the cases.
        start: Seed of the first case; each further case takes the next one.
    """

    task: Task

    def __init__(self, *, level: int = 1, start: int = 0) -> None:
        self.task.card.difficulty.params(level)
        self.level, self._next_seed = level, start

    def case_generator(self) -> dict[str, Any]:
        """The next case as its *identity*: JSON data that ``prompt_func`` and ``verify_score`` take back."""
        case = self.task.case(self.level, self._next_seed)
        self._next_seed += 1
        return {
            "task_id": case.task_id,
            "content_hash": self.task.content_hash,
            "level": case.level,
            "seed": case.seed,
            "params": dict(case.params),
            "payload": case.payload,
        }

    @classmethod
    def prompt_func(cls, identity: dict[str, Any]) -> str:
        """The prompt of a case."""
        return cls.task.prompt(cls._case(identity))

    @classmethod
    def extract_output(cls, output: str) -> Answer | None:
        """The parsed answer, or None where the response holds no well-formed one."""
        try:
            return cls.task.bootcamp.parse(output)
        except Malformed:
            return None

    @classmethod
    def _verify_correction(cls, solution: Answer, identity: dict[str, Any]) -> bool | float:
        """What an answer of :meth:`extract_output` is worth; False, to which theirs gives ``format_score``, if nothing.

        Raises:
            UsageError: the identity belongs to another task.
            Exception: what the verifier raises.
        """
        score = cls.task.bootcamp.verify(cls._case(identity), solution)
        return score.value if score.outcome is Outcome.PARTIAL else score.outcome is Outcome.CORRECT

    @classmethod
    def verify_score(
        cls,
        model_output: str,
        identity: dict[str, Any],
        format_score: float = 0,
        short_penalty: bool = True,
        short_threshold: int = 100,
        format_penalty: bool = True,
    ) -> float:
        """Score a response.

        Returns:
            0 for a response shorter than ``short_threshold`` characters (if ``short_penalty``), without ``</think>``
            (if ``format_penalty``) or without a well-formed answer; ``format_score`` for a wrong answer; else the
            score.

        Raises:
            UsageError: the identity belongs to another task.
            Exception: what the verifier raises.
        """
        case = cls._case(identity)
        if short_penalty and len(model_output) < short_threshold:
            return 0.0
        if format_penalty and "</think>" not in model_output:
            return 0.0
        score = cls.task.score(case, model_output)
        if score.outcome is Outcome.MALFORMED:
            return 0.0
        return float(format_score) if score.outcome is Outcome.WRONG else score.value

    @classmethod
    def _case(cls, identity: dict[str, Any]) -> Case:
        if not isinstance(identity, dict) or identity.get("task_id") != cls.task.card.id:
            raise UsageError(f"case of {cls.task.card.id}", "the identity belongs to another task", "use its own class")
        return Case(identity["task_id"], identity["level"], identity["seed"], identity["params"], identity["payload"])


def as_internbootcamp(task_id: str, *, root: Path | str | None = None) -> type[InternBootcampTask]:
    """A class named ``<TaskId>bootcamp`` for one approved task; see ``library.load`` for errors."""
    name = "".join(part.capitalize() for part in task_id.split("_")) + "bootcamp"
    return type(name, (InternBootcampTask,), {"task": load(task_id, root=root), "__doc__": f"Task {task_id}."})
