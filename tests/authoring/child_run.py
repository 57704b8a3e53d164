"""Runs to be killed: a process that has everything imported and forks a run for each line ``STATE MODE PACE`` on stdin.

It answers with the run's process id, then with its exit status. The model and the gate are slow enough to be hit in the
middle. Each call asked of the model is a line of ``asked.log``; each submission is a file of ``queue/``.
"""

from __future__ import annotations

import asyncio
import hashlib
import os
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from authoring.context import AuthoringContext
from authoring.model_author import ModelAuthor
from authoring.outcomes import OutcomeKind
from authoring.runs import RunFolder
from authoring.settings import AuthoringSettings
from authoring.workflow import author, resume
from bootcamp_kit.brief import Brief
from bootcamp_kit.candidate import Submission
from bootcamp_kit.errors import BootcampError
from bootcamp_kit.folder import TaskFolder
from bootcamp_kit.report import Report
from chat_models.cache import CachedModel
from chat_models.call_store import request_key
from chat_models.ledger import Ledger
from chat_models.protocol import ChatReply, ChatRequest
from chat_models.scripted import ScriptedModel
from tests.authoring.parts import make_brief, mended, reply_with, simple_gate

RUN_ID = "20261130T120000000Z-0000ff"
SETTINGS = AuthoringSettings(candidates=2, repairs=2, brief_parallelism=2)


def briefs() -> list[Brief]:
    return [make_brief(number, f"Rules of puzzle {number}.") for number in range(1, 7)]


def answer(request: ChatRequest) -> str:
    """By content alone: brief 2 begins with prose, 3 and 5 with a fault in one of two, 4 never gets well."""
    asked = request.messages[1].text
    said = len(request.messages)
    if "# FAULT" in asked:
        return "no files" if "puzzle 4" in asked else mended()
    if "puzzle 2" in asked and said == 2:
        return "Let me think about that first."
    fault = "puzzle 4" in asked or (("puzzle 3" in asked or "puzzle 5" in asked) and request.nonce == 0)
    return reply_with(fault=fault, remark=f"Sample {request.nonce}.")


class Slow(ScriptedModel):
    def __init__(self, log: Path, pace: int) -> None:
        super().__init__(answer)
        self.log, self.pace = log, pace

    async def chat(self, request: ChatRequest) -> ChatReply:
        key = request_key(self.name, request)
        with self.log.open("a") as lines:
            lines.write(f"{os.getpid()} {key}\n")
        await asyncio.sleep(self.pace * (0.02 + int(key[:4], 16) / 0xFFFF * 0.08))
        return await super().chat(request)


def gate(folder: TaskFolder) -> Report:
    time.sleep(0.02 + hashlib.sha256(folder.content_hash.encode()).digest()[0] / 255 * 0.06)
    return simple_gate(folder)


def submit_to(place: Path) -> Callable[[Submission], str]:
    def submit(submission: Submission) -> str:
        path = place / submission.candidate.content_hash
        path.touch()
        return path.name

    return submit


async def main(state: Path, mode: str, pace: int) -> int:
    (state / "queue").mkdir(exist_ok=True)
    if mode == "resume" and not (state / "runs" / RUN_ID / "work.json").exists():
        import shutil

        shutil.rmtree(state / "runs", ignore_errors=True)
        mode = "start"
    if mode == "start":
        run = RunFolder.create(state, RUN_ID, author="scripted:model", settings=SETTINGS, created="now")
    else:
        run = RunFolder.open(state, RUN_ID)
    ledger = Ledger.open(state / "calls.sqlite", RUN_ID)
    context = AuthoringContext(
        author=ModelAuthor(CachedModel(Slow(state / "asked.log", pace), ledger), run.settings),
        gate=gate,
        submit=submit_to(state / "queue"),
        run=run,
        settings=run.settings,
        clock=lambda: datetime.now(UTC),
        handle_signals=True,
    )
    summary = await (author(briefs(), context) if mode == "start" else resume(context))
    ledger.close()
    return 130 if summary.counts[OutcomeKind.INTERRUPTED] else 0


def serve() -> None:
    import authoring.driver  # noqa: F401 - so that a forked run begins at once

    for line in sys.stdin:
        state, mode, pace = line.split()
        child = os.fork()
        if child == 0:
            code = 70
            try:
                code = asyncio.run(main(Path(state), mode, int(pace)))
            except BootcampError as error:
                print(error, file=sys.stderr)
                code = error.exit_code
            finally:
                os._exit(code)
        print(child, flush=True)
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)


if __name__ == "__main__":
    serve()
