"""A task written by hand goes through the gate into the queue, and its author cannot approve it."""

import shutil

import pytest

from tests.integration.conftest import REVIEWER, ROOT, Place

pytestmark = pytest.mark.docker


def test_a_task_written_by_hand_is_measured_queued_and_approved_by_somebody_else(place: Place) -> None:
    folder = place.home / "mine"
    shutil.copytree(ROOT / "tests" / "sound_tasks" / "flood_map", folder)
    added = place.json("review", "add", str(folder))
    assert (added["queued"], added["author"], added["verdict"]) == (True, REVIEWER, "pass")
    place.bootcamp("review", "approve", added["ref"], code=5)
    place.bootcamp("review", "approve", added["ref"], "--reviewer", "Bo Two <bo@example.org>")
    place.bootcamp("review", "diff", added["ref"], code=2)
    merged = place.json("merge", added["ref"])[0]
    assert f"Made-by: {REVIEWER}" in place.git("show", "-s", "--format=%B", merged["commit"])
    assert place.json("library", "sample", "flood_map", "-n", "1")["cases"]
