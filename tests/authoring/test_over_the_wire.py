"""Model authors through the official SDKs and real HTTP on loopback: good, bad, broken and refusing providers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from authoring.author import Author
from authoring.model_author import ModelAuthor
from authoring.outcomes import OutcomeKind
from authoring.settings import AuthoringSettings
from authoring.workflow import author, resume
from chat_models.cache import CachedModel
from chat_models.ledger import Ledger
from chat_models.options import ModelOptions
from chat_models.protocol import ChatModel
from chat_models.providers import open_model
from tests.authoring.conftest import MakeContext
from tests.authoring.parts import RUN_ID, make_brief, mended, reply_with
from tests.wire_servers.fixtures import anthropic_server, openai_server
from tests.wire_servers.reply import Reply, cuts, fails, refuses, says
from tests.wire_servers.server import WireServer

__all__ = ["anthropic_server", "openai_server"]

O = OutcomeKind  # noqa: E741


@pytest.fixture(params=["openai streamed", "openai whole", "anthropic streamed"])
def provider(request: pytest.FixtureRequest) -> tuple[WireServer, ChatModel]:
    name, _, form = request.param.partition(" ")
    server: WireServer = request.getfixturevalue(f"{name}_server")
    environ = {"OPENAI_API_KEY": "sk-test", "ANTHROPIC_API_KEY": "sk-test"}
    environ |= {"OPENAI_BASE_URL": server.url, "ANTHROPIC_BASE_URL": server.url}
    options = ModelOptions(stream=form == "streamed", timeout_s=60.0, max_retries=0)
    return server, open_model(f"{name}:model-1", environ=environ, options=options)


@pytest.fixture
def author_of(tmp_path: Path) -> Iterator[Callable[[ChatModel], Author]]:
    """The author as a run builds it: model, response cache, ledger."""
    with closing(Ledger.open(tmp_path / "calls.sqlite", RUN_ID)) as ledger:
        yield lambda model: ModelAuthor(CachedModel(model, ledger), AuthoringSettings())


async def test_a_bad_first_draft_is_mended(
    provider: tuple[WireServer, ChatModel], author_of: Callable[[ChatModel], Author], make_context: MakeContext
) -> None:
    server, model = provider
    server.script([says(reply_with(fault=True)), says(mended())])
    writer = author_of(model)
    (outcome,) = (await author([make_brief()], make_context(author=writer))).outcomes
    assert (outcome.kind, outcome.turns) == (O.QUEUED, 2), outcome.reason
    assert len(server.requests) == 2
    assert "near_miss.accepted" in str(server.requests[1].json)


@pytest.mark.parametrize(
    ("reply", "kind", "reason"),
    [
        (refuses("I can not help with that."), O.REFUSED, "declined"),
        (says("Here is an idea for a puzzle."), O.EXHAUSTED, "prose"),
        (says(reply_with()[:2_000], stop="length"), O.EXHAUSTED, "length limit"),
        (fails(500), O.FAILED, "500"),
        (fails(429, retry_after="600"), O.FAILED, "429"),
        (cuts(reply_with(), 1_000), O.FAILED, "connection"),
    ],
)
async def test_what_a_provider_does_wrong_has_a_name(
    openai_server: WireServer, make_context: MakeContext, reply: Reply, kind: OutcomeKind, reason: str
) -> None:
    openai_server.answer = lambda request: reply
    environ = {"OPENAI_API_KEY": "sk-test", "OPENAI_BASE_URL": openai_server.url}
    model = open_model("openai:model-1", environ=environ, options=ModelOptions(timeout_s=60.0, max_retries=0))
    summary = await author([make_brief()], make_context(model=model, repairs=1))
    assert summary.outcomes[0].kind is kind
    assert reason in summary.outcomes[0].reason
    assert summary.stopped_by is None


async def test_a_rejected_key_stops_the_run_and_the_mended_one_resumes_it(
    provider: tuple[WireServer, ChatModel], author_of: Callable[[ChatModel], Author], make_context: MakeContext
) -> None:
    server, model = provider
    server.script([says(reply_with()), fails(401, "bad key")])
    briefs = [make_brief(number, f"Text {number}.") for number in range(1, 5)]
    context = make_context(author=author_of(model), brief_parallelism=1)
    summary = await author(briefs, context)
    assert "401" in str(summary.stopped_by)
    assert "_API_KEY" in str(summary.stopped_by)
    assert [outcome.kind for outcome in summary.outcomes] == [O.QUEUED, *[O.INTERRUPTED] * 3]
    server.answer = lambda request: says(reply_with())
    again = make_context(author=author_of(model), run=context.run)
    assert [outcome.kind for outcome in (await resume(again)).outcomes] == [O.QUEUED] * 4
    assert len(server.requests) == 5


@pytest.mark.parametrize(
    ("reply", "kind", "stage"),
    [
        (fails(529, "Overloaded", kind="overloaded_error"), O.FAILED, "draft"),
        (says("", stop="filter"), O.REFUSED, "draft"),
        (says("", stop="context"), O.EXHAUSTED, "draft"),
        (fails(400, "prompt is too long: 250000 tokens > 200000 maximum"), O.REFUSED, "draft"),
        (cuts(reply_with(), 700, how="error", kind="overloaded_error"), O.FAILED, "draft"),
        (cuts(reply_with(), 700, how="quiet"), O.FAILED, "draft"),
    ],
)
async def test_both_protocols_ways_to_fail_end_at_the_draft(
    provider: tuple[WireServer, ChatModel], make_context: MakeContext, reply: Reply, kind: OutcomeKind, stage: str
) -> None:
    server, model = provider
    server.answer = lambda request: reply
    (outcome,) = (await author([make_brief()], make_context(model=model, repairs=0))).outcomes
    assert (outcome.kind, outcome.stage) == (kind, stage), outcome.reason
