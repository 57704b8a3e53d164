"""The bubblewrap backend: chosen by name, honest about what is missing, gone when closed."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from bootcamp_kit.errors import InternalError, MachineError, UsageError
from sandbox.bubble import find_bubblewrap
from sandbox.calls import JobOutcome
from sandbox.cgroups import Delegation, delegated
from sandbox.limits import ContainerLimits, JobLimits
from sandbox.service import Sandbox, SandboxSettings
from tests.sandbox.adding_task import generate, program, task_files

needs_bwrap = pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed")


@pytest.fixture(scope="module")
def roots(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("roots")


def settings(roots: Path) -> SandboxSettings:
    return SandboxSettings(backend="bubblewrap", cache=roots, allow_weak=True)


def is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def groups() -> set[Path]:
    return {folder for parent in delegated().parents.values() for folder in parent.glob("bootcamp-sandbox-*")}


def is_empty(group: Path) -> bool:
    """Whether nobody is in it. Other tests make groups at the same time; theirs soon have somebody in them."""
    try:
        return not (group / "cgroup.procs").read_text()
    except OSError:
        return False


def test_a_backend_is_named_and_never_guessed() -> None:
    with pytest.raises(UsageError, match="bubblewrap"):
        Sandbox(SandboxSettings(backend="podman")).__enter__()


def test_without_the_program_it_says_so(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(MachineError, match="install the package bubblewrap"):
        find_bubblewrap()


@needs_bwrap
def test_a_program_that_makes_no_namespaces_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    fake = tmp_path / "bwrap"
    fake.write_text(
        "#!/bin/sh\n[ \"$1\" = --version ] && echo bubblewrap 0.8.0 && exit 0\necho 'no\033[31m' >&2; exit 1\n"
    )
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    with pytest.raises(MachineError, match=r"cannot make namespaces: no\\x1b"):
        find_bubblewrap(allow_weak=True)
    fake.write_text("#!/bin/sh\necho bubblewrap 0.3.1\n")
    with pytest.raises(MachineError, match="too old"):
        find_bubblewrap(allow_weak=True)


@needs_bwrap
def test_it_answers_and_leaves_neither_process_nor_group(roots: Path) -> None:
    before = groups()
    with Sandbox(settings(roots)) as sandbox:
        assert sandbox.environment.backend == "bubblewrap" and "bubblewrap" in sandbox.environment.engine
        assert sandbox.environment.weak and sandbox.environment.image_digest.startswith("sha256:")
        with pytest.raises(InternalError, match="bubblewrap"):
            _ = sandbox.engine
        with sandbox.box(task_files(), hash_seed=5) as box:
            first = int(box.container_id.rpartition("-")[2])
            assert is_running(first)
            assert box.fresh(generate(1)).value == box.batch([generate(1)])[0].value
            assert box.fresh(program("while True: pass")).outcome is JobOutcome.TIMEOUT
            assert box.fresh(generate(2)).ok and not is_running(first)
            os.kill(int(box.container_id.rpartition("-")[2]), signal.SIGKILL)
            assert box.fresh(generate(2)).ok
            last = int(box.container_id.rpartition("-")[2])
        sandbox.warm()
    assert not is_running(last)
    end = time.monotonic() + 60
    while left := [group for group in groups() - before if is_empty(group)]:
        assert time.monotonic() < end, left
        time.sleep(0.05)


@needs_bwrap
def test_the_same_files_give_the_same_digest_as_in_an_engine_and_are_unpacked_once(roots: Path) -> None:
    from sandbox.image.build import content_of
    from sandbox.image.unpacked import ensure_root

    first, path = ensure_root(roots)
    second, again = ensure_root(roots)
    assert first.digest == second.digest == f"sha256:{content_of().digest}" and path == again and not second.built
    assert not [entry for entry in roots.iterdir() if entry.name.startswith(".")]


@needs_bwrap
@pytest.mark.skipif(bool(delegated().missing), reason="no control groups to make here")
def test_memory_of_the_whole_container_is_limited_by_its_group(roots: Path) -> None:
    with Sandbox(settings(roots)) as sandbox, sandbox.box({}, JobLimits(address_mb=4096, wall_s=200)) as box:
        seen = box.fresh(program("x = []\nwhile True: x.append(bytearray(1 << 20))"))
        assert seen.error == "the container's memory limit was reached"
        assert box.fresh(program("print(1)")).ok


SCRIPT = """
import sys
from pathlib import Path
from sandbox.limits import JobLimits
from sandbox.service import Sandbox, SandboxSettings
from tests.sandbox.adding_task import program

with Sandbox(SandboxSettings(backend="bubblewrap", cache=Path(sys.argv[1]), allow_weak=True)) as sandbox:
    with sandbox.box({}, JobLimits(wall_s=60)) as box:
        assert box.fresh(program("print(1)")).ok
        print(box.container_id, flush=True)
        box.fresh(program("import time; time.sleep(50)"))
"""


@needs_bwrap
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_an_interrupted_or_killed_host_takes_the_job_with_it(roots: Path, number: signal.Signals) -> None:
    """Also in the middle of a call: the agent sees that nobody waits any more."""
    command = [sys.executable, "-c", SCRIPT, str(roots)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as working:
        assert working.stdout is not None
        agent = int(working.stdout.readline().decode().rpartition("-")[2])
        time.sleep(0.3)
        os.kill(working.pid, number)
        working.wait(120)
    end = time.monotonic() + 60
    while is_running(agent):
        assert time.monotonic() < end
        time.sleep(0.05)


def test_groups_of_version_2_are_made_below_the_nearest_that_may_be_written(tmp_path: Path) -> None:
    """A tree that looks like the kernel's."""
    (tmp_path / "cgroup.controllers").touch()
    scope = tmp_path / "user" / "app" / "scope"
    scope.mkdir(parents=True)
    for folder, enabled in ((scope, ""), (scope.parent, "memory pids cpu"), (tmp_path / "user", "")):
        (folder / "cgroup.subtree_control").write_text(enabled)
        (folder / "cgroup.procs").touch()
    own = tmp_path / "own"
    own.write_text("0::/user/app/scope\n")
    found = delegated(tmp_path, own)
    assert found.missing == () and set(found.parents.values()) == {scope.parent} and found.version == 2
    (scope.parent / "cgroup.subtree_control").write_text("memory")
    assert delegated(tmp_path, own).missing == ("process count limit", "CPU quota")
    own.write_text("0::/\n")
    assert len(delegated(tmp_path, tmp_path / "absent").missing) == 3


def test_limits_are_written_before_anything_runs_and_a_failure_leaves_no_group(tmp_path: Path) -> None:
    where = Delegation(2, {"memory": tmp_path, "pids": tmp_path, "cpu": tmp_path})
    group = where.make(ContainerLimits())
    assert group is not None and [folder.parent for folder in group.folders] == [tmp_path]
    group.remove()
    assert list(tmp_path.iterdir()) == []
    assert Delegation(0).make(ContainerLimits()) is None
    with pytest.raises(OSError):
        Delegation(2, {"memory": tmp_path / "absent"}).make(ContainerLimits())
    where.make(ContainerLimits())
    where.sweep()
    assert list(tmp_path.iterdir()) == []
