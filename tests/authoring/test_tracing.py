"""Spans of nodes and model calls: nested, named by the conventions, and without a word that was said."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import StatusCode, Tracer

from authoring.tracing import traced_nodes
from authoring.workflow import author
from bootcamp_kit.errors import ProviderError
from chat_models.protocol import ChatReply, ChatRequest
from chat_models.scripted import ScriptedModel
from chat_models.traced import TracedModel
from tests.authoring.conftest import MakeContext
from tests.authoring.parts import make_brief, mended, reply_with


@pytest.fixture
def exporter() -> InMemorySpanExporter:
    return InMemorySpanExporter()


@pytest.fixture
def tracer(exporter: InMemorySpanExporter) -> Tracer:
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    return provider.get_tracer("test")


def named(spans: Sequence[ReadableSpan], name: str) -> list[ReadableSpan]:
    return [span for span in spans if span.name == name]


def parent_of(span: ReadableSpan, spans: Sequence[ReadableSpan]) -> ReadableSpan | None:
    return next((other for other in spans if span.parent and other.context.span_id == span.parent.span_id), None)


async def test_each_node_has_a_span_below_its_brief_and_each_call_below_its_node(
    make_context: MakeContext, tracer: Tracer, exporter: InMemorySpanExporter
) -> None:
    model = TracedModel(ScriptedModel([reply_with(fault=True), mended(), reply_with(remark="two")]), tracer)
    context = make_context(model=model, brief_parallelism=1)
    with traced_nodes(tracer):
        await author([make_brief(1), make_brief(2)], context)
    spans = exporter.get_finished_spans()
    briefs = named(spans, "invoke_agent bootcamp authoring")
    assert {span.attributes["bootcamp.outcome"] for span in briefs if span.attributes} == {"queued"}
    assert len({span.context.trace_id for span in briefs}) == 2
    (repair,) = named(spans, "node repair")
    assert repair.attributes is not None
    assert (repair.attributes["bootcamp.turn"], repair.attributes["bootcamp.result"]) == (2, "drafted")
    assert repair.attributes["bootcamp.brief"] == make_brief(1).hash
    calls = named(spans, "chat model") or [span for span in spans if span.name.startswith("chat ")]
    assert sorted(str(above.name) for span in calls if (above := parent_of(span, spans))) == [
        "node draft",
        "node draft",
        "node repair",
    ]
    (candidate,) = {parent_of(span, spans) for span in named(spans, "node repair")}
    assert candidate is not None
    assert candidate.name == "node candidate"
    assert {span.name for span in spans} >= {"node draft", "node check", "node finish"}


async def test_candidates_side_by_side_keep_their_calls_apart(
    make_context: MakeContext, tracer: Tracer, exporter: InMemorySpanExporter
) -> None:
    replies = [reply_with(remark=word) for word in ("one", "two", "three", "four", "five", "six")]
    context = make_context(model=TracedModel(ScriptedModel(replies), tracer), candidates=3, brief_parallelism=2)
    with traced_nodes(tracer):
        await author([make_brief(1), make_brief(2)], context)
    spans = exporter.get_finished_spans()
    above = [parent_of(span, spans) for span in spans if span.name.startswith("chat ")]
    assert len({span.context.span_id for span in above if span and span.name == "node draft"}) == 6


async def test_no_text_of_brief_prompt_or_reply_is_in_a_span(
    make_context: MakeContext, tracer: Tracer, exporter: InMemorySpanExporter
) -> None:
    brief = make_brief(text="A SECRET puzzle about crates.")
    context = make_context(model=TracedModel(ScriptedModel([reply_with(remark="SECRET")]), tracer))
    with traced_nodes(tracer):
        await author([brief], context)
    told = "".join(f"{span.name}{dict(span.attributes or {})}{span.events}" for span in exporter.get_finished_spans())
    assert told
    assert "SECRET" not in told
    assert "crate" not in told


async def test_nothing_is_traced_outside(
    make_context: MakeContext, tracer: Tracer, exporter: InMemorySpanExporter
) -> None:
    with traced_nodes(tracer):
        pass
    await author([make_brief()], make_context([reply_with()]))
    assert exporter.get_finished_spans() == ()


class Failing:
    """A model that is never there."""

    name = "openai:gone"

    async def chat(self, request: ChatRequest) -> ChatReply:
        raise ProviderError("asking gone", "no such host SECRET", "look")

    async def close(self) -> None:
        pass


async def test_a_failed_call_is_a_span_with_its_kind_of_error(
    make_context: MakeContext, tracer: Tracer, exporter: InMemorySpanExporter
) -> None:
    with traced_nodes(tracer):
        await author([make_brief()], make_context(model=TracedModel(Failing(), tracer)))
    (call,) = named(exporter.get_finished_spans(), "chat gone")
    assert call.attributes is not None
    assert call.attributes["error.type"] == "ProviderError"
    assert call.status.status_code is StatusCode.ERROR
    assert "SECRET" not in str(call.to_json())


async def test_a_call_s_attributes_are_those_of_the_conventions(tracer: Tracer, exporter: InMemorySpanExporter) -> None:
    from chat_models.protocol import Message

    model = TracedModel(ScriptedModel([reply_with()]), tracer)
    await model.chat(ChatRequest((Message("user", "hello"),), max_tokens=7, temperature=0.5))
    (call,) = exporter.get_finished_spans()
    assert call.attributes is not None
    assert {key: call.attributes[key] for key in call.attributes if key.startswith("gen_ai.request")} == {
        "gen_ai.request.model": model.name.partition(":")[2],
        "gen_ai.request.max_tokens": 7,
        "gen_ai.request.temperature": 0.5,
    }
    assert call.attributes["gen_ai.operation.name"] == "chat"
    assert call.attributes["gen_ai.response.finish_reasons"] == ("stop",)
    assert "gen_ai.usage.input_tokens" in call.attributes
