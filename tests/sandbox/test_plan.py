"""The gate's plan: seeds that follow from content and level, and smaller plans for dear tasks."""

from __future__ import annotations

import pytest

from bootcamp_kit.errors import UsageError
from sandbox.plan import GatePlan


def test_seeds_depend_on_content_and_level_and_nothing_else() -> None:
    plan = GatePlan()
    assert plan.seeds("a" * 64, 1) == plan.seeds("a" * 64, 1)
    assert plan.seeds("a" * 64, 1)[:3] == (0, 1, 2)
    assert set(plan.seeds("a" * 64, 1)[3:]).isdisjoint(plan.seeds("b" * 64, 1)[3:])
    assert set(plan.seeds("a" * 64, 1)[3:]).isdisjoint(plan.seeds("a" * 64, 2)[3:])
    assert len(set(plan.seeds("a" * 64, 1))) == plan.cases_per_level


@pytest.mark.parametrize(("seconds", "size"), [(0.01, 100), (0.2, 100), (2.0, 100), (0.01, 20_000), (0.01, 10**6)])
def test_a_dear_task_gets_a_smaller_plan_that_still_measures_everything(seconds: float, size: int) -> None:
    plan = GatePlan().for_cost(seconds, size)
    assert 2 <= plan.screen_cases < plan.cases_per_level <= 24
    assert min(plan.near_miss_cases, plan.still_right_cases, plan.property_examples, plan.stable_examples) >= 1
    assert (plan == GatePlan()) == (seconds < 0.1 and size < 16_384)


def test_a_plan_that_cannot_work_is_refused() -> None:
    with pytest.raises(UsageError):
        GatePlan(screen_cases=24)
    with pytest.raises(UsageError):
        GatePlan(hash_seeds=(1, 1))


def test_the_hash_seeds_hang_on_the_content() -> None:
    plan = GatePlan()
    seeds = {plan.hash_seeds_for(f"{number:064x}") for number in range(20)}
    assert len({seed for pair in seeds for seed in pair}) == 40
    assert plan.hash_seeds_for("a" * 64) == GatePlan().hash_seeds_for("a" * 64)
