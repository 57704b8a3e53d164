"""The servers as pytest fixtures."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeVar

import pytest

from tests.wire_servers.anthropic_server import AnthropicServer
from tests.wire_servers.openai_server import OpenAIServer
from tests.wire_servers.responses_server import ResponsesServer
from tests.wire_servers.server import WireServer

ServerT = TypeVar("ServerT", bound=WireServer)


@pytest.fixture
def openai_server() -> Iterator[OpenAIServer]:
    yield from _served(OpenAIServer())


@pytest.fixture
def anthropic_server() -> Iterator[AnthropicServer]:
    yield from _served(AnthropicServer())


@pytest.fixture
def responses_server() -> Iterator[ResponsesServer]:
    yield from _served(ResponsesServer())


def _served(server: ServerT) -> Iterator[ServerT]:
    with server:
        yield server
    assert not server.faults, server.faults
