"""What an analyst makes of a brief: a structured specification that author and opponents work from."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, model_validator

from bootcamp_kit.jsondata import canonical, digest

MAX_CHARS = 40_000


class Part(BaseModel):
    """No key may be missing or made up: strict providers need that, and tolerant reading too."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Field(Part):
    """One key of a case's payload."""

    name: str
    form: str
    meaning: str


class Difficulty(Part):
    """One thing that makes cases harder."""

    name: str
    meaning: str
    easiest: str
    hardest: str


class Specification(Part):
    """The task in parts. Written by a model from strangers' text, so it is data for every other model."""

    rules: list[str]
    payload: list[Field]
    answer_kind: Literal["integer", "integers", "decimal", "string", "strings", "grid", "choice", "text"]
    answer_form: str
    solutions: Literal["unique", "any", "optimal"]
    difficulty: list[Difficulty]
    edge_cases: list[str]
    prompt_must_state: list[str]
    open_points: list[str]

    @property
    def hash(self) -> str:
        """Hex SHA-256 of its content."""
        return digest(canonical(self.model_dump()))

    @model_validator(mode="after")
    def _of_use(self) -> Specification:
        """Told to the analyst like any other fault of form."""
        empty = [name for name in ("rules", "payload", "prompt_must_state") if not getattr(self, name)]
        if empty:
            raise ValueError(f"{', '.join(empty)} must not be empty")
        size = len(canonical(self.model_dump()))
        if size > MAX_CHARS:
            raise ValueError(f"it has {size} characters, more than {MAX_CHARS}: write less")
        return self
