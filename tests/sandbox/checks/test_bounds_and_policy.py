"""Exact binomial bounds against published values; the policy file and its errors; the documentation is fresh."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bootcamp_kit.errors import UsageError
from bootcamp_kit.report import Severity, Witness
from sandbox.calls import Op
from sandbox.checks.bounds import lower_bound, upper_bound
from sandbox.checks.document import document
from sandbox.checks.policy import default_policy, parse_policy
from sandbox.checks.registry import CHECKS

ROOT = Path(__file__).parents[3]


@pytest.mark.parametrize(("trials", "rate"), [(59, 0.05), (299, 0.01), (2995, 0.001)])
def test_zero_failures_bound_the_rate_as_in_the_tables(trials: int, rate: float) -> None:
    assert upper_bound(0, trials) <= rate < upper_bound(0, trials - 1)


def test_bounds_at_the_edges_and_in_the_middle() -> None:
    assert (lower_bound(0, 10), upper_bound(10, 10), lower_bound(0, 0), upper_bound(0, 0)) == (0.0, 1.0, 0.0, 1.0)
    assert lower_bound(10, 10) == pytest.approx(0.05 ** (1 / 10))
    assert lower_bound(5, 10) == pytest.approx(0.2224, abs=1e-4)
    assert upper_bound(5, 10) == pytest.approx(0.7776, abs=1e-4)


def test_every_code_in_the_source_has_a_severity() -> None:
    policy = default_policy()
    families = {check.family for check in CHECKS}
    pattern = re.compile(rf'"((?:{"|".join(sorted(families))})\.[a-z_]+)"')
    used = {
        code
        for path in (ROOT / "sandbox" / "checks").glob("*.py")
        for code in pattern.findall(path.read_text(encoding="utf-8"))
    }
    others = {check.name for check in CHECKS} | {check.rfc008 for check in CHECKS} | {"examples.toml", "oracle.py"}
    assert used - others - set(policy.severities) == set()


def test_every_way_a_call_can_fail_has_a_severity() -> None:
    policy = default_policy()
    for op in Op:
        if op is not Op.PROGRAM:
            for kind in ("crash", "limit", "shape"):
                assert policy.severities[f"contract.{op.value}_{kind}"] is Severity.BLOCKER


@pytest.mark.parametrize(
    "text",
    [
        "",
        "version = '1'",
        "= nonsense",
        "version='1'\n[thresholds]\nx='a'\n[severity]\n",
        "version='1'\n[thresholds]\n[severity]\n'a.b'='dire'",
    ],
)
def test_an_unusable_policy_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="policy"):
        parse_policy(text.encode())


def test_unknown_codes_and_thresholds_are_refused() -> None:
    with pytest.raises(UsageError, match="no severity"):
        default_policy().finding("made.up", "m", Witness("load"))
    with pytest.raises(UsageError, match="no threshold"):
        default_policy().threshold("made_up")


def test_check_names_are_distinct_and_needs_are_known() -> None:
    assert len({check.name for check in CHECKS}) == len(CHECKS)
    known = {"card", "load", "cases", "deterministic", "right"}
    assert all(set(check.needs) <= known and check.shows and check.cannot for check in CHECKS)


def test_the_documentation_is_fresh() -> None:
    written = (ROOT / "docs" / "checks.md").read_text(encoding="utf-8")
    assert written == document(ROOT), "run: python -m sandbox.checks.document"
