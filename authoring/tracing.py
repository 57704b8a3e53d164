"""The nodes of the workflow as OpenTelemetry spans, by LangChain's callbacks; the graph itself knows nothing of it.

A span holds names, hashes and results in a word. What a model wrote, what a brief says and why something was refused
are in the run folder and never here.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any
from uuid import UUID

from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.tracers.context import register_configure_hook

from authoring.outcomes import BriefOutcome
from authoring.state import Turn

if TYPE_CHECKING:
    from opentelemetry.context import Context
    from opentelemetry.trace import Span, Tracer

AGENT = "bootcamp authoring"
_HANDLER: ContextVar[BaseCallbackHandler | None] = ContextVar("bootcamp_span_handler", default=None)
_hooked = threading.Lock()


@contextmanager
def traced_nodes(tracer: Tracer) -> Iterator[None]:
    """Every graph that runs inside has a span for each brief and each node."""
    if _hooked.acquire(blocking=False):  # once in a process; without a handler the hook does nothing
        register_configure_hook(_HANDLER, inheritable=True)
    token = _HANDLER.set(NodeSpans(tracer))
    try:
        yield
    finally:
        _HANDLER.reset(token)


class NodeSpans(BaseCallbackHandler):
    """Begins and ends spans with the nodes; what a node calls finds its span as the current one."""

    run_inline = True
    """In the task of the node, whose context it sets."""

    def __init__(self, tracer: Tracer) -> None:
        from opentelemetry.context import get_current

        self._tracer, self._outside = tracer, get_current()
        self._open: dict[UUID, tuple[Span | None, Context]] = {}

    def on_chain_start(
        self,
        serialized: dict[str, Any] | None,
        inputs: Any,
        *,
        run_id: UUID,
        parent_run_id: UUID | None = None,
        tags: list[str] | None = None,
        metadata: dict[str, Any] | None = None,
        **more: Any,
    ) -> None:
        """A graph, a node, or something inside one begins."""
        from opentelemetry import context, trace

        # The context of a task that runs one graph after the other still is that of the last node: it is not asked.
        above = self._open[parent_run_id][1] if parent_run_id in self._open else self._outside
        node = str((metadata or {}).get("langgraph_node", ""))
        name = str(more.get("name") or "")
        if parent_run_id is None or name == node:
            span = self._tracer.start_span(
                f"node {node}" if node else f"invoke_agent {AGENT}", context=above, attributes=_asked(node, inputs)
            )
            inside = trace.set_span_in_context(span, above)
            self._open[run_id] = (span, inside)
            context.attach(inside)  # never detached: its end is told in another task
        else:
            self._open[run_id] = (None, above)

    def on_chain_end(self, outputs: Any, *, run_id: UUID, **more: Any) -> None:
        """It ended well."""
        if (span := self._closed(run_id)) is not None:
            span.set_attributes(_answered(outputs))
            span.end()

    def on_chain_error(self, error: BaseException, *, run_id: UUID, **more: Any) -> None:
        """It ended with an error, or was drained."""
        from opentelemetry.trace import Status, StatusCode

        if (span := self._closed(run_id)) is not None:
            span.set_attribute("error.type", type(error).__name__)
            span.set_status(Status(StatusCode.ERROR, type(error).__name__))
            span.end()

    def _closed(self, run_id: UUID) -> Span | None:
        return self._open.pop(run_id, (None, None))[0]


def _asked(node: str, inputs: Any) -> dict[str, Any]:
    state = inputs if isinstance(inputs, dict) else {}
    told: dict[str, Any] = {"gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": AGENT} if not node else {}
    told |= {"bootcamp.node": node} if node else {}
    if isinstance(state.get("brief"), str):
        told["bootcamp.brief"] = state["brief"]
    if isinstance(state.get("index"), int):
        told["bootcamp.candidate.index"] = state["index"]
    return told


def _answered(outputs: Any) -> dict[str, Any]:
    """The last turn or the outcome, in a word and a hash."""
    update = outputs if isinstance(outputs, dict) else {}
    turns, outcome = update.get("turns"), update.get("outcome")
    told: dict[str, Any] = {}
    if isinstance(turns, list) and turns and isinstance(turns[-1], Turn):
        told = {"bootcamp.turn": turns[-1].number, "bootcamp.result": turns[-1].result.value}
        told |= {"bootcamp.candidate": turns[-1].candidate} if turns[-1].candidate else {}
    if isinstance(outcome, BriefOutcome):
        told |= {"bootcamp.outcome": outcome.kind.value}
    return told
