"""The certificate's arithmetic, against SciPy where it has the same thing."""

from __future__ import annotations

import pytest

from sandbox.audit.statistics import ACCEPT_AFTER_CLEAN, capacity, rate, spread, sprt, worst


@pytest.mark.parametrize(("hits", "trials"), [(0, 59), (0, 299), (0, 2995), (3, 40), (40, 40), (1, 1)])
def test_bounds_are_those_of_clopper_and_pearson(hits: int, trials: int) -> None:
    stats = pytest.importorskip("scipy.stats")
    expected = 1.0 if hits == trials else stats.beta.ppf(0.95, hits + 1, trials - hits)
    assert rate(hits, trials)["below"] == pytest.approx(expected, abs=1e-4)


def test_no_failures_in_59_trials_bound_the_rate_at_five_percent() -> None:
    assert rate(0, 59) == {"hits": 0, "n": 59, "below": 0.0495}


def test_the_worst_class_is_named_and_nothing_is_pooled() -> None:
    found = worst({"length": rate(0, 500), "order": rate(1, 50), "sign": rate(0, 5)})
    assert found == {"class": "order", **rate(1, 50), "classes": 3}
    assert worst({"length": rate(0, 500), "sign": rate(0, 5)}) == {"class": "sign", **rate(0, 5), "classes": 2}
    assert worst({}) is None


def test_the_sequential_test_accepts_after_72_clean_trials() -> None:
    assert sprt(0, ACCEPT_AFTER_CLEAN) == "good"
    assert sprt(0, ACCEPT_AFTER_CLEAN - 1) == "undecided"
    assert sprt(3, 10) == "bad"


def test_capacity_bounds_grow_with_the_square_of_a_draw_without_repeats() -> None:
    few, many = capacity(map(str, range(50))), capacity(map(str, range(200)))
    assert few["distinct"] == 50 and few["birthday"] == 408  # 50·49 / (2 ln 20)
    assert many["birthday"] == 6642
    assert capacity(["a"] * 40)["birthday"] == 1


@pytest.mark.parametrize("size", [40, 300, 2000])
def test_the_birthday_bound_lies_below_the_true_size_nearly_always(size: int) -> None:
    import random

    rng = random.Random(7)
    above = sum(int(str(capacity(str(rng.randrange(size)) for _ in range(60))["birthday"])) > size for _ in range(200))
    assert above <= 18  # 5 % of 200, and three standard deviations


def test_spread_says_bits_and_the_top_share() -> None:
    assert spread(["a", "b", "a", "b"]) == {"n": 4, "different": 2, "bits": 1.0, "top_share": 0.5}
    assert spread([]) == {"n": 0}
