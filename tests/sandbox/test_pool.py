"""Containers that wait: handed out once, bounded by memory, gone at the end."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest
from docker import DockerClient

from sandbox.faults import InfrastructureFault
from sandbox.guest.frames import Frame
from sandbox.limits import ContainerLimits
from sandbox.ownership import RUN_LABEL
from sandbox.pool import WAITING_MB
from sandbox.service import Sandbox, SandboxSettings
from tests.sandbox.adding_task import generate, task_files

pytestmark = pytest.mark.docker


@pytest.fixture
def client(sandbox: Sandbox) -> Iterator[DockerClient]:
    client = sandbox.engine.connect()
    yield client
    client.close()


def ids(client: DockerClient, settings: SandboxSettings) -> set[str]:
    found = client.api.containers(all=True, filters={"label": f"{RUN_LABEL}={settings.run_id}"})
    return {str(item["Id"]) for item in found}


def until(holds: Callable[[], bool]) -> None:
    end = time.monotonic() + 120
    while not holds():
        assert time.monotonic() < end, "it never came about"
        time.sleep(0.02)


def waiting(sandbox: Sandbox) -> int:
    return sum(map(len, sandbox._pool._waiting.values()))


def test_an_announced_container_is_ready_at_once_and_serves_one_box_only(client: DockerClient) -> None:
    settings = SandboxSettings()
    with Sandbox(settings) as sandbox:
        sandbox.warm(2)
        until(lambda: waiting(sandbox) == 2)
        prepared = ids(client, settings)
        with sandbox.box(task_files(), hash_seed=7) as box:
            first = box.container_id
            assert first in prepared and box.fresh(generate(1)).ok and box.hash_seed == 7
        with sandbox.box(task_files(), hash_seed=7) as box:
            assert box.container_id != first and box.fresh(generate(1)).ok
    assert ids(client, settings) == set()


def hash_of_a_word(sandbox: Sandbox, hash_seed: int) -> tuple[str, str]:
    """The container that answered, and what ``hash`` gives in it."""
    bootcamp = task_files()["bootcamp.py"] + b"\nprint(hash('word'))\n"
    with sandbox.box({**task_files(), "bootcamp.py": bootcamp}, hash_seed=hash_seed) as box:
        seen = box.fresh(generate(1))
        assert seen.ok, seen
        return box.container_id, seen.stderr.strip()


def test_a_container_that_waited_takes_the_hash_seed_it_is_asked_for(client: DockerClient) -> None:
    seeds = (5, 4294967295)
    with Sandbox(SandboxSettings(warm_mb=0)) as sandbox:
        expected = {seed: hash_of_a_word(sandbox, seed)[1] for seed in seeds}
    assert len(set(expected.values())) == 2 and all(expected.values())
    settings = SandboxSettings()
    with Sandbox(settings) as sandbox:
        sandbox.warm(2)
        until(lambda: sandbox.warm_count() == 2)
        prepared = ids(client, settings)
        for seed, text in expected.items():
            container, seen = hash_of_a_word(sandbox, seed)
            assert container in prepared and seen == text


def test_what_was_asked_for_twice_is_kept_waiting(client: DockerClient) -> None:
    settings = SandboxSettings()
    with Sandbox(settings) as sandbox:
        for asked in range(3):
            with sandbox.box(task_files(), hash_seed=1) as box:
                assert box.fresh(generate(1)).ok
            if asked:
                until(lambda: waiting(sandbox) == 1)
            else:
                assert waiting(sandbox) == 0
        until(lambda: len(ids(client, settings)) == 1)
    assert ids(client, settings) == set()


def test_with_all_cores_in_use_only_what_needs_no_second_start_is_started_beforehand() -> None:
    with Sandbox(SandboxSettings()) as sandbox:
        sandbox._pool._cores = 0
        for _ in range(2):
            with sandbox.box(task_files(), hash_seed=5):
                assert not sandbox._pool._coming.total() and not waiting(sandbox)
        with sandbox.box(task_files()):
            assert sandbox._pool._coming.total() + waiting(sandbox) == 1


def test_no_more_wait_than_the_memory_allows_and_the_oldest_kind_goes_first(client: DockerClient) -> None:
    settings = SandboxSettings(warm_mb=2 * WAITING_MB)
    with Sandbox(settings) as sandbox:
        for memory_mb in (201, 202, 203):
            sandbox._pool.warm(replace(sandbox._launch(0), limits=ContainerLimits(memory_mb=memory_mb)))
            until(lambda: not sandbox._pool._coming.total())
        until(lambda: len(ids(client, settings)) == 2)
        held = [key[2].memory_mb for key, kind in sandbox._pool._waiting.items() if kind]  # type: ignore[index]
        assert held == [202, 203]
    with Sandbox(SandboxSettings(warm_mb=0)) as none:
        none.warm()
        assert not none._pool._coming.total()


def test_a_waiting_container_that_died_or_grew_old_is_not_handed_out(client: DockerClient) -> None:
    settings = SandboxSettings(container=ContainerLimits(idle_s=30))
    with Sandbox(settings) as sandbox:
        for spoil in ("kill", "age"):
            sandbox.warm()
            until(lambda: waiting(sandbox) == 1)
            (held,) = next(kind for kind in sandbox._pool._waiting.values() if kind)
            if spoil == "kill":
                client.api.kill(held.id)
                until(lambda: not held.is_alive())  # noqa: B023 - called at once
            else:
                held.last_used -= 26
            with sandbox.box(task_files(), hash_seed=5) as box:
                assert box.fresh(generate(1)).ok and box.container_id != held.id


def test_an_engine_that_starts_nothing_spoils_no_waiting(sandbox: Sandbox) -> None:
    """The failure belongs to whoever needs a container, not to the pool."""
    sandbox._pool.warm(replace(sandbox._launch(99), image="bootcamp-sandbox:absent"))
    until(lambda: not sandbox._pool._coming.total())


def test_an_agent_that_has_a_task_takes_no_other_hash_seed(sandbox: Sandbox) -> None:
    with sandbox.box(task_files(), hash_seed=5) as box:
        first = box._container
        assert first and box.fresh(generate(1)).ok
        first.send(Frame("reseed", {"hash_seed": 6}))
        with pytest.raises(InfrastructureFault):
            first.receive(5)
        assert box.fresh(generate(1)).ok and box.container_id != first.id
