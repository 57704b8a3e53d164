"""Fixtures shared by all rooms."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

from bootcamp_kit.errors import MachineError
from sandbox.service import Sandbox, SandboxSettings

settings.register_profile("any machine", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("any machine")  # a busy machine is no finding


@pytest.fixture(scope="session")
def sandbox() -> Iterator[Sandbox]:
    """An entered sandbox on a real engine. Mark tests that use it ``docker``.

    Without an engine the test is skipped with the reason; under CI (``CI`` set) it fails.
    """
    try:
        entered = Sandbox(SandboxSettings()).__enter__()
    except MachineError as error:
        if os.environ.get("CI"):
            pytest.fail(f"no sandbox under CI: {error}")
        pytest.skip(f"no sandbox: {error}")
    try:
        yield entered
    finally:
        entered.__exit__(None, None, None)
