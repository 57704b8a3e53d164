"""Numbers against hand counts, published values and a simulation."""

import math
import random

import pytest

from evaluation.compare import in_words
from evaluation.statistics import clustered_by_task, clustered_mean, mcnemar, pass_at_k, quantile, share


def test_intervals_of_shares_agree_with_published_values() -> None:
    wilson = share(8, 10)
    assert (wilson.value, round(wilson.low, 3), round(wilson.high, 3)) == (0.8, 0.490, 0.943)
    exact = share(0, 10, method="exact")
    assert (exact.low, round(exact.high, 4)) == (0.0, 0.3085)
    assert math.isnan(share(0, 0).value)


def test_intervals_and_tests_agree_with_scipy_stats() -> None:
    from scipy.stats import binomtest

    for count, total in ((0, 7), (7, 7), (1, 3), (40, 90), (999, 1000)):
        for method in ("wilson", "exact"):
            found, want = share(count, total, method=method), binomtest(count, total).proportion_ci(0.95, method)
            assert (found.low, found.high) == pytest.approx((want.low, want.high), abs=1e-12)
        pairs = [(True, False)] * count + [(False, True)] * (total - count)
        assert mcnemar(pairs).p_value == pytest.approx(binomtest(count, total).pvalue)


def test_pass_at_k_is_the_share_of_winning_draws() -> None:
    from itertools import combinations

    right = [True] * 3 + [False] * 5
    for k in (1, 2, 4, 8):
        draws = list(combinations(right, k))
        assert pass_at_k(8, 3, k) == pytest.approx(sum(map(any, draws)) / len(draws))
    with pytest.raises(ValueError, match="pass@9"):
        pass_at_k(8, 3, 9)


def test_clustered_mean_equals_the_usual_interval_when_clusters_are_single_values() -> None:
    from scipy.stats import t

    values = [0.0, 1.0, 1.0, 0.5, 0.0, 1.0]
    found = clustered_mean({index: [value] for index, value in enumerate(values)})
    mean = sum(values) / 6
    error = math.sqrt(sum((value - mean) ** 2 for value in values) / 5 / 6)
    assert found.high - found.value == pytest.approx(min(1 - mean, t.ppf(0.975, 5) * error))


def test_clustered_intervals_cover_where_plain_ones_do_not() -> None:
    rng = random.Random(7)
    covered = plain = 0
    for _ in range(300):
        clusters = {}
        for name in range(20):
            chance = rng.betavariate(2, 2)
            clusters[name] = [float(rng.random() < chance) for _ in range(25)]
        found = clustered_mean(clusters)
        right = sum(map(sum, clusters.values()))
        naive = share(round(right), 500)
        covered += found.low <= 0.5 <= found.high
        plain += naive.low <= 0.5 <= naive.high
    assert covered / 300 > 0.90
    assert plain / 300 < 0.75, "the test would say nothing if independence were nearly true"


def test_the_wider_of_tasks_and_cases_is_shown() -> None:
    alike = [(task, str(n), float(n % 2 or task + str(n) == "b0")) for task in "abc" for n in range(40)]
    assert clustered_by_task(alike).method.endswith("(cases)"), "three tasks of equal means say little"
    apart = [(task, str(n), float(n % 20 < place)) for place, task in enumerate("abcdefgh", 4) for n in range(40)]
    assert clustered_by_task(apart).method.endswith("8 clusters (tasks)")
    one = clustered_by_task([("a", "k", 0.0), ("a", "k", 1.0)])
    assert one.method.startswith("one cluster") and (one.low, one.high) == (0.0, 1.0)


def test_no_spread_is_not_certainty() -> None:
    perfect = clustered_mean({name: [1.0, 1.0] for name in range(10)})
    assert (round(perfect.low, 3), perfect.high) == (0.692, 1.0)
    assert clustered_mean({1: [0.5], 2: [0.5]}).low == 0.0
    assert clustered_mean({1: [0.5, 0.7]}).method.startswith("one cluster")
    assert math.isnan(clustered_mean({}).value)


def test_differences_that_are_all_zero_are_bounded_by_how_often_a_pair_may_differ() -> None:
    found = clustered_by_task([("a", str(n), 0.0) for n in range(30)], low=-1.0, high=1.0)
    assert (found.value, round(found.low, 3), round(found.high, 3)) == (0.0, -0.116, 0.116)
    assert "no pair differs" in found.method and in_words(found) == "−0.116 … +0.116"
    assert in_words(clustered_by_task([("a", "k", 0.0)], low=-1.0, high=1.0)) == "cannot be told"
    assert clustered_mean({1: [0.5, -0.5], 2: [0.5, -0.5]}, low=-1.0, high=1.0).low == -1.0


def test_mcnemar_is_the_exact_sign_test_on_the_discordant_pairs() -> None:
    pairs = [(True, True)] * 40 + [(True, False)] * 2 + [(False, True)] * 10 + [(False, False)] * 5
    found = mcnemar(pairs)
    assert (found.both, found.only_a, found.only_b, found.neither) == (40, 2, 10, 5)
    assert found.p_value == pytest.approx(2 * sum(math.comb(12, k) for k in range(3)) / 2**12)
    assert mcnemar([(True, True)]).p_value == 1.0


def test_quantiles_are_nearest_rank() -> None:
    assert quantile([3, 1, 2], 0.5) == 2
    assert quantile(list(range(1, 101)), 0.95) == 95
