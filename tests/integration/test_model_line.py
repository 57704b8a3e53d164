"""From brief to merged commit with a model, over both wire protocols; the first draft has a hole."""

from pathlib import Path
from typing import Any

import pytest

from authoring.prompts import Prompts
from tests.integration.conftest import Place
from tests.wire_servers.anthropic_server import AnthropicServer
from tests.wire_servers.openai_server import OpenAIServer
from tests.wire_servers.reply import Reply, cuts, fails, refuses, says
from tests.wire_servers.server import WireServer

pytestmark = pytest.mark.docker

BRIEF = """+++
id = "crate_lift"
family = "puzzles"
title = "Crates in a lift"
licence = "CC0-1.0"
+++

A lift starts only when it carries exactly the load it was set to. Choose crates that weigh exactly that much.
"""
GOOD = Prompts().example
HOLE = """        if len(set(answer)) != len(answer):
            return Score.wrong("a crate is named twice")
"""
BAD = GOOD.replace(HOLE, "")
KEY = "sk-test-0123456789abcdef"


def brief(place: Place) -> str:
    path = place.home / "crate_lift.md"
    path.write_text(BRIEF)
    return str(path)


def merge_what_was_queued(place: Place, outcome: Any, author: str) -> None:
    assert outcome["kind"] == "queued", outcome
    ref = place.json("review", "list")[0]["ref"]
    assert place.json("review", "show", ref, "--no-cases")["author"] == author
    place.approve(ref)
    merged = place.json("merge", ref)[0]
    assert author in place.git("show", "-s", "--format=%B", merged["commit"])
    assert place.json("library", "sample", "crate_lift", "-n", "2")["cases"]


@pytest.mark.parametrize("server_name", ["openai_server", "anthropic_server"])
def test_a_hole_in_the_first_draft_is_repaired_reviewed_and_merged(
    server_name: str, place: Place, request: pytest.FixtureRequest
) -> None:
    assert BAD != GOOD
    server: WireServer = request.getfixturevalue(server_name)
    provider = server_name.split("_")[0]
    server.script([says(BAD, usage=(900, 700, 0)), says(GOOD, usage=(1500, 700, 0))])
    environment = {f"{provider.upper()}_API_KEY": KEY, f"{provider.upper()}_BASE_URL": server.url}
    arguments = ("author", brief(place), "--author", f"{provider}:test-model", "--candidates", "1")
    run = place.json(*arguments, **environment)
    assert len(server.requests) == 2
    assert "a crate is named twice" not in str(server.requests[0].json["messages"][-1])
    assert "names a crate twice" in str(server.requests[1].json["messages"][-1]), "the finding was fed back"
    assert run["spent"]["tokens"] == 3800
    merge_what_was_queued(place, run["outcomes"][0], f"{provider}:test-model")
    for path in place.state.rglob("*"):
        assert not path.is_file() or KEY.encode() not in path.read_bytes(), f"the key is in {path}"


def test_an_openai_compatible_server_needs_no_key(place: Place, openai_server: OpenAIServer) -> None:
    openai_server.script([says(GOOD)])
    spec = f"local:{openai_server.url}#tiny"
    run = place.json("author", brief(place), "--author", spec, "--candidates", "1")
    merge_what_was_queued(place, run["outcomes"][0], "local:tiny")


def test_a_returned_candidate_is_repaired_with_what_the_reviewer_said(
    place: Place, openai_server: OpenAIServer
) -> None:
    openai_server.script([says(GOOD)])
    environment = {"OPENAI_API_KEY": KEY, "OPENAI_BASE_URL": openai_server.url}
    flags = ("--author", "openai:test-model")
    place.json("author", brief(place), *flags, "--candidates", "1", **environment)
    ref = place.json("review", "list")[0]["ref"]
    place.bootcamp("review", "return", ref, code=5)
    place.bootcamp("review", "return", ref, "--reason", "Call them boxes, not crates.")
    openai_server.script([says(GOOD.replace("crate ", "box "))])
    place.bootcamp("repair", ref, *flags, **environment)
    assert "Call them boxes" in str(openai_server.requests[-1].json["messages"][-1])
    items = place.json("review", "list", "--all")
    items.sort(key=lambda item: item["state"], reverse=True)
    assert [item["state"] for item in items] == ["superseded", "queued"]
    lineage = place.json("review", "show", items[1]["ref"], "--no-cases")["lineage"]
    assert lineage["parent"].startswith(ref.split("@")[1])


