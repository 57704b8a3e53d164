"""The numbers of an authoring run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields

from bootcamp_kit.errors import UsageError
from bootcamp_kit.jsondata import Json

SOLVER_TOKENS = 8_000
MOST_CANDIDATES = 64
STAGES = ("analyse", "oppose", "calibrate", "compare")
"""The stages that can be switched off; drafting, the gate and repair cannot."""


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
        temperatures: Of the author, in turn over the candidates (with several models, once all of them have written at
            the first); none leaves the provider's default.
        findings_shown: Findings fed back to the author in one repair, heaviest first.
        troubles_in_a_row: Briefs in a row that failed for the machine's or the provider's sake before the run stops.
        stages: The optional stages that are on; each also needs what it works with (models, boxes, a library).
        opposition_cases: Cases of each level that an opponent is heard on.
        attacks: Most responses an attacker may propose in one call; there are two calls.
        blind_cases: Cases that a solver gets with nothing but the prompt, from the easiest level up.
        calibration_cases: Cases of each level that every solver of the panel gets.
        solver_tokens: Most output tokens of a solver's call.
        band_low, band_high: Pass rates between which a task is kept; it is turned down only where the whole interval
            lies outside, so that few cases turn nothing down.
        near_duplicate: Similarity of code or statement from which a task of the library is shown as a near duplicate.
        transfer_tasks: How many of the nearest tasks' solvers are tried on a candidate; 0 for none.
        max_minutes: Of one process that drives the run; 0 is no limit.
    """

    candidates: int = 3
    repairs: int = 2
    brief_parallelism: int = 2
    gate_parallelism: int = 2
    max_reply_tokens: int = 16_000
    temperatures: tuple[float, ...] = ()
    findings_shown: int = 12
    troubles_in_a_row: int = 5
    stages: tuple[str, ...] = STAGES
    opposition_cases: int = 2
    attacks: int = 6
    blind_cases: int = 2
    calibration_cases: int = 1
    solver_tokens: int = SOLVER_TOKENS
    band_low: float = 0.03
    band_high: float = 0.97
    near_duplicate: float = 0.7
    transfer_tasks: int = 1
    max_minutes: float = 0.0

    def __post_init__(self) -> None:
        for key, low, high in (
            ("candidates", 1, MOST_CANDIDATES),
            ("repairs", 0, 20),
            ("brief_parallelism", 1, 256),
            ("gate_parallelism", 1, 256),
            ("max_reply_tokens", 256, 1_000_000),
            ("findings_shown", 1, 100),
            ("troubles_in_a_row", 1, 1_000_000),
            ("opposition_cases", 1, 20),
            ("attacks", 0, 50),
            ("blind_cases", 0, 50),
            ("calibration_cases", 1, 1_000),
            ("solver_tokens", 256, 1_000_000),
            ("transfer_tasks", 0, 20),
        ):
            value = getattr(self, key)
            if type(value) is not int or not low <= value <= high:
                raise UsageError(f"authoring setting {key}", f"{value!r}", f"a whole number from {low} to {high}")
        object.__setattr__(self, "temperatures", tuple(self.temperatures))
        for value in self.temperatures:
            if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0.0 <= value <= 2.0:
                raise UsageError("authoring setting temperatures", f"{value!r}"[:60], "numbers from 0 to 2")
        object.__setattr__(self, "stages", tuple(self.stages))
        foreign = [stage for stage in self.stages if stage not in STAGES]
        if foreign:
            raise UsageError("authoring setting stages", f"{str(foreign[0])[:40]!r}", f"any of {', '.join(STAGES)}")
        if not 0.0 <= self.band_low < self.band_high <= 1.0:
            raise UsageError("authoring setting band", f"{self.band_low} to {self.band_high}", "0 ≤ low < high ≤ 1")
        if not 0.0 < self.near_duplicate <= 1.0:
            raise UsageError("authoring setting near_duplicate", f"{self.near_duplicate}", "above 0, at most 1")
        if not 0.0 <= self.max_minutes <= 1e6:
            raise UsageError("authoring setting max_minutes", f"{self.max_minutes}", "0 (no limit) to 1,000,000")

    def to_json(self) -> dict[str, Json]:
        """For the run's record."""
        return {**asdict(self), "stages": list(self.stages), "temperatures": list(self.temperatures)}

    @classmethod
    def from_json(cls, raw: Mapping[str, Json]) -> AuthoringSettings:
        """Rebuild from a run's record.

        Raises:
            UsageError: an unknown key or a value out of range.
        """
        raw = dict(raw)
        if raw.pop("temperature", None) is not None:  # of runs before there were several; it could not be set
            raise UsageError("authoring setting temperature", "of an earlier version", "start a new run")
        known = {item.name for item in fields(cls)}
        unknown = sorted(set(raw) - known)
        if unknown:
            raise UsageError(f"authoring setting {unknown[0]}", "unknown", f"known: {', '.join(sorted(known))}")
        return cls(**raw)
