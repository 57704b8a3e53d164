"""Known items come in by themselves when enough candidates wait, from the checkout or from a named folder."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from bootcamp_cli.known_items import known_place, submitting
from bootcamp_cli.settings_model import Settings
from bootcamp_kit.errors import UsageError
from review.queue import Queue
from sandbox.service import Sandbox
from tests.review.conftest import a_submission

ROOT = Path(__file__).parents[2]


def test_a_checkout_has_known_items_and_a_setting_names_others(tmp_path: Path) -> None:
    assert known_place(Settings()) == ROOT / "tests"
    assert known_place(Settings(known_items=tmp_path)) == tmp_path
    with pytest.raises(UsageError, match="known_items"):
        known_place(Settings(known_items=tmp_path / "none"))


@pytest.mark.docker
def test_the_twentieth_item_is_a_known_one(tmp_path: Path, sandbox: Sandbox) -> None:
    place = tmp_path / "known"
    shutil.copytree(ROOT / "tests" / "bestiary" / "length_unchecked", place / "broken" / "length_unchecked")
    with Queue(tmp_path / "queue.sqlite") as queue:
        submit = submitting(Settings(known_items=place), queue, sandbox)
        for number in range(18):
            submit(a_submission(task_id=f"task_{number}"))
        assert queue.counts() == (18, 0)
        submit(a_submission(task_id="task_18"))
        assert queue.counts() == (20, 1)
        submit(a_submission(task_id="task_19"))
        assert queue.counts() == (21, 1)
        silent = submitting(Settings(known_items=place, known_share=0.0), queue, sandbox)
        for number in range(20, 45):
            silent(a_submission(task_id=f"task_{number}"))
        assert queue.counts() == (46, 1)
        assert queue.verify_log().sound
