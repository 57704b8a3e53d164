"""From brief to merged commit without a model: the main job."""

import sqlite3
import subprocess

import pytest

from authoring.compiler.outcome import AUTHOR
from bootcamp_kit.folder import TaskFolder
from tests.integration.conftest import BRIEFS, REVIEWER, Place

pytestmark = pytest.mark.docker


@pytest.mark.timeout(1_200)  # seven gates: minutes on a busy machine
def test_bundled_briefs_become_tasks_that_others_can_use(place: Place) -> None:
    run = place.json("author", str(BRIEFS), code=1)
    outcomes = {outcome["brief_id"]: outcome for outcome in run["outcomes"]}
    assert len(outcomes) == 6
    queued = [name for name, outcome in outcomes.items() if outcome["kind"] == "queued"]
    refused = [outcome for outcome in outcomes.values() if outcome["kind"] == "refused"]
    assert (len(queued), len(refused)) == (4, 2)
    assert all("model" in outcome["reason"] for outcome in refused)

    again = place.json("author", str(BRIEFS / "ivy_nights.md"))
    assert [outcome["content_hash"] for outcome in again["outcomes"]] == [outcomes["ivy_nights"]["content_hash"]], (
        "the compiler is deterministic"
    )
    waiting = place.json("review", "list")
    assert sorted(item["task_id"] for item in waiting) == sorted(queued), "no candidate twice"

    first = waiting[0]["ref"]
    shown = place.json("review", "show", first)
    assert shown["report"]["verdict"] == "pass"
    assert shown["intact"]
    assert len(shown["cases"]) == 2
    assert all(case["prompt"] for case in shown["cases"])
    tried = place.json("review", "try", first, "--level", "2", "--response", "<answer>certainly wrong</answer>", code=1)
    assert not tried["right"]
    assert tried["prompt"]

    for item in waiting:
        place.approve(item["ref"])
    merged = place.json("merge", "--all")
    assert len(merged) == 4
    for item in merged:
        touched = place.git("show", "--format=", "--name-only", item["commit"]).split()
        assert len({"/".join(path.split("/")[:3]) for path in touched}) == 1, "exactly one folder"
        message = place.git("show", "-s", "--format=%B", item["commit"])
        assert f"Reviewed-by: {REVIEWER}" in message
        assert f"Made-by: {AUTHOR}\n" in message
    assert place.git("status", "--porcelain") == ""
    assert place.json("review", "log", "--verify")["problems"] == []

    listed = place.json("library", "list")
    assert sorted(task["id"] for task in listed["tasks"]) == sorted(queued)
    for task in queued:
        sample = place.json("library", "sample", task, "--level", "3", "-n", "3")
        assert len({case["prompt"] for case in sample["cases"]}) == 3
    place.bootcamp("check", min(queued))
    place.bootcamp("merge", code=2)


def test_a_byte_changed_after_approval_stops_the_merge(place: Place) -> None:
    place.bootcamp("author", str(BRIEFS / "ivy_nights.md"))
    ref = place.json("review", "list")[0]["ref"]
    place.approve(ref)
    with sqlite3.connect(place.state / "queue.sqlite") as database:
        database.execute("UPDATE review_files SET data = data || ' ' WHERE path = 'bootcamp.py'")
    database.close()
    process = place.popen("merge", ref)
    _, said = process.communicate(timeout=240)
    assert process.returncode == 5
    assert "changed" in said
    assert place.git("log", "--oneline").count("\n") == 1
    assert place.git("status", "--porcelain") == ""


def test_a_changed_task_in_the_library_is_not_loaded(place: Place) -> None:
    place.bootcamp("author", str(BRIEFS / "ivy_nights.md"))
    ref = place.json("review", "list")[0]["ref"]
    place.approve(ref)
    folder = place.json("merge", ref)[0]["path"]
    task = ref.split("@")[0]
    place.bootcamp("library", "sample", task)
    with open(f"{folder}/bootcamp.py", "a") as source:  # noqa: PTH123
        source.write("\n")
    place.bootcamp("library", "sample", task, code=2)
    hashed = subprocess.run(
        ["sh", "-c", "find . -type f ! -path './evidence/*' | LC_ALL=C sort | xargs sha256sum | sha256sum"],
        cwd=folder, capture_output=True, text=True, check=True,
    )  # fmt: skip
    from pathlib import Path

    assert hashed.stdout.split()[0] == TaskFolder.read(Path(folder)).content_hash
