from __future__ import annotations

from tests.wire_servers.fixtures import anthropic_server, openai_server, responses_server

__all__ = ["anthropic_server", "openai_server", "responses_server"]
