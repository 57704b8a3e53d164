"""Scores responses inside a trainer's process: three-valued, each task in a child that can be killed."""

from __future__ import annotations

import functools
import json
import os
from collections.abc import Mapping, Sequence
from threading import Lock
from typing import Any

from bootcamp_kit.case import Case
from bootcamp_kit.errors import UsageError
from bootcamp_kit.folder import TaskFolder
from bootcamp_kit.library import ENVIRONMENT_KEY, Library, approved_hash
from evaluation.boxes import Boxes
from evaluation.scoring import Judgement, judge

KEEP = 64
"""Child processes kept, one for each task in use."""


class Judge:
    """Scores (identity, response) pairs with the approved tasks of a library. Safe for several threads.

    A library that lacks the task, or has other bytes of it than the data was made from, is an error and not a score.
    """

    def __init__(self, library: Library | None = None, *, keep: int = KEEP) -> None:
        self._library = library
        self._folders: dict[str, TaskFolder] = {}
        self._hashes: dict[str, str] = {}
        self._places: dict[str, str] = {}
        self._boxes = Boxes(self._folders, None, keep=keep)
        self._lock = Lock()

    def __enter__(self) -> Judge:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the child processes."""
        self._boxes.__exit__(None, None, None)

    def one(self, identity: str | Mapping[str, Any], response: str, *, answers: bool = False) -> Judgement:
        """One response.

        Raises:
            UsageError: the identity is not one of ours, or belongs to another version of the task.
            MachineError: no child process can be started.
        """
        return self.many([(identity, response)], answers=answers)[0]

    def many(self, pairs: Sequence[tuple[str | Mapping[str, Any], str]], *, answers: bool = False) -> list[Judgement]:
        """Several responses, in order; those of one task in one batch. ``answers``: what the parser read as well.

        Raises:
            UsageError: as :meth:`one`.
            MachineError: no child process can be started.
        """
        by_task: dict[str, list[tuple[int, Case, str]]] = {}
        for index, (identity, response) in enumerate(pairs):
            case, content_hash = read_identity(identity)
            self._require(case.task_id, content_hash)
            by_task.setdefault(case.task_id, []).append((index, case, response))
        found: dict[int, Judgement] = {}
        for task_id, group in by_task.items():
            judged = judge(
                self._boxes.asker(task_id), [(case, response) for _, case, response in group], answers=answers
            )
            found |= {index: item for (index, _, _), item in zip(group, judged, strict=True)}
        return [found[index] for index in range(len(pairs))]

    def _require(self, task_id: str, content_hash: str) -> None:
        with self._lock:
            if task_id not in self._folders:
                library = self._library or Library.default()
                entry = library.entry(task_id)
                folder = TaskFolder.read(entry.path)
                if approved_hash(entry.path) != folder.content_hash:
                    raise UsageError(
                        f"scoring {task_id}", f"it is not approved as it is in {library.root}", "have it reviewed"
                    )
                self._folders[task_id], self._hashes[task_id] = folder, folder.content_hash
                self._places[task_id] = str(library.root)
            known = self._hashes[task_id]
        if known != content_hash:
            raise UsageError(
                f"scoring {task_id}",
                f"the data was made by {str(content_hash)[:12]}, {self._places[task_id]} holds {known[:12]}",
                f"name the library the data was exported from in {ENVIRONMENT_KEY}, or export again",
            )


def default_judge() -> Judge:
    """The judge of this process over the default library; a forked worker gets its own."""
    return _judge_of(os.getpid())


@functools.lru_cache(maxsize=2)
def _judge_of(pid: int) -> Judge:
    return Judge()


def read_identity(identity: str | Mapping[str, Any]) -> tuple[Case, str]:
    """The case of an identity, and the content hash of the task that made it.

    Raises:
        UsageError: not an identity.
    """
    try:
        raw = json.loads(identity) if isinstance(identity, str) else identity
        case = Case(raw["task_id"], raw["level"], raw["seed"], raw["params"], raw["payload"])
        if not (isinstance(case.task_id, str) and isinstance(case.params, Mapping)):
            raise TypeError("task_id is text, params an object")
        if type(case.level) is not int or type(case.seed) is not int:
            raise TypeError("level and seed are integers")
        return case, raw["content_hash"]
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        found = f"not readable: {type(error).__name__}: {error}"
        raise UsageError("the identity of a case", found[:200], "pass the column that the export wrote") from error
