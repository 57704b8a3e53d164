"""``bootcamp runs``: list, show, report, also of what is not there."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from authoring.runs import RunFolder
from authoring.settings import AuthoringSettings
from tests.authoring.parts import RUN_ID
from tests.authoring.reporting.test_run_report import every_stage


@pytest.fixture
def run_id(tmp_path: Path) -> str:
    return every_stage(tmp_path / "state").run_id


def test_runs_are_listed_with_and_without_the_verb(bootcamp: Any, run_id: str) -> None:
    for verb in ((), ("list",)):
        (run,) = json.loads(bootcamp("runs", *verb, "--json").stdout)
        assert (run["run_id"], run["briefs"]) == (run_id, 4)
    assert run_id in bootcamp("runs").stdout


def test_a_run_is_shown_brief_by_brief(bootcamp: Any, run_id: str) -> None:
    lines = bootcamp("runs", "show", run_id).stdout.splitlines()
    assert lines[1].startswith("exact_load_1\tqueued\tbrief\t3")
    assert len(json.loads(bootcamp("runs", "show", "last", "--json").stdout)["briefs"]) == 4


def test_a_report_is_markdown_json_or_a_page(bootcamp: Any, run_id: str, tmp_path: Path) -> None:
    assert bootcamp("runs", "report", run_id).stdout.startswith(f"# Run {run_id}")
    assert json.loads(bootcamp("runs", "report", run_id, "--json").stdout)["queued"] == 1
    done = bootcamp("runs", "report", "last", "--html", str(tmp_path / "report.html"))
    assert done.stdout == ""
    assert (tmp_path / "report.html").read_text().startswith("<!doctype html>")


@pytest.mark.parametrize("name", ["20261130T120000000Z-00000b", "../../etc", "nothing"])
def test_a_run_that_is_not_there_is_said(bootcamp: Any, run_id: str, name: str) -> None:
    assert "bootcamp runs" in bootcamp("runs", "report", name, code=2).stderr


def test_a_coding_agent_s_run_is_not_resumed_without_the_agent(bootcamp: Any, tmp_path: Path) -> None:
    settings = AuthoringSettings()
    run = RunFolder.create(tmp_path / "state", RUN_ID, author="agent:x", settings=settings, created="2026-11-30")
    assert "bootcamp mcp --resume" in bootcamp("runs", "resume", run.run_id, code=2).stderr
    assert "no unfinished run" in bootcamp("runs", "resume", "last", code=2).stderr


def test_a_run_of_another_author_is_not_taken_up_by_an_agent(bootcamp: Any, run_id: str, tmp_path: Path) -> None:
    assert "no coding agent" in bootcamp("mcp", "--resume", run_id, code=2).stderr
    assert (tmp_path / "state" / "runs" / run_id / "work.json").exists()


def test_a_page_that_cannot_be_written_is_said(bootcamp: Any, run_id: str) -> None:
    assert "writing" in bootcamp("runs", "report", run_id, "--html", "/nowhere/at/all.html", code=3).stderr
