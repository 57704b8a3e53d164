"""``bootcamp mcp`` as a coding agent meets it: a process of its own, MCP over stdio, the real gate, the real queue."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters, stdio_client
from mcp.types import Implementation

from authoring.drafts import read_files
from authoring.prompts import Prompts
from authoring.runs import list_runs
from bootcamp_kit.report import Verdict
from chat_models.protocol import ChatReply, StopReason, Usage
from review.queue import Queue
from tests.authoring.cast import as_request, cast
from tests.authoring.planted import reply_of
from tests.wire_servers.openai_server import OpenAIServer

BRIEF = """+++
id = "exact_load"
family = "puzzles"
title = "Exact load"
licence = "CC0-1.0"
+++
Choose crates that weigh exactly the load.
"""


def server(tmp_path: Path, *arguments: str, **variables: str) -> StdioServerParameters:
    (tmp_path / "brief.md").write_text(BRIEF)
    clean = {key: value for key, value in os.environ.items() if not key.startswith("BOOTCAMP_")}
    environment = {**clean, "BOOTCAMP_STATE": str(tmp_path / "state"), "HOME": str(tmp_path), **variables}
    return StdioServerParameters(
        command=sys.executable, args=["-m", "bootcamp_cli", "mcp", *arguments], env=environment, cwd=tmp_path
    )


def session(parameters: StdioServerParameters) -> Client:
    return Client(stdio_client(parameters), client_info=Implementation(name="scripted-agent", version="1"))


async def called(client: Client, tool: str, **arguments: Any) -> dict[str, Any]:
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, result.content
    assert result.structured_content is not None
    return result.structured_content


def worked_example() -> dict[str, str]:
    return read_files(ChatReply(Prompts().example, StopReason.END, Usage(), "m"))


@pytest.mark.docker
async def test_an_agent_authors_a_task_over_stdio_and_it_waits_for_a_reviewer(tmp_path: Path) -> None:
    opponents = OpenAIServer()
    played = cast()
    opponents.answer = lambda body: reply_of(played(as_request(body)))
    roles = {
        "BOOTCAMP_ROLES": '{"opponent": "openai:m"}',
        "OPENAI_API_KEY": "sk-test",
        "OPENAI_BASE_URL": opponents.url,
    }
    with opponents:
        await author_and_queue(tmp_path, server(tmp_path, "brief.md", **roles))
    assert len(opponents.requests) == 5, "a second judge, two attacks, two blind solvers"
    (run,) = list_runs(tmp_path / "state")
    async with session(server(tmp_path, "--resume", run.run_id)) as client:
        assert (await called(client, "list_briefs"))["result"][0]["standing"] == "queued"


async def author_and_queue(tmp_path: Path, parameters: StdioServerParameters) -> None:
    async with session(parameters) as client:
        listed = (await called(client, "list_briefs"))["result"]
        assert [brief["id"] for brief in listed] == ["exact_load"]
        faulty = {**worked_example(), "oracle.py": worked_example()["oracle.py"].replace("case.payload", "{}")}
        first = await called(client, "submit_candidate", brief="exact_load", files=faulty)
        assert first["verdict"] == "fail"
        assert "oracle" in first["report"]
        refused = await client.call_tool("queue_candidate", {"candidate": first["candidate"]})
        assert refused.is_error
        mended = {"oracle.py": worked_example()["oracle.py"]}
        second = await called(client, "repair_candidate", candidate=first["candidate"], files=mended)
        assert (second["verdict"], second["parent"]) == ("pass", first["candidate"])
        queued = await called(client, "queue_candidate", candidate=second["candidate"])
        assert queued["author"] == "agent:scripted-agent"
    with Queue(tmp_path / "state" / "queue.sqlite", create=False) as queue:
        item = queue.item(second["candidate"])
    assert (item.author, item.lineage.parent) == ("agent:scripted-agent", first["candidate"])
    assert item.report.verdict is Verdict.PASS
    assert item.report.figure("oppose.voices", "second") == "credible"
    (run,) = list_runs(tmp_path / "state")
    assert (run.state, run.counts["queued"]) == ("finished", 1)


async def test_without_an_engine_briefs_and_contract_can_still_be_read(tmp_path: Path) -> None:
    parameters = server(tmp_path, "brief.md", "--as", "house")
    parameters.env = {**(parameters.env or {}), "BOOTCAMP_DOCKER_HOST": "unix:///nowhere.sock"}
    async with session(parameters) as client:
        assert (await called(client, "read_contract"))["result"].startswith("# The contract")
        sent = {"brief": "exact_load", "files": worked_example()}
        result = await client.call_tool("submit_candidate", sent)
        assert result.is_error
        assert "Choose crates" in (await called(client, "read_brief", brief="exact_load"))["result"]
