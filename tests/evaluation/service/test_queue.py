"""The queue without HTTP: a machine that fails, work that shares a batch."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

from bootcamp_kit.case import Case
from bootcamp_kit.folder import TaskFolder
from evaluation.plan import CaseRef
from evaluation.scoring import MadeCase, Unscored
from evaluation.service.lanes import Lanes
from evaluation.service.limits import ServiceLimits
from evaluation.service.queue import WorkQueue


def queue_of(folders: dict[str, TaskFolder], lanes: Lanes, sizes: list[int]) -> WorkQueue:
    def params(task_id: str, level: int) -> Mapping[str, Any]:
        return folders[task_id].card.difficulty.params(level)

    return WorkQueue(lanes, ServiceLimits(workers=2), params, lambda items, seconds: sizes.append(items))


async def test_a_machine_that_fails_leaves_responses_unscored_and_the_service_not_ready(
    folders: dict[str, TaskFolder],
) -> None:
    lanes = Lanes(folders, None, most=4)
    queue = queue_of(folders, lanes, [])
    assert queue.well
    lanes.close()
    [found] = await queue.score("doubling", [(Case("doubling", 1, 1, {}, {"n": 1}), "x")])
    assert found.score is None and found.unscored is Unscored.MACHINE and not queue.well
    await queue.close()


async def test_what_cannot_be_sent_on_fails_alone(folders: dict[str, TaskFolder]) -> None:
    queue = queue_of(folders, Lanes(folders, None, most=4), [])
    deep: Any = []
    for _ in range(100_000):
        deep = [deep]
    good = [(Case("doubling", 1, 1, {}, {"n": 1}), "<answer>2</answer>")]
    bad = [(Case("doubling", 1, 1, {}, {"n": deep}), "x")]
    await queue.score("doubling", good)
    asked = [queue.score("doubling", bad if number == 3 else good) for number in range(8)]
    found = await asyncio.gather(*asked, return_exceptions=True)
    assert isinstance(found[3], RecursionError)
    assert all(isinstance(item, list) and item[0].score for number, item in enumerate(found) if number != 3)
    await queue.close()


async def test_work_that_waits_together_is_scored_together(folders: dict[str, TaskFolder]) -> None:
    sizes: list[int] = []
    queue = queue_of(folders, Lanes(folders, None, most=4), sizes)
    [made] = await queue.sample("doubling", [CaseRef(3, 1)])
    assert isinstance(made, MadeCase)
    right = 2 * made.case.payload["n"]
    parts = await asyncio.gather(
        *(queue.score("doubling", [(made.case, f"<answer>{right + number % 2}</answer>")]) for number in range(200))
    )
    assert [part[0].score.value for part in parts if part[0].score] == [1.0, 0.5] * 100
    assert sum(sizes) == 201 and len(sizes) < 60 and max(sizes) <= 64 and queue.load == 0
    await queue.close()
