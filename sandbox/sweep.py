"""Removes containers that nobody owns any more: by label, in every state, at the start and at the end of a run."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from sandbox.ownership import APP_LABEL, RUN_LABEL, Owner, is_orphan

if TYPE_CHECKING:
    from docker import DockerClient


def sweep_orphans(client: DockerClient, here: Owner, now: float) -> int:
    """Remove what earlier, dead runs left; how many."""
    return _remove(client, APP_LABEL, lambda labels: is_orphan(labels, here, now))


def sweep_run(client: DockerClient, run_id: str) -> int:
    """Remove everything this run started; how many."""
    return _remove(client, f"{RUN_LABEL}={run_id}", lambda labels: True)


def _remove(client: DockerClient, label: str, chosen: Callable[[dict[str, str]], bool]) -> int:
    from docker.errors import APIError

    removed = 0
    for found in client.api.containers(all=True, filters={"label": label}):
        if not chosen(found.get("Labels") or {}):
            continue
        try:
            client.api.remove_container(found["Id"], force=True, v=True)
            removed += 1
        except APIError as error:
            if error.status_code not in (404, 409):  # somebody else removed it, or is doing so now
                raise
    return removed
