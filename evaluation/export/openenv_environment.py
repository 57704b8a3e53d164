"""An OpenEnv environment over approved tasks. Imported only where openenv is installed.

One episode is one case: ``reset`` gives the prompt, the one ``step`` takes the response and ends it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import uuid4

from openenv.core.env_server.http_server import (  # type: ignore[import-not-found,unused-ignore]
    create_fastapi_app,
)
from openenv.core.env_server.interfaces import Environment  # type: ignore[import-not-found,unused-ignore]
from openenv.core.env_server.types import (  # type: ignore[import-not-found,unused-ignore]
    Action,
    EnvironmentMetadata,
    Observation,
    State,
)
from pydantic import Field

from bootcamp_kit import __version__
from bootcamp_kit.errors import UsageError
from bootcamp_kit.library import Task, load
from evaluation.export.items import identity_text, lineage
from evaluation.export.judge import default_judge
from evaluation.export.openenv import reward

SEEDS = 10**6
"""A reset without a seed draws one below this from the episode's own id."""


class BootcampAction(Action):  # type: ignore[misc,unused-ignore]
    """The model's whole response."""

    response: str


class BootcampObservation(Observation):  # type: ignore[misc,unused-ignore]
    """The prompt before the step; what it earned after it."""

    prompt: str = ""
    outcome: str = ""
    reason: str = ""
    error: str = Field("", description="Why there is no reward: unscored, or no case under way.")


class BootcampState(State):  # type: ignore[misc,unused-ignore]
    """Which case is under way."""

    task_id: str = ""
    level: int = 0
    seed: int = 0


class BootcampEnvironment(Environment):  # type: ignore[misc,unused-ignore]
    """Cases of approved tasks of the default library.

    Args:
        tasks: By id, each once.
        level: Used where ``reset`` names none.
    """

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self, tasks: dict[str, Task], level: int = 1) -> None:
        super().__init__()
        if not tasks:
            raise UsageError("OpenEnv environment", "no task is named", "name at least one")
        self._tasks, self._level = tasks, level
        self._identity = ""
        self._state = BootcampState()

    def reset(self, seed: int | None = None, episode_id: str | None = None, **kwargs: Any) -> BootcampObservation:
        """Begin a case; ``task_id`` and ``level`` choose it. Without ``task_id`` the seed chooses among the tasks.

        Raises:
            UsageError: no such task or level.
        """
        episode = episode_id or uuid4().hex
        seed = int(uuid4().int % SEEDS) if seed is None else seed
        names = sorted(self._tasks)
        task_id, level = str(kwargs.get("task_id") or names[seed % len(names)]), int(kwargs.get("level") or self._level)
        task = self._tasks.get(task_id)
        if task is None:
            raise UsageError(f"task {task_id[:80]!r}", "not in this environment", f"one of {', '.join(names[:20])}")
        case = task.case(level, seed)
        self._identity = identity_text(case, task.content_hash)
        self._state = BootcampState(episode_id=episode, step_count=0, task_id=task_id, level=level, seed=seed)
        told = lineage(task.card, task.content_hash, case, case.key)
        return BootcampObservation(prompt=task.prompt(case), done=False, reward=None, metadata=told)

    def step(self, action: BootcampAction, timeout_s: float | None = None, **kwargs: Any) -> BootcampObservation:
        """Score the response; the episode is over."""
        if not self._identity:
            error = "no case is under way: reset first"
            return BootcampObservation(done=True, reward=None, outcome="unscored", error=error)
        identity, self._identity = self._identity, ""
        self._state.step_count += 1
        return BootcampObservation(done=True, **reward(default_judge().one(identity, action.response)))

    @property
    def state(self) -> BootcampState:
        """The case under way, or the last one."""
        return self._state

    def get_metadata(self) -> EnvironmentMetadata:
        """What OpenEnv shows of it."""
        words = f"Verifiable reasoning: {', '.join(sorted(self._tasks))[:500]}"
        return EnvironmentMetadata(name="bootcamp", description=words, version=__version__)


def create_server(task_ids: Sequence[str], *, level: int = 1, sessions: int = 64) -> Any:
    """A FastAPI application that serves the environment, one for each session."""
    tasks = {name: load(name) for name in task_ids}
    return create_fastapi_app(
        lambda: BootcampEnvironment(tasks, level), BootcampAction, BootcampObservation, max_concurrent_envs=sessions
    )
