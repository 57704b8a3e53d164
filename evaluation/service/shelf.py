"""The tasks a service offers, and the checks of what clients name."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from bootcamp_kit.card import Card
from bootcamp_kit.case import Case
from bootcamp_kit.errors import UsageError
from bootcamp_kit.folder import TaskFolder
from bootcamp_kit.jsondata import Json
from evaluation.export.items import identity_text, lineage
from evaluation.export.judge import read_identity
from evaluation.export.licences import refusal
from evaluation.scoring import Judgement, MadeCase
from evaluation.service.limits import Refused

SHOWN = 80
MAX_IDENTITY = 2_000_000


@dataclass(frozen=True, slots=True)
class Offered:
    """A task as it is served: its card and its hash, read once."""

    folder: TaskFolder
    card: Card
    content_hash: str

    @classmethod
    def of(cls, folder: TaskFolder) -> Offered:
        """Read both."""
        return cls(folder, folder.card, folder.content_hash)


class Shelf:
    """Tasks by id.

    Args:
        folders: Task id → files.
        allowed: Licences whose cases go out although the rules refuse them.

    Raises:
        UsageError: no task, or a licence that lets no case out.
    """

    def __init__(self, folders: Mapping[str, TaskFolder], allowed: tuple[str, ...] = ()) -> None:
        if not folders:
            raise UsageError("serve", "no task is named", "bootcamp serve TASK… (or `all`)")
        self.folders = dict(sorted(folders.items()))
        self._offered = {name: Offered.of(folder) for name, folder in self.folders.items()}
        for name, task in self._offered.items():
            if why := refusal(task.card.source.licence, allowed):
                raise UsageError(f"serving {name}", why, "leave it out, or --allow-licence NAME")

    def task(self, task_id: str) -> Offered:
        """A task.

        Raises:
            Refused: it is not served here (404).
        """
        found = self._offered.get(task_id)
        if found is None:
            some = ", ".join(list(self.folders)[:20])
            raise Refused(404, "unknown-task", f"task {task_id[:SHOWN]!r}", "not served here", f"served: {some}")
        return found

    def params(self, task_id: str, level: int) -> Mapping[str, Json]:
        """The parameters of a level.

        Raises:
            Refused: no such task or level (404).
        """
        try:
            return self.task(task_id).card.difficulty.params(level)
        except UsageError as error:
            raise Refused(404, "unknown-level", f"level {level} of {task_id}", error.found, error.do) from error

    def case(self, identity: str | Mapping[str, Any]) -> Case:
        """The case that an identity describes.

        Raises:
            Refused: not an identity (422), of a task that is not served (404), or of other bytes of it (409).
        """
        try:
            size = len(identity) if isinstance(identity, str) else len(json.dumps(identity))
            if size > MAX_IDENTITY:
                raise UsageError("the identity of a case", f"{size} characters", f"at most {MAX_IDENTITY}")
            case, content_hash = read_identity(identity)
        except (ValueError, RecursionError) as error:
            found = f"{type(error).__name__}: nested too deeply, or no JSON"
            raise Refused(422, "bad-identity", "the identity of a case", found, "send that of /v1/sample") from error
        except UsageError as error:
            raise Refused(422, "bad-identity", error.asked, error.found, "send the identity of /v1/sample") from error
        task = self.task(case.task_id)
        self.params(case.task_id, case.level)
        if content_hash != task.content_hash:
            found = f"made by {str(content_hash)[:12]}, served is {task.content_hash[:12]}"
            do = "sample again, or serve the library that the data was made from"
            raise Refused(409, "other-version", f"a case of {case.task_id}", found, do)
        return case

    def listed(self, task_id: str) -> dict[str, Json]:
        """What a client may know of a task."""
        task = self.task(task_id)
        card = task.card
        return {
            "task_id": card.id,
            "version": card.version,
            "title": card.title,
            "summary": card.summary,
            "family": card.family,
            "licence": card.source.licence,
            "levels": len(card.difficulty.levels),
            "content_hash": task.content_hash,
        }

    def made(self, task_id: str, seed: int, found: MadeCase | Judgement) -> dict[str, Json]:
        """A case for a client, or why there is none."""
        if isinstance(found, Judgement):
            return {"seed": seed, "unscored": str(found.unscored), "detail": found.detail}
        task = self.task(task_id)
        return {
            "seed": seed,
            "prompt": found.prompt,
            "identity": identity_text(found.case, task.content_hash),
            "lineage": lineage(task.card, task.content_hash, found.case, found.case.key),
        }


def scored(judgement: Judgement) -> dict[str, Json]:
    """A judgement for a client: ``score`` is null when there is none."""
    score = judgement.score
    if score is None:
        return {
            "score": None,
            "outcome": "unscored",
            "reason": "",
            "unscored": str(judgement.unscored),
            "detail": judgement.detail,
            "answer": None,
        }
    return {
        "score": score.value,
        "outcome": score.outcome.value,
        "reason": score.reason,
        "unscored": None,
        "detail": "",
        "answer": judgement.answer,
    }
