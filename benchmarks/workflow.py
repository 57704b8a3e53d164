"""The workflow measured with scripted models over HTTP on loopback and the real gate in the real sandbox.

``python benchmarks/workflow.py funnel`` runs briefs with planted faults, all stages on, and prints where each ended and
whether it should have; exit 1 if one did not. ``python benchmarks/workflow.py many [N]`` runs N sound briefs and prints
briefs a second and memory as it goes; ``--kills K`` kills that process K times, spread over the run, and resumes it;
``--without-gate`` leaves the sandbox out, to see what the workflow itself costs.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections import Counter
from contextlib import ExitStack, closing
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))  # also run as a file, which has a package's name

from authoring.context import AuthoringContext
from authoring.draft_contract import assemble
from authoring.drafts import read_files
from authoring.events import Event
from authoring.model_author import ModelAuthor
from authoring.nodes.finish import whole_report
from authoring.outcomes import BriefOutcome, OutcomeKind
from authoring.roles import Roles, Spend
from authoring.runs import RunFolder
from authoring.settings import AuthoringSettings
from authoring.workflow import author, resume
from bootcamp_kit.library import Library
from chat_models.cache import CachedModel
from chat_models.ledger import Ledger
from chat_models.options import ModelOptions
from chat_models.protocol import ChatReply, StopReason, Usage
from chat_models.providers import open_model
from review.listing import Filter
from review.queue import Queue
from sandbox.runner import run_gate
from sandbox.service import Sandbox, SandboxSettings
from tests.authoring.cast import as_request
from tests.authoring.parts import draft_folder, reply_with, simple_gate
from tests.authoring.planted import Planted, answers, everything, reply_of
from tests.wire_servers.openai_server import OpenAIServer

RUN_ID = "20261130T120000000Z-00000f"
KEY = "sk-test"


def surroundings(
    place: Path, url: str, stack: ExitStack, numbers: dict[str, Any], *, gated: bool = True
) -> AuthoringContext:
    """A run's context around a wire server, a sandbox and a queue."""
    settings = AuthoringSettings(**numbers)
    sandbox = stack.enter_context(Sandbox(SandboxSettings())) if gated else None
    queue = stack.enter_context(Queue(place / "queue.sqlite"))
    ledger = stack.enter_context(closing(Ledger.open(place / "calls.sqlite", RUN_ID)))
    environ = {"OPENAI_API_KEY": KEY, "OPENAI_BASE_URL": url}
    model = CachedModel(open_model("openai:scripted", environ=environ, options=ModelOptions(max_retries=0)), ledger)
    original = place / "library" / "puzzles" / "exact_load_1"
    if not original.exists():
        draft_folder().write(original)

    def spend(brief_id: str) -> Spend:
        summary = ledger.summary(brief_id=brief_id)
        return Spend(summary.paid_calls, summary.tokens, summary.usd)

    return AuthoringContext(
        author=ModelAuthor(model, settings),
        gate=lambda folder: run_gate(sandbox, folder) if sandbox else simple_gate(folder),
        submit=queue.submit,
        run=_run(place, model.name, settings),
        settings=settings,
        clock=lambda: datetime.now(UTC),
        roles=Roles.all_by(model),
        boxes=sandbox.box if sandbox else None,
        library=Library(place / "library"),
        spent=spend,
    )


def _run(place: Path, author_name: str, settings: AuthoringSettings) -> RunFolder:
    if (place / "runs" / RUN_ID / "run.json").exists():
        return RunFolder.open(place, RUN_ID)
    return RunFolder.create(place, RUN_ID, author=author_name, settings=settings, created="2026-11-30T12:00:00Z")


@dataclass(frozen=True)
class Passage:
    """What became of one planted brief, and the codes in the report on its best candidate."""

    item: Planted
    outcome: BriefOutcome
    codes: frozenset[str]

    @property
    def as_it_should(self) -> bool:
        """Whether it ended where it should, with what should be shown."""
        ended = (self.outcome.kind, self.outcome.stage) == (self.item.kind, self.item.stage)
        return ended and set(self.item.shown) <= self.codes


def run_funnel(planted: list[Planted]) -> tuple[list[Passage], float]:
    """All briefs in one run; each with what became of it, and the seconds."""
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        server = stack.enter_context(OpenAIServer())
        said = answers(planted)
        server.answer = lambda body: reply_of(said(as_request(body)))
        numbers = {"candidates": 1, "repairs": 1, "troubles_in_a_row": 100}
        context = surroundings(Path(folder), server.url, stack, numbers)
        start = time.monotonic()
        summary = asyncio.run(author([item.brief for item in planted], context))
        seconds = time.monotonic() - start
        return [
            Passage(*pair, _codes(pair[1], context)) for pair in zip(planted, summary.outcomes, strict=True)
        ], seconds


def _codes(outcome: BriefOutcome, context: AuthoringContext) -> frozenset[str]:
    if not outcome.content_hash:
        return frozenset()
    return frozenset(finding.code for finding in whole_report(outcome.content_hash, context).findings)


def funnel() -> int:
    """Run, print, judge."""
    found, seconds = run_funnel(everything())
    for passage in found:
        item, outcome = passage.item, passage.outcome
        mark = "" if passage.as_it_should else f"  SHOULD BE {item.kind} at {item.stage} with {', '.join(item.shown)}"
        print(f"{item.name:28} {outcome.kind:10} {outcome.stage:9} {outcome.calls:3} calls  {item.fault}{mark}")
        if mark:
            print(f"    {outcome.reason}; in the report: {', '.join(sorted(passage.codes))}")
    counts = Counter((str(passage.outcome.kind), passage.outcome.stage) for passage in found)
    for (kind, stage), count in sorted(counts.items()):
        print(f"{count:4} {kind} at {stage}")
    wrong = sum(not passage.as_it_should for passage in found)
    calls = sum(passage.outcome.calls for passage in found)
    print(f"{len(found)} briefs, {wrong} not as they should, {seconds:.0f} s, {calls} calls")
    return 1 if wrong else 0


