"""What Prometheus reads: requests, scores by outcome, batches, what waits."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector, generate_latest

from evaluation.scoring import Judgement

SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
SIZES = (1, 2, 4, 8, 16, 32, 64)


class Metrics:
    """One registry for one service.

    Args:
        waiting: Responses and cases that wait or are under way.
        lanes: Boxes open.
    """

    def __init__(self, waiting: Callable[[], int], lanes: Callable[[], int]) -> None:
        self.registry = CollectorRegistry()
        ProcessCollector(registry=self.registry)
        own = self.registry
        self._requests = Counter("bootcamp_http_requests", "Requests answered", ["path", "status"], registry=own)
        self._seconds = Histogram(
            "bootcamp_http_request_seconds", "From the first byte to the last", ["path"], buckets=SECONDS, registry=own
        )
        self._scores = Counter("bootcamp_scores", "Responses, by what became of them", ["outcome"], registry=own)
        self._sizes = Histogram("bootcamp_batch_items", "Responses in one batch", buckets=SIZES, registry=own)
        self._batches = Histogram("bootcamp_batch_seconds", "Time of one batch", buckets=SECONDS, registry=own)
        Gauge("bootcamp_waiting", "Responses and cases waiting or under way", registry=own).set_function(waiting)
        Gauge("bootcamp_boxes_open", "Boxes with a task's code in them", registry=own).set_function(lanes)

    def request(self, path: str, status: int, seconds: float) -> None:
        """One request was answered."""
        self._requests.labels(path, str(status)).inc()
        self._seconds.labels(path).observe(seconds)

    def judged(self, judgements: Sequence[Judgement]) -> None:
        """Responses were judged."""
        for item in judgements:
            self._scores.labels(item.score.outcome.value if item.score else f"unscored:{item.unscored}").inc()

    def batch(self, items: int, seconds: float) -> None:
        """A batch was done."""
        self._sizes.observe(items)
        self._batches.observe(seconds)

    def text(self) -> bytes:
        """The exposition."""
        return generate_latest(self.registry)
