"""A verifiers v1 taskset. Imported by verifiers only, through ``bootcamp_taskset.py``, as an id is a top-level module.

An unscored response raises, which verifiers records as the trace's error; prime-rl masks such a rollout.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Any

import verifiers.v1 as vf  # type: ignore[import-not-found,unused-ignore]
from pydantic import Field

from bootcamp_kit.library import load
from evaluation.export.items import Counts, Selection, items
from evaluation.export.judge import default_judge
from evaluation.export.reasoning_gym import reward

__all__ = ["BootcampTaskset"]


class BootcampConfig(vf.TasksetConfig):  # type: ignore[misc,unused-ignore]
    """Which cases: task ids of the default library, levels (empty: all), seeds."""

    tasks: list[str] = Field(default_factory=list)
    levels: list[int] = Field(default_factory=list)
    start: int = 0
    end: int = 1_000


class BootcampData(vf.TaskData):  # type: ignore[misc,unused-ignore]
    """A case on the wire."""

    identity: str
    lineage: dict[str, Any] = Field(default_factory=dict)


class BootcampTask(vf.Task[BootcampData]):  # type: ignore[misc,unused-ignore]
    """One case."""

    @property
    def key(self) -> str:
        """``task/level/seed/payload key``: does not change with the position in the set."""
        return f"{self.data.name}/{self.data.lineage['key']}"

    @vf.reward  # type: ignore[untyped-decorator,unused-ignore]
    async def correctness(self, trace: Any) -> float:
        """The score of the last reply."""
        return reward(await asyncio.to_thread(default_judge().one, self.data.identity, trace.last_reply))


class BootcampTaskset(vf.Taskset[BootcampTask, BootcampConfig]):  # type: ignore[misc,unused-ignore]
    """Distinct cases of approved tasks, in the order task, level, seed."""

    def load(self) -> Iterable[BootcampTask]:
        """Make the cases."""
        config = self.config
        selection = Selection(tuple(config.levels) or None, config.start, config.end)
        for item in items([load(name) for name in config.tasks], selection, Counts()):
            data = BootcampData(
                name=item.name, prompt=item.prompt, identity=item.identity(), lineage=dict(item.lineage())
            )
            yield BootcampTask(data)
