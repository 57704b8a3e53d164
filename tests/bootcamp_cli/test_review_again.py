"""A row of evidence is run again by a plain command, with the same code as in the app."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from review.queue import Queue
from tests.bootcamp_cli.conftest import Run
from tests.review.conftest import REVIEWER, a_submission
from tests.review.test_worst import BODY, ORACLE


@pytest.mark.docker
def test_a_row_is_run_again_by_a_plain_command(bootcamp: Run, tmp_path: Path) -> None:
    state = tmp_path / "state"
    state.mkdir()
    with Queue(state / "queue.sqlite") as queue:
        ref = queue.submit(a_submission(body=BODY, extra={"oracle.py": ORACLE}))
    me = {"BOOTCAMP_REVIEWER": REVIEWER}
    assert "1, 2 or 3" in bootcamp("review", "again", ref, "4", code=2, **me).stderr
    assert "nothing to run" in bootcamp("review", "again", ref, "1", code=2, **me).stderr
    said = json.loads(bootcamp("review", "again", ref, "2", "--json", **me).stdout)
    assert (said["row"], said["held"]) == ("right", True)
    assert said["steps"][0][1].endswith("1 correct")
    with Queue(state / "queue.sqlite") as queue:
        assert queue.opened(queue.item(ref), REVIEWER) == ("run again: right",)
