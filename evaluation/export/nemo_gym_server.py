"""A NeMo-Gym resources server over the tasks of the default library. Imported by NeMo-Gym only, through ``app.py``.

An unscored response is masked and has a kind of failure out of NeMo-Gym's own words, so that it counts for no average.
"""

from __future__ import annotations

import asyncio

from nemo_gym.base_resources_server import (  # type: ignore[import-not-found,unused-ignore]
    BaseResourcesServerConfig,
    BaseVerifyRequest,
    BaseVerifyResponse,
    ReverifyMode,
    SimpleResourcesServer,
)
from pydantic import ConfigDict

from evaluation.export.judge import default_judge
from evaluation.export.nemo_gym import verify_fields

__all__ = ["BootcampServer"]


class BootcampConfig(BaseResourcesServerConfig):  # type: ignore[misc,unused-ignore]
    """A stored response may be scored again: a case is all in its row."""

    REVERIFY_MODE = ReverifyMode.STATELESS


class VerifyRequest(BaseVerifyRequest):  # type: ignore[misc,unused-ignore]
    """A row of the export, with the model's response."""

    model_config = ConfigDict(extra="allow")
    identity: str


class VerifyResponse(BaseVerifyResponse):  # type: ignore[misc,unused-ignore]
    """The same with a reward, or why there is none."""

    model_config = ConfigDict(extra="allow")


class BootcampServer(SimpleResourcesServer):  # type: ignore[misc,unused-ignore]
    """Scores in a process of its own, which can be killed."""

    ray_enabled = False
    config: BootcampConfig

    async def verify(self, body: VerifyRequest) -> VerifyResponse:
        """One response's reward."""
        found = await asyncio.to_thread(verify_fields, default_judge(), body)
        return VerifyResponse(**{**body.model_dump(), **found})
