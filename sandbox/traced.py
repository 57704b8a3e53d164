"""A sandbox whose jobs are OpenTelemetry spans. Nothing that a candidate was given or answered is in them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from sandbox.box import Box, Progress, Session
from sandbox.calls import Call, Observation
from sandbox.limits import JobLimits
from sandbox.server import Launch
from sandbox.service import Sandbox, SandboxSettings

if TYPE_CHECKING:
    from opentelemetry.trace import Span, Tracer


class TracedSandbox(Sandbox):
    """The same sandbox; its boxes tell of their jobs."""

    def __init__(
        self, settings: SandboxSettings, *, tracer: Tracer, progress: Callable[[str], None] | None = None
    ) -> None:
        super().__init__(settings, progress=progress)
        self._tracer = tracer

    def _new_box(self, launch: Launch, files: Mapping[str, bytes], limits: JobLimits) -> Box:
        return TracedBox(launch, files, limits, self._pool, retries=self.settings.retries, tracer=self._tracer)


class TracedBox(Box):
    """A box with a span for each of its jobs: one call in a process of its own, or a session of many.

    A box may be used in another thread than the one it was made in: its spans belong to what went on where it was made.
    """

    def __init__(self, *arguments: Any, tracer: Tracer, **more: Any) -> None:
        from opentelemetry.context import get_current

        super().__init__(*arguments, **more)
        self._tracer, self._parent = tracer, get_current()

    def fresh(self, call: Call) -> Observation:
        """One call in a process of its own."""
        with self._span("call") as seen:
            observation = super().fresh(call)
            seen(observation)
        return observation

    @contextmanager
    def session(self) -> Iterator[Session]:
        """A process that keeps its state between calls."""
        with self._span("session") as seen, super().session():
            yield TracedSession(self, seen)

    @contextmanager
    def _span(self, kind: str) -> Iterator[Callable[[Observation], None]]:
        """A span that counts what it is shown."""
        from opentelemetry import context, trace

        # Inside a span of this thread the job belongs to it, else to where the box was made.
        inside = trace.get_current_span().get_span_context().is_valid
        counts: Counter[str] = Counter()
        ops: Counter[str] = Counter()

        def seen(observation: Observation) -> None:
            counts[observation.outcome.value] += 1
            ops[observation.call.op.value] += 1

        with self._tracer.start_as_current_span(
            f"sandbox {kind}", context=context.get_current() if inside else self._parent, record_exception=False
        ) as span:
            try:
                yield seen
            finally:
                _tell(span, self, counts, ops)


class TracedSession(Session):
    """Shows every observation to its span."""

    def __init__(self, box: Box, seen: Callable[[Observation], None]) -> None:
        super().__init__(box)
        self._seen = seen

    def batch(self, calls: Sequence[Call], *, progress: Progress | None = None) -> list[Observation]:
        """All calls, streamed."""
        observations = super().batch(calls, progress=progress)
        for observation in observations:
            self._seen(observation)
        return observations


def _tell(span: Span, box: Box, counts: Counter[str], ops: Counter[str]) -> None:
    span.set_attributes(
        {
            "bootcamp.sandbox.calls": counts.total(),
            "bootcamp.sandbox.ops": [f"{op}:{count}" for op, count in sorted(ops.items())],
            "bootcamp.sandbox.outcomes": [f"{outcome}:{count}" for outcome, count in sorted(counts.items())],
            "bootcamp.sandbox.hash_seed": box.hash_seed,
            "container.id": box.container_id,
        }
    )
