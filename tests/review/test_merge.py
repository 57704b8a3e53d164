from __future__ import annotations

import json
import tomllib

from bootcamp_kit.folder import TaskFolder
from bootcamp_kit.library import approved_hash
from bootcamp_kit.report import Report
from review.item import State
from review.merge import merge

KEEPER = "Kim Keeper <kim@example.org>"


def test_a_merge_is_one_commit_of_one_folder_with_its_evidence(queue, repository, approved, submission):
    content_hash = approved()
    done = merge(queue, "seat_rotation", repository.library, identity=KEEPER)

    assert repository.git("rev-parse", "HEAD") == done.commit
    assert done.new
    assert not done.signed
    assert repository.commits() == 2
    assert repository.status() == ""
    touched = repository.git("show", "--name-only", "--format=", "HEAD").split()
    assert all(path.startswith("tasks/arithmetic/seat_rotation/") for path in touched)
    assert len(touched) == 7
    assert TaskFolder.read(done.path).content_hash == content_hash == approved_hash(done.path)
    assert queue.item(content_hash).state is State.MERGED
    report = Report.from_json(json.loads((done.path / "evidence/report.json").read_text()))
    assert report == submission().report
    record = tomllib.loads((done.path / "evidence/record.toml").read_text())
    assert record["approval"]["reviewer"] == "Rae Viewer <rae@example.org>"
    assert record["approval"]["report_hash"] == report.hash
    assert [entry["version"] for entry in record["lineage"]] == ["1.0.0"]
    assert [entry["choice"] for entry in record["decision"]] == ["approve"]
    message = repository.git("log", "-1", "--format=%B")
    print(message)
