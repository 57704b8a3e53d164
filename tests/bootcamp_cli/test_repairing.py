"""What `bootcamp repair` reads: audits of three forms, reports, bad input of every kind. No sandbox, no model."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from bootcamp_cli.repairing import bug_report, read_findings, text_or_file
from bootcamp_kit.errors import UsageError
from bootcamp_kit.report import to_json
from sandbox.audit.rows import RowFile, row
from tests.bootcamp_cli.conftest import Run
from tests.review.conftest import a_finding, a_submission

FINDING = to_json(a_finding())
HASH = "ab" * 32


def test_rows_certificates_and_reports_are_read(tmp_path: Path) -> None:
    rows = tmp_path / "audit.jsonl"
    RowFile(rows).add(row("some_task", f"{HASH[:32]}-0123", "fail", findings=[FINDING]))
    rows.write_bytes(rows.read_bytes() + b'{"torn')
    (found,) = read_findings(rows)
    assert (found.name, found.content, found.findings) == ("some_task", HASH[:32], (a_finding(),))
    certificate = tmp_path / "certificate.json"
    named = {"name": "some_task", "content_hash": HASH}
    certificate.write_text(
        json.dumps({"kind": "bootcamp-certificate", "task": named, "findings": [{"id": "F-1", **FINDING}]})
    )
    (told,) = read_findings(certificate)
    assert (told.content, told.findings) == (HASH, (a_finding(),))
    report = tmp_path / "report.json"
    given = a_submission(findings=(a_finding(),)).report
    report.write_text(json.dumps(to_json(given)))
    assert read_findings(report)[0].content == given.content_hash


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.json", ""),
        ("a.json", "[]"),
        ("a.json", '{"kind": "bootcamp-certificate"}'),
        ("a.json", '{"kind": "bootcamp-certificate", "task": 1, "findings": []}'),
        ("a.json", "[" * 100_000),
        ("a.json", '{"schema": 99}'),
        ("a.jsonl", '{"schema": 1, "task": "x", "key": "k"}\n'),
        ("a.jsonl", '{"schema": 1, "task": "x", "key": "k", "findings": [{"code": 1}]}\n'),
    ],
)
def test_an_audit_that_cannot_be_read_is_named(tmp_path: Path, name: str, text: str) -> None:
    path = tmp_path / name
    path.write_text(text)
    with pytest.raises(UsageError, match=r"audit .*a\.json|reading a report"):
        read_findings(path)


def test_a_report_is_text_or_a_file(tmp_path: Path) -> None:
    words = tmp_path / "words.txt"
    words.write_text("It is\nwrong.\n")
    case = tmp_path / "case.json"
    case.write_text('{"level": 2, "payload": {"n": [1, 2]}}')
    made = bug_report(str(words), str(case), "<answer>3</answer>", "wrong")
    assert (made.words, made.level, made.payload) == ("It is\nwrong.", 2, {"n": [1, 2]})
    assert text_or_file("x" * 5_000, "--report") == "x" * 5_000
    (tmp_path / "odd").write_bytes(b"\xff")
    with pytest.raises(UsageError, match="--response"):
        text_or_file(str(tmp_path / "odd"), "--response")
    with pytest.raises(UsageError, match="no case"):
        bug_report("words", None, None, None)
    with pytest.raises(UsageError, match="not JSON"):
        bug_report("words", '{"level": NaN}', None, None)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "no task is named"),
        (("--all",), "no --from"),
        (("x", "--all", "--from", "a.jsonl"), "repair --all"),
        (("x", "--case", "{}"), "without --report"),
        (("x", "--report", "r", "--case", "[]"), "not a case"),
        (("x", "--report", "r", "--case", '{"seed": 1}', "--from", "a.jsonl"), "--report and --from"),
        (("x", "--report", "r", "--case", '{"seed": 1}', "--expected", "maybe"), "correct, wrong or malformed"),
        (("x",), "no model is named"),
        (("x@ab", "--author", "compiler"), "bootcamp author BRIEF.md --replaces x"),
        (("x", "--report", "r", "--case", '{"seed": 1}', "--author", "compiler"), "looking up 'x'"),
        (("limping_hand", "--author", "local:http://127.0.0.1:9/v1#m"), "a merged task needs --report"),
    ],
)
def test_calls_that_make_no_sense_are_refused_before_anything_starts(bootcamp: Run, arguments: Any, said: str) -> None:
    assert said in bootcamp("repair", *arguments, code=2).stderr


@pytest.mark.docker
def test_a_reports_case_is_run_before_a_model_is_asked_for(bootcamp: Run) -> None:
    asked = ("repair", "limping_hand", "--report", "It is wrong.", "--case", '{"level": 1, "seed": 0}')
    told = bootcamp(*asked, "--response", "no idea", code=2).stderr
    assert "limping_hand: shown to fail: expected correct" in told
    assert "bootcamp author BRIEF.md --replaces limping_hand" in told


def test_a_brief_can_only_replace_a_task_that_is_there(bootcamp: Run, tmp_path: Path) -> None:
    brief = tmp_path / "lift.md"
    brief.write_text('+++\nid = "a_lift"\nfamily = "x_y"\ntitle = "t"\nlicence = "MIT"\n+++\n\nWords.\n')
    arguments = ("author", str(brief), "--replaces")
    assert "no_such_task" in bootcamp(*arguments, "no_such_task", code=2).stderr
    made = bootcamp(*arguments, "limping_hand", "--dry-run", "--json")
    assert json.loads(made.stdout)["briefs"][0]["id"] == "limping_hand"
    assert "limping_hand: the library has a task of this id, version " in made.stderr
    assert "new version" not in bootcamp("author", str(brief), "--dry-run").stderr
