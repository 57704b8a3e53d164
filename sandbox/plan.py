"""How much a gate measures: cases, seeds, mutants, property examples. Numbers only; nothing here runs anything."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace

from bootcamp_kit.errors import UsageError

MAX_SEED = 2**31


@dataclass(frozen=True, slots=True)
class GatePlan:
    """The size of a gate. The defaults measure a typical five-level task in a few seconds on two cores.

    Attributes:
        cases_per_level: Generated, prompted, solved and scored at each level.
        screen_cases: Of these, how many the cheap strategies are screened on; those that earn are measured on the rest.
        second_container_cases: Of these, how many are prompted, solved and scored in the second container too.
        near_miss_cases: Right answers mutated at each level.
        wrong_values: Other values tried on every further case: holes in a few cases of a hundred show only there.
        other_seeds: Seeds that one case of each level is renamed to, its payload kept.
        still_right_cases: Right answers rewritten at each level.
        garbage_cases: Cases at each level that get every garbage response.
        huge_garbage_cases: Cases in all that get the long garbage responses.
        perturbed_cases: Cases at each level whose payload fields are swapped one by one.
        property_examples: Hypothesis examples over (level, seed).
        response_examples: Hypothesis examples over responses.
        stable_examples: Hypothesis examples that score twice.
        calls_after_failure: Further examples a property may try once it failed, to shrink.
        huge: Characters of the long garbage responses.
        hash_seeds: What PYTHONHASHSEED of the first and of the second container is derived from.
        salt: Changes every derived seed.
        slow_s, very_slow_s: Above this many CPU seconds for one case (generate … score) the plan shrinks.
        budget_s: CPU seconds that one container may spend on all calls; what needs more is no use to a trainer either.
        large_bytes, very_large_bytes: Above this size of a payload it shrinks too.
    """

    cases_per_level: int = 24
    screen_cases: int = 6
    second_container_cases: int = 8
    near_miss_cases: int = 4
    wrong_values: int = 3
    other_seeds: int = 60
    still_right_cases: int = 2
    garbage_cases: int = 1
    huge_garbage_cases: int = 2
    perturbed_cases: int = 2
    property_examples: int = 40
    response_examples: int = 120
    stable_examples: int = 25
    calls_after_failure: int = 120
    huge: int = 100_000
    hash_seeds: tuple[int, int] = (1, 4242)
    salt: str = ""
    slow_s: float = 0.1
    very_slow_s: float = 1.0
    budget_s: float = 240.0
    large_bytes: int = 16_384
    very_large_bytes: int = 131_072

    def __post_init__(self) -> None:
        if not 2 <= self.screen_cases < self.cases_per_level or self.hash_seeds[0] == self.hash_seeds[1]:
            raise UsageError(
                "gate plan",
                f"{self.screen_cases} of {self.cases_per_level} cases, hash seeds {self.hash_seeds}",
                "screen at least 2 and fewer than all cases; use two different hash seeds",
            )

    def for_cost(self, cpu_s_per_case: float, payload_bytes: int) -> GatePlan:
        """The plan for a task whose cases cost this much; in two steps, so that small wobbles change nothing."""
        if cpu_s_per_case > self.very_slow_s or payload_bytes > self.very_large_bytes:
            return self._scaled(8)
        return self._scaled(3) if cpu_s_per_case > self.slow_s or payload_bytes > self.large_bytes else self

    def _scaled(self, divisor: int) -> GatePlan:
        def part(number: int, least: int) -> int:
            return min(number, max(least, number // divisor))

        cases = part(self.cases_per_level, 4)
        return replace(
            self,
            cases_per_level=cases,
            screen_cases=min(part(self.screen_cases, 2), cases - 1),
            second_container_cases=part(self.second_container_cases, 2),
            near_miss_cases=part(self.near_miss_cases, 1),
            wrong_values=part(self.wrong_values, 1),
            other_seeds=part(self.other_seeds, 4),
            still_right_cases=part(self.still_right_cases, 1),
            perturbed_cases=part(self.perturbed_cases, 1),
            property_examples=part(self.property_examples, 5),
            response_examples=part(self.response_examples, 20),
            stable_examples=part(self.stable_examples, 5),
            calls_after_failure=part(self.calls_after_failure, 10),
        )

    def seeds(self, content_hash: str, level: int) -> tuple[int, ...]:
        """The seeds of one level: 0, 1, 2 (neighbours), then seeds derived from content and level.

        Derived from the content, a repaired candidate meets new cases; the same bytes always meet the same ones.
        """
        seeds = [0, 1, 2][: self.cases_per_level]
        number = 0
        while len(seeds) < self.cases_per_level:
            seed = derived(content_hash, self.salt, "case", level, number)
            number += 1
            if seed not in seeds:
                seeds.append(seed)
        return tuple(seeds)

    def hash_seeds_for(self, content_hash: str) -> tuple[int, int]:
        """PYTHONHASHSEED of both containers, derived from the content.

        Were they fixed, a task could tell the gate by the order of a set of strings, and behave there only.
        """
        first, second = (derived(content_hash, self.salt, "hash seed", seed) for seed in self.hash_seeds)
        return first, second if second != first else second + 1

    def seeds_for_renaming(self, content_hash: str) -> tuple[int, ...]:
        """Small seeds as trainers count them, then derived ones."""
        small = self.other_seeds // 2
        further = (derived(content_hash, self.salt, "rename", n) for n in range(self.other_seeds - small))
        return (*range(small), *further)


def derived(*parts: object) -> int:
    """A number below 2**31 that depends on all parts and nothing else."""
    data = hashlib.sha256("\0".join(str(part) for part in parts).encode()).digest()
    return int.from_bytes(data[:8], "big") % MAX_SEED
