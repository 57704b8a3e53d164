"""The desk through the official SDK's own client, in this process."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from mcp import Client
from mcp.types import Implementation, TextContent

from authoring.agents.mcp_server import build_server
from tests.authoring.agents.test_desk import Place, files
from tests.authoring.parts import mended, reply_with

TOOLS = {
    "list_briefs",
    "read_brief",
    "read_contract",
    "submit_candidate",
    "repair_candidate",
    "oppose_candidate",
    "read_report",
    "read_candidate",
    "queue_candidate",
}


def session(place: Place, author: str = "") -> Client:
    server = build_server(place.desk, version="1", author=author)
    return Client(server, client_info=Implementation(name="scripted-agent", version="1"))


def text(result: Any) -> str:
    (part,) = result.content
    assert isinstance(part, TextContent)
    return part.text


async def test_an_agent_goes_from_the_list_of_briefs_to_the_queue(tmp_path: Path) -> None:
    place = Place(tmp_path)
    async with session(place) as client:
        assert {tool.name for tool in (await client.list_tools()).tools} == TOOLS
        assert "exact_load_1" in text(await client.call_tool("list_briefs", {}))
        assert "Choose crates" in text(await client.call_tool("read_brief", {"brief": "exact_load_1"}))
        assert "BOOTCAMP" in text(await client.call_tool("read_contract", {}))
        sent = {"brief": "exact_load_1", "files": files(reply_with(fault=True))}
        first = (await client.call_tool("submit_candidate", sent)).structured_content
        assert first is not None
        assert first["verdict"] == "fail"
        refused = await client.call_tool("queue_candidate", {"candidate": first["candidate"]})
        assert refused.is_error
        assert "the gate says fail" in text(refused)
        sent = {"candidate": first["candidate"], "files": files(mended())}
        second = (await client.call_tool("repair_candidate", sent)).structured_content
        assert second is not None
        assert (second["verdict"], second["parent"]) == ("pass", first["candidate"])
        assert "verdict: pass" in text(await client.call_tool("read_report", {"candidate": second["candidate"]}))
        assert "scripted-agent" in text(await client.call_tool("read_candidate", {"candidate": second["candidate"]}))
        queued = (await client.call_tool("queue_candidate", {"candidate": second["candidate"]})).structured_content
        assert queued is not None
        assert (queued["queued"], queued["author"]) == ("Q1", "agent:scripted-agent")
    assert place.queue.submissions[second["candidate"]].candidate.lineage.author == "agent:scripted-agent"


async def test_a_name_given_to_the_server_stands_before_the_client_s_own(tmp_path: Path) -> None:
    place = Place(tmp_path)
    async with session(place, author="agent:house") as client:
        sent = {"brief": "exact_load_1", "files": files(reply_with())}
        made = (await client.call_tool("submit_candidate", sent)).structured_content
    assert made is not None
    assert place.run.artefacts.folder(made["candidate"]).card.author == "agent:house"


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("read_brief", {"brief": "../../etc/passwd"}),
        ("read_brief", {"brief": 7}),
        ("read_brief", {}),
        ("read_report", {"candidate": "x"}),
        ("submit_candidate", {"brief": "exact_load_1", "files": {"../x": "y"}}),
        ("submit_candidate", {"brief": "exact_load_1", "files": "card.toml"}),
        ("submit_candidate", {"brief": "exact_load_1", "files": {"card.toml": "x"}}),
        ("queue_candidate", {"candidate": "a" * 65}),
        ("approve_candidate", {"candidate": "x"}),
    ],
)
async def test_a_bad_call_is_answered_with_an_error_and_the_session_goes_on(
    tmp_path: Path, tool: str, arguments: dict[str, Any]
) -> None:
    from mcp import MCPError

    place = Place(tmp_path)
    async with session(place) as client:
        try:
            result = await client.call_tool(tool, arguments)
        except MCPError:
            pass
        else:
            assert result.is_error
        assert "exact_load_1" in text(await client.call_tool("list_briefs", {}))
    assert place.queue.calls == 0
