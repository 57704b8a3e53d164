"""What the command says of small numbers, of two tasks with one id, and of what there is nothing to do about."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from bootcamp_cli.settings_model import Settings
from bootcamp_cli.targets import resolve
from bootcamp_kit.counted import counted
from review.queue import Queue
from tests.bootcamp_cli.conftest import Run
from tests.evaluation.conftest import put_task
from tests.review.conftest import REVIEWER, a_submission


def test_one_is_one() -> None:
    assert counted(1, "brief") == "1 brief" and counted(0, "brief") == "0 briefs"
    assert counted(2, "reply", "replies") == "2 replies"


def test_the_list_of_verbs_cuts_no_sentence(bootcamp: Run) -> None:
    for words in ((), ("review",)):
        text = bootcamp(*words, "--help").stdout
        verbs = text[text.index("Commands:") :]
        assert "..." not in verbs and len(verbs.splitlines()) > 3


def test_an_id_that_waits_and_is_merged_means_the_candidate_and_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = Settings(state=tmp_path / "state", library=tmp_path / "library")
    submission = a_submission()
    waiting = submission.candidate.folder
    with Queue(settings.state_dir / "queue.sqlite") as queue:
        queue.submit(submission)
    put_task(tmp_path / "library", waiting.files)
    assert resolve(settings, waiting.card.id).folder.content_hash == waiting.content_hash
    assert capsys.readouterr().err == "", "the same bytes: there is nothing to tell apart"
    merged = next((tmp_path / "library").glob("*/*"))
    (merged / "brief.md").write_text("Other words.\n")
    assert resolve(settings, waiting.card.id).folder.content_hash == waiting.content_hash
    said = capsys.readouterr().err
    assert "the candidate" in said and str(merged) in said
    assert resolve(settings, str(merged)).folder.content_hash != waiting.content_hash
    assert capsys.readouterr().err == ""


def test_what_its_licence_keeps_out_is_not_sent_on_to_be_merged(bootcamp: Run, tmp_path: Path) -> None:
    given = a_submission()
    brief = replace(given.brief, source=replace(given.brief.source, licence="unknown"))
    (tmp_path / "state").mkdir()
    with Queue(tmp_path / "state" / "queue.sqlite") as queue:
        ref = queue.submit(replace(given, brief=brief))
    me = {"BOOTCAMP_REVIEWER": REVIEWER}
    bootcamp("review", "show", ref, "--no-cases", **me)
    said = bootcamp("review", "approve", ref, **me).stderr
    assert "never merged" in said and "next: bootcamp merge" not in said


def test_no_known_items_among_few_candidates_is_explained_without_a_sandbox(bootcamp: Run, tmp_path: Path) -> None:
    (tmp_path / "state").mkdir()
    with Queue(tmp_path / "state" / "queue.sqlite") as queue:
        queue.submit(a_submission())
    done = bootcamp("review", "calibrate", DOCKER_HOST="unix:///nowhere.sock")
    assert done.stdout == "0 known items put in\n" and "1 item waits" in done.stderr and "--count" in done.stderr
    assert json.loads(bootcamp("review", "calibrate", "--json").stdout) == {"asked": 0, "put_in": 0}


def test_review_without_a_verb_lists_as_json_too(bootcamp: Run) -> None:
    assert "bootcamp runs list … --json" in bootcamp("runs", "--json", "list", code=2).stderr
    assert json.loads(bootcamp("review", "--json").stdout) == json.loads(bootcamp("review", "list", "--json").stdout)


@pytest.mark.parametrize("words", [("library", "list", "--json"), ("runs", "show", "none", "--json"), ("runs", "list")])
def test_a_result_that_finds_no_space_is_an_error_in_words(words: tuple[str, ...], tmp_path: Path) -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "bootcamp_cli", *words],
            cwd=tmp_path,
            env={**os.environ, "BOOTCAMP_STATE": str(tmp_path)},
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert done.returncode == (2 if "none" in words else 3), done.stderr
    assert done.stderr.startswith("error ") and "Traceback" not in done.stderr and "ignored" not in done.stderr
    assert "none" in words or "no space" in done.stderr
