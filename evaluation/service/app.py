"""The HTTP application: sample, score, score in batches, health, metrics, OpenAPI."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.openapi.utils import get_openapi
from starlette.exceptions import HTTPException

from bootcamp_kit import __version__
from bootcamp_kit.case import Case
from evaluation.plan import CaseRef
from evaluation.scoring import Judgement
from evaluation.service.guard import OPEN, Guard, Rate, reply_of
from evaluation.service.lanes import Lanes
from evaluation.service.limits import Refused, ServiceLimits
from evaluation.service.memory import GIVE_BACK_S, give_back
from evaluation.service.metrics import Metrics
from evaluation.service.queue import WorkQueue
from evaluation.service.replies import ERRORS, client_of, json_reply
from evaluation.service.shelf import Shelf, scored
from evaluation.service.trainers import add_trainers
from evaluation.service.wire import (
    BatchReply,
    BatchRequest,
    SampleReply,
    SampleRequest,
    ScoreReply,
    ScoreRequest,
)
from sandbox.service import Sandbox


class Service:
    """Everything behind the routes.

    Args:
        shelf: The tasks.
        sandbox: Entered; None scores approved tasks in processes of this machine.
        limits: What clients may use.
        ready: Called when requests are answered.
        give_back: Called every ``give_back_s`` seconds.
    """

    def __init__(
        self,
        shelf: Shelf,
        sandbox: Sandbox | None,
        limits: ServiceLimits,
        ready: Callable[[], None] = lambda: None,
        *,
        give_back: Callable[[], None] = give_back,
        give_back_s: float = GIVE_BACK_S,
    ) -> None:
        self.shelf, self.limits, self.scorer = shelf, limits, "process" if sandbox is None else "sandbox"
        self.lanes = Lanes(shelf.folders, sandbox, most=limits.boxes)
        self.metrics = Metrics(lambda: self.queue.load if self.queue else 0, lambda: self.lanes.open)
        self.rate = Rate(limits.rate)
        self.queue: WorkQueue | None = None
        self._ready, self._give_back, self._give_back_s = ready, give_back, give_back_s

    @asynccontextmanager
    async def running(self, app: FastAPI) -> AsyncIterator[None]:
        """From the first request to the last."""
        self.queue = WorkQueue(self.lanes, self.limits, self.shelf.params, self.metrics.batch)
        tidying = asyncio.create_task(self._tidy())
        self._ready()
        try:
            yield
        finally:
            tidying.cancel()
            await self.queue.close()

    async def _tidy(self) -> None:
        while True:
            await asyncio.sleep(self._give_back_s)
            self._give_back()

    async def judge(self, client: str, asked: Sequence[ScoreRequest]) -> list[Judgement]:
        """One judgement for each, in order; the tasks side by side."""
        if len(asked) > self.limits.items:
            raise _too_many(len(asked), self.limits.items)
        self.rate.take(client, len(asked))
        by_task: dict[str, list[tuple[int, tuple[Case, str]]]] = {}
        for index, item in enumerate(asked):
            case = self._case(item, index if len(asked) > 1 else None)
            by_task.setdefault(case.task_id, []).append((index, (case, item.response)))
        answers = any(item.answer for item in asked)
        parts = await asyncio.gather(
            *(
                self._work.score(task_id, [pair for _, pair in group], answers=answers)
                for task_id, group in by_task.items()
            )
        )
        found: dict[int, Judgement] = {}
        for group, judged in zip(by_task.values(), parts, strict=True):
            found |= {index: item for (index, _), item in zip(group, judged, strict=True)}
        judgements = [found[index] for index in range(len(asked))]
        self.metrics.judged(judgements)
        return judgements

    async def sample(self, client: str, asked: SampleRequest) -> list[dict[str, Any]]:
        """One entry for each seed."""
        if asked.count > self.limits.items:
            raise _too_many(asked.count, self.limits.items)
        self.rate.take(client, asked.count)
        self.shelf.params(asked.task_id, asked.level)
        seeds = range(asked.seed, asked.seed + asked.count)
        made = await self._work.sample(asked.task_id, [CaseRef(asked.level, seed) for seed in seeds])
        return [self.shelf.made(asked.task_id, seed, item) for seed, item in zip(seeds, made, strict=True)]

    def _case(self, item: ScoreRequest, index: int | None) -> Case:
        try:
            return self.shelf.case(item.identity)
        except Refused as error:
            if index is None:
                raise
            asked = f"items[{index}]: {error.asked}"
            raise Refused(error.status, error.code, asked, error.found, error.do) from error

    @property
    def _work(self) -> WorkQueue:
        assert self.queue is not None
        return self.queue


def create_app(service: Service, token: str | None) -> Any:
    """The ASGI application."""
    app = FastAPI(docs_url=None, redoc_url=None, openapi_url="/openapi.json", lifespan=service.running)
    _errors(app)
    _routes(app, service)
    add_trainers(app, service)
    app.openapi = lambda: _openapi(app)  # type: ignore[method-assign]
    return Guard(app, service.limits, token, service.metrics)


def _routes(app: FastAPI, service: Service) -> None:
    @app.get("/health/live", response_model=dict[str, Any], tags=["health"])
    async def live() -> Response:
        """The process answers."""
        return json_reply({"status": "live", "version": __version__})

    @app.get("/health/ready", response_model=dict[str, Any], tags=["health"])
    async def ready() -> Response:
        """Requests would be served: 503 for 30 s after the machine failed, or until a batch succeeds."""
        queue = service.queue
        well = queue is not None and queue.well
        words: dict[str, Any] = {"status": "ready" if well else "failing", "scorer": service.scorer}
        words |= {"tasks": len(service.shelf.folders), "waiting": queue.load if queue else 0}
        return json_reply(words, 200 if well else 503)

    @app.get("/metrics", response_class=Response, tags=["health"])
    async def metrics() -> Response:
        """For Prometheus."""
        return Response(service.metrics.text(), media_type="text/plain; version=0.0.4; charset=utf-8")

    @app.get("/v1/tasks", response_model=dict[str, Any], responses=_some(401), tags=["tasks"])
    async def tasks() -> Response:
        """The tasks served here."""
        return json_reply({"tasks": [service.shelf.listed(name) for name in service.shelf.folders]})

    @app.post("/v1/sample", response_model=SampleReply, responses=ERRORS, tags=["tasks"])
    async def sample(asked: SampleRequest, request: Request) -> Response:
        """Cases with their prompts; the same (task, level, seed) gives the same case everywhere."""
        return json_reply({"cases": await service.sample(client_of(request), asked)})

    @app.post("/v1/score", response_model=ScoreReply, responses=ERRORS, tags=["scoring"])
    async def score(asked: ScoreRequest, request: Request) -> Response:
        """Score one response. Requests that arrive together are scored together."""
        [judgement] = await service.judge(client_of(request), [asked])
        return json_reply(scored(judgement))

    @app.post("/v1/score/batch", response_model=BatchReply, responses=ERRORS, tags=["scoring"])
    async def batch(asked: BatchRequest, request: Request) -> Response:
        """Score several. One unusable item refuses the batch and is named; nothing is scored then."""
        return json_reply({"results": [scored(item) for item in await service.judge(client_of(request), asked.items)]})


def _errors(app: FastAPI) -> None:
    async def refused(request: Request, error: Exception) -> Response:
        assert isinstance(error, Refused)
        status, body, headers = reply_of(error)
        return Response(body, status, headers={name.decode(): value.decode() for name, value in headers})

    async def of_another_form(request: Request, error: Exception) -> Response:
        assert isinstance(error, RequestValidationError)
        first: Mapping[str, Any] = error.errors()[0]
        where = ".".join(map(str, first["loc"]))[:200]
        found = f"{where}: {first['msg']}"[:500]
        return await refused(request, Refused(422, "bad-body", "the body", found, "see /openapi.json"))

    async def http(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        asked = f"{request.method} {request.url.path}"[:120]
        return await refused(request, Refused(error.status_code, "http", asked, str(error.detail), "see /openapi.json"))

    async def fault(request: Request, error: Exception) -> Response:
        found = f"{type(error).__name__}: {error}"[:300]
        return await refused(request, Refused(500, "fault", "serving this request", found, "report it"))

    handlers: dict[Any, Callable[[Request, Exception], Awaitable[Response]]] = {
        Refused: refused,
        RequestValidationError: of_another_form,
        HTTPException: http,
        Exception: fault,
    }
    for kind, handler in handlers.items():
        app.add_exception_handler(kind, handler)


def _openapi(app: FastAPI) -> dict[str, Any]:
    if app.openapi_schema is None:
        found = get_openapi(
            title="bootcamp serve", version=__version__, routes=app.routes, description="Sample cases, score responses."
        )
        found.setdefault("components", {})["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer"}}
        for path, methods in found["paths"].items():
            if path not in OPEN:
                for operation in methods.values():
                    operation["security"] = [{"token": []}]
        app.openapi_schema = found
    return app.openapi_schema


def _some(*statuses: int) -> dict[int | str, dict[str, Any]]:
    return {status: ERRORS[status] for status in statuses}


def _too_many(items: int, most: int) -> Refused:
    return Refused(413, "too-many", f"{items} at once", f"at most {most}", "send several requests")
