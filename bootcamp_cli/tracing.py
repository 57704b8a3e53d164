"""OpenTelemetry, off unless asked for: by the standard ``OTEL_*`` variables or by the setting ``tracing``.

When it is off nothing of it is imported and nothing is wrapped.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from importlib.util import find_spec
from typing import TYPE_CHECKING

from bootcamp_cli.output import say
from bootcamp_kit import __version__
from bootcamp_kit.errors import UsageError
from bootcamp_kit.folder import TaskFolder
from bootcamp_kit.report import Report

if TYPE_CHECKING:
    from opentelemetry.sdk.trace.export import SpanExporter
    from opentelemetry.trace import Tracer

    from bootcamp_cli.settings_model import Settings
    from chat_models.protocol import ChatModel

INSTALL = "pip install 'bootcamp-foundry[otel]'"
_SWITCHES = ("OTEL_TRACES_EXPORTER", "OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
_HTTP = "http/protobuf"


def tracer(settings: Settings) -> Tracer | None:
    """Where spans go; None when nobody asked for them.

    Raises:
        UsageError: the setting asks for it and the packages are missing, or an exporter that is not covered is named.
    """
    if not settings.tracing and not asked_for(os.environ):
        return None
    if find_spec("opentelemetry.sdk") is None:
        if settings.tracing:
            raise UsageError("setting tracing", "OpenTelemetry is not installed", INSTALL)
        say(f"OTEL_* variables are set, but OpenTelemetry is not installed: nothing is traced ({INSTALL})")
        return None
    return _opened()


def asked_for(environ: Mapping[str, str]) -> bool:
    """Whether the standard variables ask for spans."""
    if environ.get("OTEL_SDK_DISABLED", "").lower() == "true" or environ.get("OTEL_TRACES_EXPORTER", "") == "none":
        return False
    return any(environ.get(name) for name in _SWITCHES)


@cache
def _opened() -> Tracer:
    """The process's tracer; what it holds back is sent when the process ends."""
    from opentelemetry import trace
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor

    name = os.environ.get("OTEL_SERVICE_NAME") or "bootcamp"
    provider = TracerProvider(resource=Resource.create({"service.name": name, "service.version": __version__}))
    provider.add_span_processor(BatchSpanProcessor(_exporter(os.environ)))
    trace.set_tracer_provider(provider)
    return trace.get_tracer("bootcamp", __version__)


def _exporter(environ: Mapping[str, str]) -> SpanExporter:
    """The exporter that the variables name."""
    import sys

    named = environ.get("OTEL_TRACES_EXPORTER") or "otlp"
    if named == "console":
        from opentelemetry.sdk.trace.export import ConsoleSpanExporter

        return ConsoleSpanExporter(out=sys.stderr)  # stdout is the result's
    protocol = environ.get("OTEL_EXPORTER_OTLP_TRACES_PROTOCOL") or environ.get("OTEL_EXPORTER_OTLP_PROTOCOL") or _HTTP
    if named != "otlp" or protocol != _HTTP:
        what = f"OTEL_TRACES_EXPORTER={named}" if named != "otlp" else f"OTEL_EXPORTER_OTLP_PROTOCOL={protocol}"
        raise UsageError("tracing", f"{what[:80]} is not covered", f"use otlp over {_HTTP}, console, or none")
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter

    return OTLPSpanExporter()


def traced_model(model: ChatModel, settings: Settings) -> ChatModel:
    """The same model; its calls are spans where spans are asked for."""
    found = tracer(settings)
    if found is None:
        return model
    from chat_models.traced import TracedModel

    return TracedModel(model, found)


def traced_gate(gate: Callable[[TaskFolder], Report], settings: Settings) -> Callable[[TaskFolder], Report]:
    """The same gate, each run a span."""
    found = tracer(settings)
    if found is None:
        return gate

    def run(folder: TaskFolder) -> Report:
        with found.start_as_current_span("gate", record_exception=False) as span:
            report = gate(folder)
            span.set_attributes(
                {
                    "bootcamp.candidate": report.content_hash,
                    "bootcamp.verdict": report.verdict.value,
                    "bootcamp.findings": len(report.findings),
                }
            )
        return report

    return run


@contextmanager
def traced_run(settings: Settings, run_id: str) -> Iterator[None]:
    """An authoring run with a span for itself, for each brief and each node."""
    found = tracer(settings)
    if found is None:
        yield
        return
    from authoring.tracing import traced_nodes

    with found.start_as_current_span("authoring run", attributes={"bootcamp.run": run_id}), traced_nodes(found):
        yield
