"""A container with a folder that all jobs may write to is refused: they could leave files for each other."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from sandbox.container import DockerLaunch
from sandbox.faults import InfrastructureFault
from sandbox.guest.writable import writable
from sandbox.limits import ContainerLimits
from sandbox.service import Sandbox


@pytest.mark.parametrize(("mode", "open_to_all"), [(0o777, True), (0o1777, True), (0o755, False), (0o770, False)])
def test_a_folder_that_all_may_write_to_is_seen(tmp_path: Path, mode: int, open_to_all: bool) -> None:
    place = tmp_path / "shared"
    place.mkdir()
    place.chmod(mode)
    assert writable([str(place), str(tmp_path / "missing")]) == [str(place)] * open_to_all


@dataclass(frozen=True, slots=True)
class _Careless(DockerLaunch):
    mount: str = "mode=1777"

    def options(self) -> dict[str, Any]:
        return {**DockerLaunch.options(self), "tmpfs": {"/run": self.mount}}


@pytest.mark.docker
def test_a_container_with_such_a_folder_is_refused(sandbox: Sandbox) -> None:
    usual = sandbox.backend.launch("plain", ContainerLimits(), 0)
    assert isinstance(usual, DockerLaunch)
    common = (usual.engine, usual.image, usual.limits, 0, usual.labels)
    with pytest.raises(InfrastructureFault, match="leave files for each other"):
        _Careless(*common).start()
    _Careless(*common, mount="ro,mode=1777").start().close()
    _Careless(*common, allow_weak=True).start().close()