@pytest.mark.parametrize(
    ("replies", "code", "kind", "said"),
    [
        ([says("I would rather write a poem about crates.")] * 3, 1, "exhausted", "prose"),
        ([says(GOOD[: len(GOOD) // 2], stop="length")] * 3, 1, "exhausted", "truncated"),
        ([says(GOOD.replace("BOOTCAMP = ExactLoad()", "CAMP = ExactLoad()"))] * 3, 1, "exhausted", "contract"),
        ([refuses("I can't help with that.")] * 3, 1, "refused", "refus"),
        ([fails(401, "bad key")], 3, "interrupted", "OPENAI_API_KEY"),
        ([fails(500, "broken")] * 9, 3, "failed", "500"),
        ([cuts(GOOD, 400)] * 9, 3, "failed", "connection to"),
        ([fails(429, "slow down", retry_after=1), says(GOOD)], 0, "queued", ""),
    ],
)
def test_what_a_model_or_provider_does_wrong_ends_in_a_named_outcome(
    replies: list[Reply], code: int, kind: str, said: str, place: Place, openai_server: OpenAIServer
) -> None:
    openai_server.script(replies)
    environment = {"OPENAI_API_KEY": KEY, "OPENAI_BASE_URL": openai_server.url}
    arguments = ("author", brief(place), "--author", "openai:test-model", "--candidates", "1")
    process = place.popen(*arguments, "--json", **environment)
    out, err = process.communicate(timeout=240)
    assert process.returncode == code, err
    assert f'"kind": "{kind}"' in out
    assert said in out + err
    assert KEY not in out + err
    assert "Traceback" not in err


def test_a_run_over_its_budget_goes_on_when_the_limit_is_raised(place: Place, openai_server: OpenAIServer) -> None:
    openai_server.script([says(BAD, usage=(900, 700, 0)), says(GOOD)])
    environment = {"OPENAI_API_KEY": KEY, "OPENAI_BASE_URL": openai_server.url}
    arguments = ("author", brief(place), "--author", "openai:test-model", "--candidates", "1", "--max-tokens", "1000")
    run = place.json(*arguments, code=4, **environment)
    assert [outcome["kind"] for outcome in run["outcomes"]] == ["over budget"]
    assert len(openai_server.requests) == 1
    assert place.json("runs")[0]["state"] == "unfinished"
    run = place.json("author", "--resume", "last", "--max-tokens", "9000", **environment)
    assert [outcome["kind"] for outcome in run["outcomes"]] == ["queued"]
    assert len(openai_server.requests) == 2


def test_a_failed_run_is_resumed_and_pays_only_for_what_is_missing(
    place: Place, anthropic_server: AnthropicServer
) -> None:
    environment = {"ANTHROPIC_API_KEY": KEY, "ANTHROPIC_BASE_URL": anthropic_server.url}
    anthropic_server.script([says(BAD), fails(401, "bad key")])
    arguments = ("author", brief(place), "--author", "anthropic:test-model", "--candidates", "1")
    place.bootcamp(*arguments, code=3, **environment)
    anthropic_server.script([says(GOOD)])
    run = place.json("author", "--resume", "last", **environment)
    assert run["outcomes"][0]["kind"] == "queued"
    assert len(anthropic_server.requests) == 3
    assert Path(place.state / "queue.sqlite").exists()
