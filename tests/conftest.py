"""Fixtures shared by all rooms."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

from bootcamp_kit.errors import MachineError
from sandbox.service import Sandbox, SandboxSettings

settings.register_profile("any machine", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("any machine")  # a busy machine is no finding


def pytest_configure() -> None:
    """Where a shell started the tests in the background they ignore Ctrl-C, and so would the programs they start."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


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
