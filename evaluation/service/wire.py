"""Bodies of requests and replies: what the OpenAPI document shows."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

MAX_SEED = 10**18


class _Body(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class ScoreRequest(_Body):
    """One response to one case."""

    identity: str | dict[str, Any] = Field(description="The case's `identity`, from /v1/sample or an exported row.")
    response: str = Field(description="The model's whole response.")
    answer: bool = Field(False, description="Tell what the parser read as well; takes about twice as long.")


class ScoreReply(BaseModel):
    """A number, or why there is none. An unscored response is never 0."""

    score: float | None = Field(description="In [0, 1]; null when unscored.")
    outcome: Literal["correct", "partial", "wrong", "malformed", "unscored"]
    reason: str = Field(description="The verifier's, for a scored one.")
    unscored: str | None = Field(
        description="verifier-crash, verifier-timeout, verifier-killed, response-too-long, machine; or null."
    )
    detail: str = Field(description="The error in words, for an unscored one.")
    answer: Any = Field(None, description="What the parser read, when asked for.")


class BatchRequest(_Body):
    """Several responses, of one task or of several."""

    items: list[ScoreRequest] = Field(min_length=1)


class BatchReply(BaseModel):
    """One reply for each item, in order."""

    results: list[ScoreReply]


class SampleRequest(_Body):
    """Cases of one task at one level, from consecutive seeds."""

    task_id: str
    level: int
    seed: int = Field(ge=0, le=MAX_SEED)
    count: int = Field(1, ge=1)


class SampledCase(BaseModel):
    """A case; or, when the generator failed at this seed, `unscored` and `detail` in its place."""

    seed: int
    prompt: str = ""
    identity: str = Field("", description="Send it back with the response.")
    lineage: dict[str, Any] = Field(default_factory=dict, description="Task, version, licence and source.")
    unscored: str = ""
    detail: str = ""


class SampleReply(BaseModel):
    """One entry for each seed, in order."""

    cases: list[SampledCase]


class VerifyRequest(BaseModel):
    """NeMo-Gym's verify request: a row, and the model's response in the form of the Responses API."""

    model_config = ConfigDict(extra="allow")

    identity: str | dict[str, Any]
    response: dict[str, Any]


class VerifyReply(BaseModel):
    """The request, and what it earned."""

    model_config = ConfigDict(extra="allow")

    reward: float
    mask_sample: bool
    failure_kind: str | None
    failure_reason: str | None


class RemoteRequest(BaseModel):
    """What OpenRLHF posts to a remote reward model."""

    query: list[str] = Field(min_length=1, description="Prompt and response.")
    prompts: list[str]
    labels: list[str] = Field(description="Identities: the rows' `answer`.")


class RemoteReply(BaseModel):
    """Numbers for one query, lists for several."""

    rewards: float | list[float]
    scores: float | list[float]
    extra_logs: dict[str, float | list[float]]


class ErrorWords(BaseModel):
    """What was asked, what stood in the way, what to do."""

    code: str
    asked: str
    found: str
    do: str


class ErrorReply(BaseModel):
    """Every error has this form."""

    error: ErrorWords
