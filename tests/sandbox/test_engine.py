from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from bootcamp_kit.errors import MachineError
from sandbox.container import DockerLaunch
from sandbox.engine import find_engine, missing_limits, weaknesses
from sandbox.faults import InfrastructureFault
from sandbox.service import Sandbox

GOOD: dict[str, Any] = {
    "MemoryLimit": True,
    "SwapLimit": True,
    "CpuCfsQuota": True,
    "PidsLimit": True,
    "SecurityOptions": ["name=seccomp,profile=default"],
    "OSType": "linux",
    "Architecture": "x86_64",
}


def test_a_capable_engine_lacks_nothing() -> None:
    assert missing_limits(GOOD) == () == weaknesses(GOOD)


@pytest.mark.parametrize(
    ("change", "missing", "weak"),
    [
        ({"MemoryLimit": False}, "memory limit", "no memory limit"),
        ({"PidsLimit": False}, "process count limit", "no process count limit"),
        ({"CpuCfsQuota": False}, "CPU quota", "no CPU quota"),
        ({"SecurityOptions": None}, "seccomp profile", "no seccomp profile"),
        ({"OSType": "windows"}, "Linux containers", "no Linux containers"),
        ({"SwapLimit": False}, "", "no swap limit"),
        ({"Architecture": "riscv64"}, "", "no system call filter for riscv64"),
    ],
)
def test_what_is_missing_is_named(change: dict[str, Any], missing: str, weak: str) -> None:
    info = {**GOOD, **change}
    assert missing_limits(info) == ((missing,) if missing else ())
    assert any(weak in told for told in weaknesses(info))


def test_podman_is_not_asked_about_what_it_answers_for_another_version() -> None:
    podman = {**GOOD, "CpuCfsQuota": False, "SwapLimit": False, "BuildahVersion": "1.28.2", "CgroupVersion": "2"}
    assert missing_limits(podman) == () == weaknesses(podman)
    assert missing_limits({**podman, "CgroupVersion": "1"}) == ("CPU quota",)


def test_a_named_engine_that_does_not_answer_is_an_error_and_not_passed_over(tmp_path: Path) -> None:
    with pytest.raises(MachineError, match=r"absent\.sock"):
        find_engine(f"unix://{tmp_path}/absent.sock")
    with pytest.raises(MachineError, match=r"absent\.sock \(DOCKER_HOST\)"):
        find_engine(environ={"DOCKER_HOST": f"unix://{tmp_path}/absent.sock"})


def test_an_unknown_context_is_an_error() -> None:
    with pytest.raises(MachineError, match="nowhere"):
        find_engine(environ={"DOCKER_CONTEXT": "nowhere"})


@pytest.mark.docker
@pytest.mark.parametrize(
    ("option", "told"),
    [("nano_cpus", "CPU quota"), ("pids_limit", "process count limit"), ("mem_limit", "memory limit")],
)
def test_a_container_without_a_limit_is_refused_whatever_the_engine_says(
    sandbox: Sandbox, option: str, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = DockerLaunch.options
    left_out = {option, "memswap_limit"} if option == "mem_limit" else {option}
    monkeypatch.setattr(
        DockerLaunch, "options", lambda self: {key: value for key, value in whole(self).items() if key not in left_out}
    )
    with pytest.raises(InfrastructureFault, match=told):
        sandbox._launch(0).start()


@pytest.mark.docker
def test_the_engine_says_what_it_is(sandbox: Sandbox) -> None:
    engine = sandbox.engine
    assert engine.missing == () and engine.version in str(engine)
    again = find_engine(engine.url)
    assert again == engine
    environment = sandbox.environment
    assert environment.image_digest.startswith("sha256:") and environment.limits["pids"] == 64


@pytest.mark.docker
def test_an_engine_that_cannot_enforce_a_limit_is_refused_unless_weak_is_allowed(httpserver: Any) -> None:
    httpserver.expect_request("/version").respond_with_json({"ApiVersion": "1.41"})
    httpserver.expect_request("/v1.41/info").respond_with_json({**GOOD, "PidsLimit": False, "ServerVersion": "1"})
    url = httpserver.url_for("").replace("http://", "tcp://")
    with pytest.raises(MachineError, match="cannot enforce: process count limit"):
        find_engine(url)
    assert find_engine(url, allow_weak=True).weak == ("no process count limit",)
