"""One box for all cases of a backend, and what is asked after each."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

import bootcamp_kit
from bootcamp_kit.errors import MachineError
from sandbox.backends import NAMES, BubbleBackend, DockerBackend
from sandbox.box import Box
from sandbox.calls import Observation
from sandbox.image.build import ImageInfo, ensure_image
from sandbox.limits import JobLimits
from sandbox.service import Sandbox, SandboxSettings
from tests.sandbox.adding_task import program

ROOT = Path(bootcamp_kit.__file__).parents[1]
LIMITS = JobLimits(wall_s=60, address_mb=128, output_bytes=1 << 20)
"""Of programs that end by themselves: a busy machine has time for them."""
HASTY = replace(LIMITS, wall_s=0.6)
"""Of programs that never end."""
CLEAN = """
import builtins, gc, os, sys
print(sorted(getattr(sys, 'marks', [])), __name__, os.getcwd(), len(os.environ))
print(sum(name.isdecimal() for name in os.listdir('/proc')), sorted(os.listdir('/proc/self/fd'))[:5], len(b'abc'))
"""


@dataclass(frozen=True)
class Fort:
    """A sandbox and its two boxes for hostile programs; the second is for those that never end."""

    name: str
    sandbox: Sandbox
    box: Box
    hasty: Box


ONE_USER = "bubblewrap, one user"
"""As an ordinary user would run it: jobs share the agent's user id. Set BOOTCAMP_ABUSE_ALL=1 to try that too."""
NO_FILTER = "docker, the engine's filter alone"
"""As on an architecture without a table of ours; with BOOTCAMP_ABUSE_ALL=1 too."""
RUNTIME = os.environ.get("BOOTCAMP_ABUSE_RUNTIME", "")
"""A stronger runtime that the engine has, tried alone: ``runsc``."""
STRONGER = f"docker under {RUNTIME or 'nothing else'}"
FORTS = (*NAMES, ONE_USER, NO_FILTER) if os.environ.get("BOOTCAMP_ABUSE_ALL") else NAMES
if RUNTIME:
    FORTS = (STRONGER,)


# What a shared user id gives away; none of it reaches the agent or the host (docs/sandbox.md).
KNOWN = {
    "the agent's descriptors": "their numbers can be listed, none can be opened",
    "its own memory from outside": "its own /proc/self/mem can be opened",
    "kernel settings": "only where the whole is run by root: the files are root's",
    "test_nothing_of_the_host_is_in_the_process": "the user id is 0 inside its namespace",
    "test_more_rights_are_not_to_be_had": "it may become the user that it is",
    "test_every_job_is_another_user": "it is not",
    "killing the agent": "no error; the kernel keeps the signal from PID 1",
    "stopping the agent": "no error; the kernel keeps the signal from PID 1",
    "killing what forks": "it may: that ends the job, and another is begun",
    "stopping what forks": "it may: it is woken when it is needed",
}


# What can be done under the engine's profile alone. None of it stays or reaches anything: `held` asks after each.
KNOWN_WITHOUT = {
    **dict.fromkeys(("-forks]", "-clones]"), "it may, up to the container's limit, and all are killed after the job"),
    "an anonymous file": "in memory that counts as its own",
    "call 434": "a handle of another process, good for nothing without its user",
    "test_every_listed_call_is_refused": "only the engine's list is",
    "test_calls_of_another_architecture_kill": "they are refused or harmless",
    "test_the_32_bit_gate_kills": "the kernel's and the engine's answer",
    **dict.fromkeys(
        ("TCP]", "UDP]", "a listener]", "netlink]", "vsock]", "kernel ciphers]", "an abstract socket]"),
        "a socket can be made, and there is nothing to reach",
    ),
    "a program]": "of the image, as the same user in the same container",
    "a subprocess]": "as above",
    "a spawned program]": "as above",
    "a worker]": "as above",
    "a double fork]": "as above",
}


# What gVisor's own kernel does otherwise (release 20221219, seen on 2026-11-30); nothing of it reaches another job.
KNOWN_STRONGER = {
    "threads]": "it does not count processes; the memory limit ends them",
    "the_whole_container": "it ends as a whole and says nothing of memory: the machinery's fault, so no verdict",
    "shared memory files]": "there is a folder for them, empty and closed",
    "the agent's environment]": "can be read, and holds no secret",
    "the agent's map]": "can be read",
    "the agent's descriptors]": "can be listed",
    "test_no_descriptor_of_the_agent": "its /dev/null can be opened, none of its pipes",
    "test_the_32_bit_gate_kills": "taken for a usual call, it seems (that number is writev), which the filter sees",
    "test_more_rights_are_not_to_be_had": "it does not show whether new rights are excluded",
}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        for fort, known in ((ONE_USER, KNOWN), (NO_FILTER, KNOWN_WITHOUT), (STRONGER, KNOWN_STRONGER)):
            for name, reason in known.items():
                if fort in item.name and name in item.name:
                    item.add_marker(pytest.mark.xfail(strict=True, reason=reason))


