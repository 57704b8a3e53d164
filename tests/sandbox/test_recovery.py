"""Faults of our own machinery: retried, bounded, never the candidate's; and nothing is left behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from uuid import uuid4

import pytest
from docker import DockerClient

from bootcamp_kit.errors import MachineError
from sandbox.box import Box
from sandbox.calls import JobOutcome
from sandbox.limits import JobLimits
from sandbox.ownership import RUN_LABEL, Owner
from sandbox.service import Sandbox, SandboxSettings
from sandbox.sweep import sweep_orphans
from tests.sandbox.adding_task import generate, program, task_files

pytestmark = pytest.mark.docker


@pytest.fixture
def client(sandbox: Sandbox) -> Iterator[DockerClient]:
    client = sandbox.engine.connect()
    yield client
    client.close()


def containers(client: DockerClient, run_id: str) -> list[str]:
    found = client.api.containers(all=True, filters={"label": f"{RUN_LABEL}={run_id}"})
    return [str(item["State"]) for item in found]


def test_a_container_killed_behind_our_back_changes_no_observation(sandbox: Sandbox, client: DockerClient) -> None:
    calls = [generate(seed) for seed in range(300)]
    with sandbox.box(task_files()) as box:
        undisturbed = [seen.value for seen in box.batch(calls)]
        killed = []

        def kill(done: int, total: int) -> None:
            if done == 10:
                killed.append(box.container_id)
                client.api.kill(box.container_id)

        seen = box.batch(calls, progress=kill)
        assert [one.value for one in seen] == undisturbed and all(one.ok for one in seen)
        assert killed and killed[0] != box.container_id

        assert box.fresh(calls[0]).ok
        client.api.remove_container(box.container_id, force=True)
        assert box.fresh(calls[0]).value == undisturbed[0]
        with box.session() as session:
            assert session.call(calls[1]).value == undisturbed[1]
            client.api.kill(box.container_id)
            assert session.call(calls[2]).value == undisturbed[2]


def test_the_death_of_what_forks_is_a_fault_of_ours(sandbox: Sandbox, client: DockerClient) -> None:
    def kill_the_forker(container: str) -> None:
        agent = client.api.inspect_container(container)["State"]["Pid"]
        children = Path(f"/proc/{agent}/task/{agent}/children")
        if os.geteuid() or not children.exists():
            pytest.skip("its processes are not ours to end")
        os.kill(int(children.read_text().split()[0]), signal.SIGKILL)

    with sandbox.box(task_files()) as box:
        first = box.fresh(generate(1)).value
        kill_the_forker(box.container_id)
        assert box.fresh(generate(1)).value == first  # between jobs: another is begun
        with box.session() as session:
            assert session.call(generate(1)).value == first
            busy = box.container_id
            kill_the_forker(busy)
            end = time.monotonic() + 15
            while client.api.inspect_container(busy)["State"]["Running"]:
                assert time.monotonic() < end, "the agent lives on without what forks"
                time.sleep(0.02)
            assert session.call(generate(1)).value == first and box.container_id != busy


def test_a_box_with_unread_answers_is_removed(sandbox: Sandbox) -> None:
    """A removal without shutting the socket down first waits for somebody to read the stream."""
    files = task_files("def generate(self, rng, params): return 'x' * 4_000_000")

    def stop(done: int, total: int) -> None:
        raise ZeroDivisionError

    with sandbox.box(files) as box:
        with pytest.raises(ZeroDivisionError):
            box.batch([generate(seed) for seed in range(30)], progress=stop)
        box.close()


def test_a_call_that_meets_only_faults_is_observed_as_infrastructure(sandbox: Sandbox, client: DockerClient) -> None:
    """Somebody kills each container while it works on the second call."""
    import threading

    with Sandbox(SandboxSettings(retries=1)) as own, own.box({}, JobLimits(wall_s=200)) as box:
        stop = threading.Event()

        def kill_all() -> None:
            killer = own.engine.connect()
            done: set[str] = set()
            while not stop.wait(0.02):
                now = box.container_id
                if now and now not in done and box._job is not None and not box._job.in_step:
                    time.sleep(0.3)  # let it begin the call
                    done.add(now)
                    killer.api.kill(now)
            killer.close()

        thread = threading.Thread(target=kill_all)
        with box.session() as session:
            assert session.call(program("print(1)")).ok
            thread.start()
            seen = session.call(program("import time; time.sleep(100)"))
            stop.set()
            thread.join()
            assert seen.outcome is JobOutcome.INFRASTRUCTURE and "after 2 containers" in seen.error
            assert session.call(program("print(2)")).ok


def test_an_engine_that_starts_nothing_is_a_machine_error(sandbox: Sandbox) -> None:
    with Sandbox(SandboxSettings(retries=1)) as own:
        box = own.box(task_files())
        gone = Box(replace(box._launch, image="bootcamp-sandbox:absent"), {}, JobLimits(), own._pool, retries=1)
        with pytest.raises(MachineError, match="2 attempts failed"), gone:
            pass


def test_an_exception_leaves_no_container(client: DockerClient) -> None:
    settings = SandboxSettings()
    with pytest.raises(ZeroDivisionError), Sandbox(settings) as sandbox, sandbox.box(task_files()) as box:
        assert box.fresh(generate(1)).ok and containers(client, settings.run_id) == ["running"]
        raise ZeroDivisionError
    assert containers(client, settings.run_id) == []


def test_a_forgotten_box_is_removed_with_its_sandbox(client: DockerClient) -> None:
    settings = SandboxSettings()
    with Sandbox(settings) as sandbox:
        box = sandbox.box(task_files()).__enter__()
        assert box.fresh(generate(1)).ok
    assert containers(client, settings.run_id) == []


SCRIPT = """
import sys
from sandbox.service import Sandbox, SandboxSettings
from tests.sandbox.adding_task import program
from sandbox.limits import JobLimits

