"""A task written by hand goes through the gate into the queue, and its author cannot approve it."""

import shutil

import pytest

from authoring.compiler.outcome import AUTHOR
from tests.integration.conftest import REVIEWER, ROOT, Place

pytestmark = pytest.mark.docker


def test_a_task_written_by_hand_is_measured_queued_and_approved_by_somebody_else(place: Place) -> None:
    folder = place.home / "mine"
    shutil.copytree(ROOT / "tests" / "sound_tasks" / "flood_map", folder)
    added = place.json("review", "add", str(folder))
    assert (added["queued"], added["author"], added["verdict"]) == (True, REVIEWER, "pass")
    place.bootcamp("review", "approve", added["ref"], code=5)
    place.approve(added["ref"], "--reviewer", "Bo Two <bo@example.org>")
    place.bootcamp("review", "diff", added["ref"], code=2)
    merged = place.json("merge", added["ref"])[0]
    assert f"Made-by: {REVIEWER}" in place.git("show", "-s", "--format=%B", merged["commit"])
    assert place.json("library", "sample", "flood_map", "-n", "1")["cases"]


def test_a_known_item_looks_like_any_other_and_is_told_with_the_decision(place: Place) -> None:
    known = place.home / "known" / "sound"
    shutil.copytree(ROOT / "tests" / "sound_tasks" / "signed_gap", known / "signed_gap")
    setting = {"BOOTCAMP_KNOWN_ITEMS": str(known.parent)}
    assert place.json("review", "calibrate", "--count", "3", **setting) == {"asked": 3, "put_in": 1}
    (item,) = place.json("review", "list")
    assert (item["state"], item["verdict"], item["author"]) == ("queued", "pass", AUTHOR)
    (report,) = place.json("check", item["ref"])
    shown = place.json("review", "show", item["ref"], "--no-cases")["report"]
    assert report["hash"] == shown["hash"], "a second check shows what its report shows"
    said = place.bootcamp("review", "return", item["ref"], "--reason", "a wrong answer is accepted")
    assert "put there to measure reviewers" in said
    (one,) = place.json("review", "people")["reviewers"]
    assert one["caught"]["n"] + one["false_alarms"]["n"] == 1
    assert place.json("review", "calibrate", "--count", "1", **setting)["put_in"] == 0
