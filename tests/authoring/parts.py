"""Parts the authoring tests share: briefs, replies, reports, a queue."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from authoring.draft_contract import assemble
from authoring.drafts import read_files
from authoring.prompts import Prompts
from authoring.runs import RunFolder
from authoring.settings import AuthoringSettings
from bootcamp_kit.brief import Brief, Source
from bootcamp_kit.candidate import Submission
from bootcamp_kit.folder import TaskFolder
from bootcamp_kit.jsondata import digest
from bootcamp_kit.report import CheckResult, Environment, Finding, Report, Severity, Status, Witness
from chat_models.protocol import ChatReply, StopReason, Usage

RUN_ID = "20261130T120000000Z-00000a"
FAULT = "# FAULT"


def make_brief(number: int = 1, text: str = "Choose crates that weigh exactly the load.", **more: Any) -> Brief:
    source = Source("brief", f"puzzle {number}", "CC0-1.0", digest(text.encode()))
    return Brief(f"exact_load_{number}", "puzzles", f"Exact load {number}", text, source, **more)


def make_report(folder: TaskFolder, codes: Sequence[str] = (), *, severity: Severity = Severity.BLOCKER) -> Report:
    witness = Witness("score", level=1, seed=7, response="<answer>1, 1</answer>", expected="0", seen="1.0")
    found = tuple(Finding(code, severity, f"{code} was seen", witness, "name each crate once") for code in codes)
    results = (
        CheckResult("contract.loads", Status.PASS),
        CheckResult("floor.constants", Status.FAIL if found else Status.PASS, findings=found, figures={"mean": 0.1}),
    )
    environment = Environment("sha256:0", "docker", "20", "0.1.0", "1", "3.11", {})
    return Report(folder.card.id, folder.content_hash, "gate", environment, results, {"total": 0.1})


def unfinished_report(folder: TaskFolder) -> Report:
    passed = make_report(folder)
    results = (CheckResult("contract.loads", Status.ERROR, reason="the container went away"),)
    return Report(passed.task_id, passed.content_hash, passed.tier, passed.environment, results, {})


def simple_gate(folder: TaskFolder) -> Report:
    """Fails code that carries the mark FAULT; a stand-in handed over as an argument, as the real gate is."""
    return make_report(folder, ["near_miss.accepted"] if FAULT.encode() in folder.files["bootcamp.py"] else [])


def reply_with(fault: bool = False, remark: str = "") -> str:
    """The worked example as a reply, with or without a fault."""
    reply = Prompts().example
    if remark:
        reply = reply.replace('"""Crates to choose', f'"""{remark} Crates to choose')
    return reply.replace("BOOTCAMP = ExactLoad()", f"{FAULT}\nBOOTCAMP = ExactLoad()") if fault else reply


def draft_folder() -> TaskFolder:
    """The worked example as a folder."""
    files = read_files(ChatReply(reply_with(), StopReason.END, Usage(), "m"))
    return assemble(files, make_brief(), author="scripted:model")


def mended() -> str:
    """A repair that gives only bootcamp.py, without its fault."""
    reply = reply_with()
    start = reply.index("=== FILE bootcamp.py ===")
    return reply[start : reply.index("=== FILE oracle.py ===")]


@dataclass
class Queue:
    """A queue that knows candidates by content, as review's does."""

    submissions: dict[str, Submission] = field(default_factory=dict)
    calls: int = 0

    def submit(self, submission: Submission) -> str:
        self.calls += 1
        self.submissions.setdefault(submission.candidate.content_hash, submission)
        return f"Q{list(self.submissions).index(submission.candidate.content_hash) + 1}"


def clock() -> datetime:
    return datetime(2026, 11, 30, 12, 0, tzinfo=UTC)


def make_run(state: Path, settings: AuthoringSettings, run_id: str = RUN_ID) -> RunFolder:
    return RunFolder.create(state, run_id, author="scripted:model", settings=settings, created="2026-11-30T12:00:00Z")