with Sandbox(SandboxSettings(run_id=sys.argv[1])) as sandbox, sandbox.box({}, JobLimits(wall_s=600)) as box:
    assert box.fresh(program("print(1)")).ok
    print("working", flush=True)
    with box.session() as session:
        session.call(program("import time; time.sleep(500)"))
"""


def start_and_signal(client: DockerClient, run_id: str, number: int) -> int:
    """In the middle of a call that would take minutes."""
    working = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(SCRIPT), run_id], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    with working:
        assert working.stdout is not None and working.stdout.readline() == b"working\n"
        assert len(containers(client, run_id)) == 1
        time.sleep(0.3)
        os.kill(working.pid, number)
        return working.wait(240)


def test_ctrl_c_in_the_middle_of_a_call_leaves_no_container(client: DockerClient) -> None:
    run_id = f"test-interrupt-{uuid4().hex}"
    assert start_and_signal(client, run_id, signal.SIGINT) in (-signal.SIGINT, 130, 1)
    assert containers(client, run_id) == []


def test_a_killed_run_is_swept_up_by_the_next_one(client: DockerClient) -> None:
    """Or by anybody else's: other tests use the same engine, and one may come first."""
    run_id = f"test-killed-{uuid4().hex}"
    assert start_and_signal(client, run_id, signal.SIGKILL) == -signal.SIGKILL
    sweep_orphans(client, Owner.current(), time.time())
    end = time.monotonic() + 120
    while containers(client, run_id):  # another's sweep is at it
        assert time.monotonic() < end
        time.sleep(0.05)


def test_the_sweep_leaves_the_living_alone(sandbox: Sandbox, client: DockerClient) -> None:
    with sandbox.box(task_files()) as box:
        sweep_orphans(client, Owner.current(), time.time())
        before = box.container_id
        assert box.fresh(generate(1)).ok and box.container_id == before
