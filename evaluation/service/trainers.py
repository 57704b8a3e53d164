"""Routes in the words of single trainers, which send what they send and read what they read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from fastapi import FastAPI, Request, Response

from evaluation.export import nemo_gym, openrlhf
from evaluation.scoring import Judgement
from evaluation.service.limits import Refused
from evaluation.service.replies import ERRORS, client_of, json_reply
from evaluation.service.wire import RemoteReply, RemoteRequest, ScoreRequest, VerifyReply, VerifyRequest


class Judging(Protocol):
    """What a route needs of the service."""

    async def judge(self, client: str, asked: Sequence[ScoreRequest]) -> list[Judgement]:
        """One judgement for each, in order."""


def add_trainers(app: FastAPI, service: Judging) -> None:
    """Add the routes."""

    @app.post("/nemo-gym/verify", response_model=VerifyReply, responses=ERRORS, tags=["trainers"])
    async def verify(asked: VerifyRequest, request: Request) -> Response:
        """What a NeMo-Gym resources server answers; an unscored sample is masked."""
        one = ScoreRequest(identity=asked.identity, response=nemo_gym.response_text(asked.response), answer=False)
        [judgement] = await service.judge(client_of(request), [one])
        return json_reply({**asked.model_dump(), **nemo_gym.reward(judgement)})

    @app.post("/openrlhf/reward", response_model=RemoteReply, responses=ERRORS, tags=["trainers"])
    async def remote_reward(asked: RemoteRequest, request: Request) -> Response:
        """OpenRLHF's remote reward model; it sends no token, so it needs a service without one."""
        size = len(asked.query)
        if not size == len(asked.prompts) == len(asked.labels):
            raise Refused(422, "bad-body", "the body", "query, prompts and labels differ in length", "send as many")
        known = openrlhf.split(asked.query, asked.prompts)
        items = [ScoreRequest(identity=asked.labels[n], response=text, answer=False) for n, text in known.items()]
        judged = await service.judge(client_of(request), items) if items else []
        found = openrlhf.columns(size, dict(zip(known, judged, strict=True)))
        flat = {name: values[0] if size == 1 else values for name, values in found.items()}
        logs = {name: flat.pop(name) for name in ("unscored", "malformed")}
        return json_reply({**flat, "extra_logs": logs})
