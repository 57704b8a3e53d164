"""Opens the parts of the machine that verbs share: the sandbox, the queue, the gate."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING

from bootcamp_cli.output import say
from bootcamp_kit.errors import UsageError
from bootcamp_kit.folder import TaskFolder
from bootcamp_kit.report import Report, to_json

if TYPE_CHECKING:
    from bootcamp_cli.settings_model import Settings
    from review.queue import Queue
    from sandbox.service import Sandbox, SandboxSettings


def open_sandbox(settings: Settings) -> AbstractContextManager[Sandbox]:
    """A connected sandbox with its image; says aloud when it is weak.

    Raises:
        MachineError: no engine, or one that cannot give every limit.
    """
    from bootcamp_cli.tracing import tracer
    from sandbox.service import Sandbox

    if settings.allow_weak_sandbox:
        say("WARNING: --allow-weak-sandbox: limits the engine cannot give are missing; every report will say so")
    if (spans := tracer(settings)) is not None:
        from sandbox.traced import TracedSandbox

        return TracedSandbox(sandbox_settings(settings), tracer=spans, progress=say)
    return Sandbox(sandbox_settings(settings), progress=say)


def sandbox_settings(settings: Settings, *, allow_weak: bool | None = None) -> SandboxSettings:
    """The sandbox's part of the settings."""
    from sandbox.service import SandboxSettings

    return SandboxSettings(
        docker_host=settings.docker_host,
        allow_weak=settings.allow_weak_sandbox if allow_weak is None else allow_weak,
        backend=settings.backend,
        runtime=settings.runtime,
        base_image=settings.base_image,
    )


def open_queue(settings: Settings) -> Queue:
    """The review queue that the settings name; by default the one of the state folder."""
    from review.queue import Queue

    return Queue(settings.queue or settings.state_dir / "queue.sqlite")


def gate(
    settings: Settings, sandbox: Sandbox, *, progress: Callable[[str], None] | None = None
) -> Callable[[TaskFolder], Report]:
    """The gate bound to a sandbox and to the state folder's counter-examples; stores each report."""
    from bootcamp_cli.tracing import traced_gate
    from sandbox.counterexamples import CounterexampleStore
    from sandbox.runner import run_gate

    store = CounterexampleStore(settings.state_dir / "counterexamples")

    def run(folder: TaskFolder) -> Report:
        report = run_gate(sandbox, folder, counterexamples=store, progress=progress)
        store_report(settings, report)
        return report

    return traced_gate(run, settings)


def report_path(settings: Settings, content_hash: str) -> Path:
    """Where the latest report about these bytes lies."""
    return settings.state_dir / "reports" / f"{content_hash}.json"


def store_report(settings: Settings, report: Report) -> None:
    """Keep the latest report about these bytes; whole or not at all."""
    path = report_path(settings, report.content_hash)
    path.parent.mkdir(exist_ok=True)
    with tempfile.NamedTemporaryFile("w", dir=path.parent, delete=False, encoding="utf-8") as building:
        json.dump(to_json(report), building, indent=1, sort_keys=True)
    Path(building.name).replace(path)


def read_report(path: Path) -> Report:
    """A stored report.

    Raises:
        UsageError: not there, not JSON, or of another schema.
    """
    try:
        raw = json.loads(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, json.JSONDecodeError) as error:
        raise UsageError(f"report {path}", str(error), "run `bootcamp check` first") from error
    return Report.from_json(raw)
