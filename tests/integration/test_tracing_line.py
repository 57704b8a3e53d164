"""Spans of a whole run as collectors receive them: OTLP and LangSmith, both on loopback; and none when nobody asks."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

from authoring.prompts import Prompts
from tests.integration.conftest import Place
from tests.wire_servers.openai_server import OpenAIServer
from tests.wire_servers.reply import says

KEY = "sk-test-0123456789abcdef"
BRIEF = """+++
id = "crate_lift"
family = "puzzles"
title = "Crates in a lift"
licence = "CC0-1.0"
+++

A lift starts only when it carries exactly the load it was set to. SECRETBRIEF.
"""


class Collector:
    """Keeps what was posted to it."""

    def __init__(self, server: HTTPServer) -> None:
        self.bodies: dict[str, list[bytes]] = {}
        self.url = server.url_for("")
        server.expect_request("/v1/traces", method="POST").respond_with_handler(self._take)
        server.expect_request("/langsmith/info").respond_with_json({"version": "0", "batch_ingest_config": {}})
        for path in ("/langsmith/runs/multipart", "/langsmith/runs/batch", "/langsmith/runs"):
            server.expect_request(path, method="POST").respond_with_handler(self._take)

    def _take(self, request: Request) -> Response:
        body = request.get_data()
        body = gzip.decompress(body) if request.headers.get("content-encoding") == "gzip" else body
        self.bodies.setdefault(request.path, []).append(body)
        return Response(status=200 if request.path == "/v1/traces" else 202)

    def spans(self) -> list[Any]:
        found = []
        for body in self.bodies.get("/v1/traces", []):
            for resource in ExportTraceServiceRequest.FromString(body).resource_spans:
                found += [span for scope in resource.scope_spans for span in scope.spans]
        return found


def authored(place: Place, server: OpenAIServer, **environment: str) -> None:
    (place.home / "brief.md").write_text(BRIEF)
    server.script([says(Prompts().example, usage=(900, 700, 0))])
    keys = {"OPENAI_API_KEY": KEY, "OPENAI_BASE_URL": server.url}
    arguments = ("author", "brief.md", "--author", "openai:test-model", "--candidates", "1")
    place.bootcamp(*arguments, **keys, **environment)


@pytest.mark.docker
def test_a_run_is_seen_by_a_collector_and_by_langsmith_without_a_word_of_the_brief(
    place: Place, openai_server: OpenAIServer, httpserver: HTTPServer
) -> None:
    collector = Collector(httpserver)
    authored(
        place,
        openai_server,
        OTEL_EXPORTER_OTLP_ENDPOINT=collector.url.rstrip("/"),
        LANGSMITH_TRACING="true",
        LANGSMITH_ENDPOINT=collector.url.rstrip("/") + "/langsmith",
        LANGSMITH_API_KEY="lsv2_test",
        LANGSMITH_PROJECT="bootcamp",
        LANGSMITH_DISABLE_RUN_COMPRESSION="true",
    )
    spans = {span.name: span for span in collector.spans()}
    assert spans.keys() >= {
        "authoring run",
        "invoke_agent bootcamp authoring",
        "node draft",
        "node check",
        "node finish",
        "chat test-model",
        "gate",
        "sandbox session",
    }
    assert spans["chat test-model"].parent_span_id == spans["node draft"].span_id
    assert spans["gate"].parent_span_id == spans["node check"].span_id
    assert len({span.trace_id for span in spans.values()}) == 1
    told = str(collector.spans())
    assert "SECRETBRIEF" not in told
    assert KEY not in told
    sent = b"".join(body for path, bodies in collector.bodies.items() if "langsmith" in path for body in bodies)
    assert b"draft" in sent
    assert b"finish" in sent
    assert b"SECRETBRIEF" not in sent
    assert KEY.encode() not in sent


def test_an_exporter_that_is_not_covered_is_said(place: Place, tmp_path: Path) -> None:
    (place.home / "brief.md").write_text(BRIEF)
    process = place.popen("author", "brief.md", OTEL_TRACES_EXPORTER="zipkin", BOOTCAMP_AUTHOR="compiler")
    _, said = process.communicate(timeout=240)
    assert process.returncode == 2
    assert "zipkin" in said
