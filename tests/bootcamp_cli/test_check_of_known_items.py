"""A check of an item that measures reviewers looks like a check of any other."""

from __future__ import annotations

from dataclasses import replace

from bootcamp_cli.commands.check import as_shown
from bootcamp_kit.report import CheckResult, Status
from tests.review.conftest import a_finding, a_submission


def test_a_check_of_a_known_item_has_the_rows_and_the_place_of_any_check() -> None:
    kept = a_submission(findings=(a_finding(),)).report
    added = (CheckResult("oppose.voices", Status.PASS), CheckResult("calibrate.panel", Status.PASS))
    kept = replace(kept, results=(*kept.results, *added))
    environment = replace(kept.environment, kit_version="0.2.0")
    others = tuple(CheckResult(result.check, Status.PASS) for result in kept.results[:2])
    measured = replace(kept, results=others, environment=environment, seconds={"total": 2.0})
    shown = as_shown(kept, measured)
    assert [result.check for result in shown.results] == [result.check for result in measured.results]
    assert shown.findings == kept.findings, "what is known of it stays hidden"
    assert (shown.environment, shown.seconds) == (measured.environment, measured.seconds)
