"""A check of an item that measures reviewers looks like a check of any other, and no item is audited while it waits."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from bootcamp_cli.commands.check import as_shown
from bootcamp_cli.settings_model import Settings
from bootcamp_cli.targets import resolve
from bootcamp_kit.report import CheckResult, Status
from review.decide import Choice, decide
from review.queue import Queue
from tests.bootcamp_cli.conftest import Run
from tests.review.conftest import REVIEWER, a_finding, a_submission


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


def test_no_item_is_audited_while_it_waits(bootcamp: Run, tmp_path: Path) -> None:
    state = tmp_path / "state"
    state.mkdir()
    with Queue(state / "queue.sqlite") as queue:
        ref = queue.submit(a_submission())
        name = queue.item(ref).ref
        told = bootcamp("audit", name, code=5).stderr
        assert "it waits for a reviewer" in told and "between the approval and the merge" in told
        assert not (state / "audits").exists()
        settings = Settings(state=state)
        assert resolve(settings, name).waits
        decide(queue, ref, Choice.APPROVE, REVIEWER, shown_hash=ref)
        assert not resolve(settings, name).waits