@pytest.fixture(scope="session", params=FORTS)
def fort(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Fort]:
    if request.param == "docker":
        sandbox: Sandbox = request.getfixturevalue("sandbox")
        with sandbox.box({}, LIMITS) as box, sandbox.box({}, HASTY) as hasty:
            yield Fort(request.param, sandbox, box, hasty)
        return
    if request.param == STRONGER:
        settings = SandboxSettings(runtime=RUNTIME)
        with Sandbox(settings) as sandbox, sandbox.box({}, LIMITS) as box, sandbox.box({}, HASTY) as hasty:
            yield Fort(request.param, sandbox, box, hasty)
        return
    if request.param == NO_FILTER:
        with Sandbox(SandboxSettings(allow_weak=True)) as sandbox:
            assert isinstance(sandbox.backend, DockerBackend)
            sandbox.backend._images["plain"] = _image_without_filter(sandbox, tmp_path_factory.mktemp("code"))
            with sandbox.box({}, LIMITS) as box, sandbox.box({}, HASTY) as hasty:
                yield Fort(request.param, sandbox, box, hasty)
        return
    if shutil.which("bwrap") is None:
        pytest.skip("bubblewrap is not installed")
    settings = SandboxSettings(backend="bubblewrap", cache=tmp_path_factory.mktemp("roots"), allow_weak=True)
    try:
        with Sandbox(settings) as sandbox:
            if request.param == ONE_USER and isinstance(sandbox.backend, BubbleBackend):
                sandbox.backend.program = replace(sandbox.backend.program, root=False)
            with sandbox.box({}, LIMITS) as box, sandbox.box({}, HASTY) as hasty:
                yield Fort(request.param, sandbox, box, hasty)
    except MachineError as error:
        pytest.skip(f"no bubblewrap: {error}")


def _image_without_filter(sandbox: Sandbox, code: Path) -> ImageInfo:
    """Today's agent, but that it knows no architecture."""
    for package in ("bootcamp_kit", "sandbox"):
        shutil.copytree(ROOT / package, code / package, ignore=shutil.ignore_patterns("__pycache__"))
    with (code / "sandbox" / "guest" / "seccomp.py").open("a") as module:
        module.write("\nMACHINES = {}\n")
    client = sandbox.engine.connect()
    try:
        return ensure_image(client, code_root=code)
    finally:
        client.close()


@pytest.fixture(scope="session")
def canary(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file of the host that everybody may write, and whose place a job is told."""
    path = tmp_path_factory.mktemp("host") / "canary"
    path.write_text("alive\n")
    path.chmod(0o666)
    return path


@pytest.fixture(autouse=True)
def held(fort: Fort, canary: Path) -> Iterator[None]:
    """After each case: the agent answers, the next job is unmarked, and the host is as it was."""
    clean = fort.box.fresh(program(CLEAN)).value
    assert clean is not None and "[] __main__" in clean["stdout"]
    before = _host(canary)
    yield
    after = fort.box.fresh(program(CLEAN))
    assert after.value == clean, after
    assert _host(canary) == before


@pytest.fixture
def run(fort: Fort, canary: Path) -> Callable[[str], Observation]:
    """Run one hostile program in a process of its own; ``{canary}`` in it is a path of the host."""
    return lambda source: fort.box.fresh(program(source.replace("{canary}", str(canary))))


@pytest.fixture
def run_out(fort: Fort) -> Callable[[str], Observation]:
    """Run one hostile program that never ends."""
    return lambda source: fort.hasty.fresh(program(source))


def _host(canary: Path) -> dict[str, object]:
    """What a job must not be able to change: files, what listens, System V objects; processes of other users' jobs."""
    places = [Path(place) for place in ("/", "/etc", "/dev", "/usr/bin", "/root") if os.access(place, os.X_OK)]
    return {
        "canary": (canary.read_text(), sorted(path.name for path in canary.parent.iterdir())),
        "files": sorted(str(path) for place in places for path in place.iterdir() if _is_job_uid(_owner(path))),
        "listening": _listening_of_jobs(),
        "shared memory": _job_owned("/proc/sysvipc/shm"),
        "processes": sum(map(_is_stray, Path("/proc").iterdir())),
    }


def _owner(path: Path) -> int:
    """-1 where somebody else took it away meanwhile: the host is not the test's alone."""
    try:
        return path.lstat().st_uid
    except OSError:
        return -1


def _is_job_uid(uid: int) -> bool:
    return 200_000 <= uid < 250_000


def _listening_of_jobs() -> int:
    rows = [line.split() for name in ("tcp", "tcp6") for line in Path(f"/proc/net/{name}").read_text().splitlines()[1:]]
    return sum(row[3] == "0A" and _is_job_uid(int(row[7])) for row in rows)


def _job_owned(table: str) -> int:
    path = Path(table)
    return sum(_is_job_uid(int(line.split()[7])) for line in path.read_text().splitlines()[1:]) if path.exists() else 0


def _is_stray(process: Path) -> bool:
    """A process with a job's user id that is not in a process namespace of its own."""
    if not process.name.isdecimal():
        return False
    try:
        status = (process / "status").read_text()
    except OSError:
        return False
    uid = re.search(r"^Uid:\s+(\d+)", status, re.MULTILINE)
    levels = re.search(r"^NSpid:\s+(.*)$", status, re.MULTILINE)
    return bool(uid and _is_job_uid(int(uid[1])) and levels and len(levels[1].split()) < 2)
