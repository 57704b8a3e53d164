"""Judge stored responses again, with the task as it is now, into a new run; no model is asked.

A case that the new version of a task makes differently is unscored (``case-changed``): its response answered another
question.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from itertools import groupby

from bootcamp_kit.errors import UsageError
from bootcamp_kit.folder import TaskFolder
from evaluation.boxes import Boxes
from evaluation.plan import CaseRef, EvaluationPlan, PlannedTask
from evaluation.scoring import Judgement, MadeCase, Unscored, judge, make_cases
from evaluation.store import IndexLine, Rollout, RunStore

AT_ONCE = 64


@dataclass(frozen=True, slots=True)
class Flip:
    """A stored rollout whose verdict is another one now; verdicts in words."""

    rollout: str
    before: str
    after: str


def flips(old: RunStore, new: RunStore) -> list[Flip]:
    """The rollouts of both runs whose outcome, score or lack of one differs, in the order of the old run."""
    found = []
    for line in old.lines:
        now = new.find(line.id)
        if now is not None and _verdict(line) != _verdict(now):
            found.append(Flip(line.id, _verdict(line), _verdict(now)))
    return found


def _verdict(line: IndexLine) -> str:
    return f"{line.outcome} {line.value:g}" if line.value is not None else f"no score ({line.unscored})"


def rescore_plan(old: RunStore, folders: Mapping[str, TaskFolder], *, scorer: str, origin: str = "") -> EvaluationPlan:
    """The plan of the new run: the same cases, pinned to what was asked, under the content hashes of now.

    Its origin names the old plan, unless another one is given.

    Raises:
        UsageError: a task of the run is not given.
    """
    pinned = {(line.task_id, line.level, line.seed): line for line in old.lines if line.key}

    def pin(task_id: str, ref: CaseRef) -> CaseRef:
        line = pinned.get((task_id, ref.level, ref.seed))
        return CaseRef(ref.level, ref.seed, line.key, line.prompt_hash) if line else ref

    for task in old.plan.tasks:
        if task.task_id not in folders:
            raise UsageError(f"rescoring {task.task_id}", "its folder is not given", "name it, or merge it")
    tasks = tuple(
        PlannedTask(
            task.task_id,
            folders[task.task_id].content_hash,
            folders[task.task_id].card.family,
            tuple(pin(task.task_id, ref) for ref in task.cases),
        )
        for task in old.plan.tasks
    )
    return replace(old.plan, tasks=tasks, scorer=scorer, origin=origin or f"rescore of plan {old.plan.hash[:12]}")


def rescore(old: RunStore, new: RunStore, boxes: Boxes, tell: Callable[[int, int], None]) -> None:
    """Fill ``new`` from the responses in ``old``; goes on where a killed rescore stopped.

    Raises:
        MachineError: the sandbox or the disk failed.
    """
    lines = [line for line in old.lines if new.find(line.id) is None]
    done = len(old.lines) - len(lines)
    hashes = {task.task_id: task.content_hash for task in new.plan.tasks}
    for task_id, found in groupby(lines, key=lambda line: line.task_id):
        group = list(found)
        for start in range(0, len(group), AT_ONCE):
            part = [old.read(line) for line in group[start : start + AT_ONCE]]
            for rollout, judgement in zip(part, _judge(task_id, part, boxes), strict=True):
                new.append(_again(rollout, judgement, hashes[task_id]))
            done += len(part)
            tell(done, len(old.lines))
    _copy_prompts(old, new, lines)


def _judge(task_id: str, rollouts: list[Rollout], boxes: Boxes) -> list[Judgement]:
    ask, params = boxes.asker(task_id), boxes.folder(task_id).card.difficulty.params
    answered = [item for item in rollouts if item.response is not None]
    refs = list(dict.fromkeys(CaseRef(item.level, item.seed, item.key, item.prompt_hash) for item in answered))
    known = set(boxes.folder(task_id).card.difficulty.levels)
    possible = [ref for ref in refs if ref.level in known]
    made = dict(zip(possible, make_cases(ask, task_id, params, possible) if possible else [], strict=True))
    gone = Judgement(None, Unscored.CASE_CHANGED, "the task has no such level any more")
    cases = [made.get(CaseRef(item.level, item.seed, item.key, item.prompt_hash), gone) for item in answered]
    pairs = [
        (case.case, item.response or "")
        for item, case in zip(answered, cases, strict=True)
        if isinstance(case, MadeCase)
    ]
    scored = iter(judge(ask, pairs) if pairs else [])
    judged = iter([next(scored) if isinstance(case, MadeCase) else case for case in cases])
    return [next(judged) if item.response is not None else _kept(item) for item in rollouts]


def _kept(rollout: Rollout) -> Judgement:
    return Judgement(None, Unscored(rollout.unscored), rollout.detail)


def _again(rollout: Rollout, judgement: Judgement, content_hash: str) -> Rollout:
    score = judgement.score
    return replace(
        rollout,
        content_hash=content_hash,
        answer=judgement.answer,
        value=score.value if score else None,
        outcome=score.outcome.value if score else "",
        reason=score.reason if score else "",
        unscored=judgement.unscored.value if judgement.unscored else "",
        detail=judgement.detail,
    )


def _copy_prompts(old: RunStore, new: RunStore, lines: list[IndexLine]) -> None:
    wanted = {line.prompt_hash for line in lines if line.prompt_hash}
    for prompt_hash, prompt in old.prompts():
        if prompt_hash in wanted:
            new.keep_prompt(prompt_hash, prompt)
