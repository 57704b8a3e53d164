"""What ``check --replay`` tells of a queued candidate, and when."""

from __future__ import annotations

from pathlib import Path

from bootcamp_kit.report import Finding, Severity, Witness
from review.queue import Queue
from tests.bootcamp_cli.conftest import Run
from tests.review.conftest import REVIEWER, a_submission

SAID = Finding(
    "oppose.accepts_wrong", Severity.MAJOR, "a judge doubts it", Witness("score", 1, 0, "<answer>3</answer>")
)


def test_a_models_opinion_is_not_replayed_before_a_pair_was_judged(bootcamp: Run, tmp_path: Path) -> None:
    (tmp_path / "state").mkdir()
    with Queue(tmp_path / "state" / "queue.sqlite") as queue:
        ref = queue.submit(a_submission(findings=(SAID,)))
    done = bootcamp("check", ref, "--replay", SAID.id, code=2, BOOTCAMP_REVIEWER=REVIEWER)
    assert "a model's opinion: told after you judged a pair of answers" in done.stderr
    assert "bootcamp review judge" in done.stderr
    assert "doubts" not in done.stderr + done.stdout
    assert "<answer>3" not in done.stderr + done.stdout