def many_briefs(count: int) -> list[Planted]:
    """Sound crates, each brief with a task of its own."""
    return [
        Planted(f"many_{n}", "none", OutcomeKind.QUEUED, "queue", {"draft": reply_with(remark=f"Number {n}.")})
        for n in range(count)
    ]


def drive(place: Path, url: str, count: int, stages: str, *, gated: bool) -> None:
    """One process of a big run: begin it, or go on with it. Tells briefs done and memory on stdout."""
    numbers = {
        "candidates": 1,
        "brief_parallelism": 6,
        "stages": tuple(filter(None, stages.split(","))),
        "calibration_cases": 1,
        "opposition_cases": 1,
    }
    with ExitStack() as stack:
        context = surroundings(place, url, stack, numbers, gated=gated)
        done = [0]

        def listen(event: Event) -> None:
            if event.node == "finish":
                done[0] += 1
                if done[0] % min(50, max(1, count // 20)) == 0:
                    print(f"{done[0]} {resident_mb():.0f}", flush=True)

        context.listener = listen
        begun = (context.run.root / "work.json").exists()
        briefs = [item.brief for item in many_briefs(count)]
        summary = asyncio.run(resume(context) if begun else author(briefs, context))
        counts = {str(kind): number for kind, number in summary.counts.items() if number}
        print(f"ended {counts}, peak {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB", flush=True)


def resident_mb() -> float:
    """Resident memory of this process now."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() / 2**20


def many(count: int, stages: str, kills: int, *, gated: bool) -> int:
    """Run it in a process of its own, kill that now and then, and count calls that were paid twice."""
    said = answers(many_briefs(count))
    asked: Counter[str] = Counter()

    def answer(body: Any) -> Any:
        asked[json.dumps(body["messages"])] += 1
        return reply_of(said(as_request(body)))

    with tempfile.TemporaryDirectory() as folder, OpenAIServer() as server:
        server.answer = answer
        place, start, rng = Path(folder), time.monotonic(), random.Random(count)
        command = [sys.executable, __file__, "drive", str(count), "--place", folder, "--url", server.url]
        command += ["--stages", stages, *([] if gated else ["--without-gate"])]
        for number in range(kills):
            chosen = rng.randrange(number * count // kills, (number + 1) * count // kills)
            done = ended_after(command, place, min(chosen, count - 2))
            print(f"killed after {done} briefs, {time.monotonic() - start:.0f} s, load {load()}", flush=True)
        status = subprocess.run(command, check=False).returncode
        seconds = time.monotonic() - start
        with Queue(place / "queue.sqlite") as queue:
            found = queue.find(Filter(), limit=1).total
            right = len({entry.content_hash for entry in queue.items()} & set(expected_hashes(count)))
        twice = sum(number - 1 for number in asked.values() if number > 1)
        spent = resource.getrusage(resource.RUSAGE_CHILDREN)
        each = (spent.ru_utime + spent.ru_stime) / count
        print(
            f"{count} briefs, {found} queued, {right} of them as expected byte for byte, {seconds:.0f} s, "
            f"{count / seconds:.2f} a second, {each:.2f} s of processor each outside the containers, {kills} kills, "
            f"{sum(asked.values())} calls, {twice} of them asked again, load {load()}"
        )
    return 0 if (found, right) == (count, count) and status == 0 else 1


def ended_after(command: list[str], place: Path, briefs: int) -> int:
    """Start the run, kill it once so many briefs have ended; how many had."""
    outcomes = place / "runs" / RUN_ID / "outcomes"
    process = subprocess.Popen(command)
    done = 0
    while process.poll() is None and done <= briefs:
        time.sleep(0.1)
        done = len(list(outcomes.iterdir())) if outcomes.exists() else 0
    process.kill()
    process.wait()
    return done


def expected_hashes(count: int) -> list[str]:
    """The candidates that an undisturbed run makes."""
    made = []
    for item in many_briefs(count):
        files = read_files(ChatReply(item.parts["draft"], StopReason.END, Usage(), "scripted"))
        made.append(assemble(files, item.brief, author="openai:scripted").content_hash)
    return made


def load() -> str:
    """Processes ready to run, over the last minute."""
    return f"{os.getloadavg()[0]:.0f}"


def main() -> int:
    """Read the command line."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("what", choices=["funnel", "many", "drive"])
    arguments.add_argument("count", nargs="?", type=int, default=1_000)
    arguments.add_argument("--kills", type=int, default=0)
    arguments.add_argument("--stages", default="analyse,oppose,calibrate,compare", help="'' for the gate alone")
    arguments.add_argument("--without-gate", action="store_true")
    arguments.add_argument("--place", type=Path, help="of `drive`, which `many` calls")
    arguments.add_argument("--url", default="")
    given = arguments.parse_args()
    if given.what == "drive":
        drive(given.place, given.url, given.count, given.stages, gated=not given.without_gate)
        return 0
    return (
        funnel()
        if given.what == "funnel"
        else many(given.count, given.stages, given.kills, gated=not given.without_gate)
    )


if __name__ == "__main__":
    sys.exit(main())
