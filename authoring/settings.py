"""The numbers of an authoring run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields

from bootcamp_kit.errors import UsageError
from bootcamp_kit.jsondata import Json


@dataclass(frozen=True, slots=True)
class AuthoringSettings:
    """What a run may use; recorded with the run, so that resuming it uses the same.

    Attributes:
        candidates: Drafts made in parallel for each brief; a deterministic author makes one whatever this says.
        repairs: Further turns of the author after the first, for each candidate: corrections of an unusable reply and
            repairs of a failed candidate together.
        brief_parallelism: Briefs in work at once.
        gate_parallelism: Gates run at once, over all briefs.
        max_reply_tokens: Most output tokens of one model call.
        temperature: None leaves the provider's default.
        findings_shown: Findings fed back to the author in one repair, heaviest first.
        troubles_in_a_row: Briefs in a row that failed for the machine's or the provider's sake before the run stops.
    """

    candidates: int = 3
    repairs: int = 2
    brief_parallelism: int = 2
    gate_parallelism: int = 2
    max_reply_tokens: int = 16_000
    temperature: float | None = None
    findings_shown: int = 12
    troubles_in_a_row: int = 5

    def __post_init__(self) -> None:
        for key, low, high in (
            ("candidates", 1, 64),
            ("repairs", 0, 20),
            ("brief_parallelism", 1, 256),
            ("gate_parallelism", 1, 256),
            ("max_reply_tokens", 256, 1_000_000),
            ("findings_shown", 1, 100),
            ("troubles_in_a_row", 1, 1_000_000),
        ):
            value = getattr(self, key)
            if type(value) is not int or not low <= value <= high:
                raise UsageError(f"authoring setting {key}", f"{value!r}", f"a whole number from {low} to {high}")
        if self.temperature is not None and not 0.0 <= self.temperature <= 2.0:
            raise UsageError("authoring setting temperature", f"{self.temperature!r}", "a number from 0 to 2")

    def to_json(self) -> dict[str, Json]:
        """For the run's record."""
        return asdict(self)

    @classmethod
    def from_json(cls, raw: Mapping[str, Json]) -> AuthoringSettings:
        """Rebuild from a run's record.

        Raises:
            UsageError: an unknown key or a value out of range.
        """
        known = {item.name for item in fields(cls)}
        unknown = sorted(set(raw) - known)
        if unknown:
            raise UsageError(f"authoring setting {unknown[0]}", "unknown", f"known: {', '.join(sorted(known))}")
        return cls(**raw)
