"""Which bytes a task's name stands for where tasks are put to work."""

from __future__ import annotations

from pathlib import Path

import pytest

from bootcamp_cli.commands.library import open_library
from bootcamp_cli.evaluating import find_tasks
from bootcamp_cli.settings import load_settings
from bootcamp_kit.folder import TaskFolder
from review.queue import Queue
from tests.review.conftest import a_submission


def test_an_id_is_the_merged_task_while_a_candidate_of_that_id_waits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("BOOTCAMP_STATE", str(tmp_path))
    settings = load_settings()
    entry = open_library(settings.library).scan()[0][0]
    with Queue(tmp_path / "queue.sqlite") as queue:
        ref = queue.submit(a_submission(task_id=entry.card.id, version="9.0.0"))
    merged, waiting = find_tasks(settings, [entry.card.id, ref])
    assert merged.content_hash == TaskFolder.read(entry.path).content_hash
    assert waiting.card.version == "9.0.0"
