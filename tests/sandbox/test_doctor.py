from __future__ import annotations

from pathlib import Path

import pytest

from sandbox.doctor import diagnose
from sandbox.service import SandboxSettings


def test_without_an_engine_the_diagnosis_says_what_to_do(tmp_path: Path) -> None:
    (found,) = diagnose(SandboxSettings(docker_host=f"unix://{tmp_path}/absent.sock"))
    assert not found.ok and "absent.sock" in found.seen and "ensure_engine.sh" in found.do


@pytest.mark.docker
def test_on_a_good_engine_everything_is_contained(sandbox: object) -> None:
    found = diagnose(SandboxSettings())
    assert [one for one in found if not one.ok] == []
    assert [one.name for one in found][:4] == ["engine", "limits", "image", "a job"] and len(found) == 15
