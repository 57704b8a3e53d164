"""Audits every task of a foreign library, one row for each, worst first in the end; goes on where it stopped."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from importlib import resources
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any

from bootcamp_kit.counted import counted
from bootcamp_kit.errors import UsageError
from bootcamp_kit.jsondata import digest
from bootcamp_kit.report import to_json
from sandbox.audit.foreign.asking import ADAPTERS, ForeignAsker, MachineFault, files
from sandbox.audit.foreign.battery import Battery
from sandbox.audit.foreign.layer import ensure_layer
from sandbox.audit.foreign.trial import ForeignPlan, Result
from sandbox.audit.rows import RowFile, row
from sandbox.box import Box
from sandbox.checks.policy import Policy, parse_policy
from sandbox.limits import ContainerLimits, JobLimits
from sandbox.service import Sandbox, SandboxSettings

OURS = "our machinery"
"""How the reason of a row begins that no task is to blame for."""
HASH_SEEDS = (1, 4242)
SEEDED = frozenset({"reasoning_gym", "callable"})
"""Libraries that promise the same cases for the same seed."""
ADDRESS_MB, MEMORY_MB = 2048, 2048


def foreign_policy() -> Policy:
    """The shipped severities of findings about foreign tasks."""
    return parse_policy(resources.files("sandbox.audit.foreign").joinpath("policy.toml").read_bytes())


def audit_library(
    settings: SandboxSettings,
    library: str,
    roots: Sequence[Path],
    rows: RowFile,
    *,
    only: Sequence[str] = (),
    plan: ForeignPlan | None = None,
    progress: Callable[[str], None] | None = None,
    workers: int = 2,
    again: bool = False,
) -> list[dict[str, Any]]:
    """Measure all tasks of a library that have no row yet.

    Args:
        settings: How to reach the engine.
        library: ``reasoning_gym`` or ``internbootcamp``.
        roots: Folders with the library and what it imports; they are packed into an image, nothing of them runs here.
        rows: Where each task's row is appended as soon as it is there.
        only: Tasks by name; all where empty.
        plan: How much is measured.
        progress: Told in a few words what is being done.
        workers: Tasks measured at the same time.
        again: Measure also those that have a row.

    Returns:
        All rows of the tasks asked for, worst first.

    Raises:
        UsageError: no such library, not a folder, a task that the library does not have.
        MachineError: the engine failed.
    """
    tell = progress or (lambda text: None)
    with opened(settings, library, roots, tell, plan) as run:
        names = run.names()
        unknown = [name for name in only if name not in names]
        if unknown:
            raise UsageError(f"task {unknown[0][:80]!r}", f"{library} has no such task", f"it has {len(names)} others")
        wanted = [name for name in names if not only or name in only]
        done = {} if again else rows.done()
        left = [name for name in wanted if run.key(name) not in done]
        tell(f"{library}: {counted(len(wanted), 'task')}, {len(left)} to measure")
        run.measure_all(left, rows, workers)
    found = {item["task"]: item for item in rows.read()}
    return worst_first([found[name] for name in wanted if name in found])


@contextmanager
def opened(
    settings: SandboxSettings,
    library: str,
    roots: Sequence[Path],
    tell: Callable[[str], None],
    plan: ForeignPlan | None = None,
) -> Iterator[Run]:
    """A library in a sandbox whose image holds its files.

    Raises:
        UsageError: no such library, or not a folder.
        MachineError: the engine failed.
    """
    if library not in ADAPTERS:
        raise UsageError(f"foreign library {library[:60]!r}", "unknown", f"use one of {', '.join(ADAPTERS)}")
    if settings.backend != "docker":
        raise UsageError("auditing a foreign library", f"the backend is {settings.backend}", "use the docker backend")
    with Sandbox(settings, progress=tell) as plain:
        image = ensure_layer(plain, roots, tell)
    container = ContainerLimits(memory_mb=MEMORY_MB, idle_s=600.0)
    with Sandbox(replace(settings, base_image=image, container=container, warm_mb=0), progress=tell) as sandbox:
        chosen = replace(plan or ForeignPlan(), seeds_promised=library in SEEDED)
        yield Run(sandbox, library, image, chosen, foreign_policy(), tell)


def worst_first(rows: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """By blockers, then majors, then minors, then name; tasks that were not run stand last."""

    def weight(item: dict[str, Any]) -> tuple[Any, ...]:
        counts = [
            sum(found["severity"] == name for found in item["findings"]) for name in ("blocker", "major", "minor")
        ]
        return (item["verdict"] == "not-run", *(-count for count in counts), item["task"])

    return sorted(rows, key=weight)


class Run:
    """One library under measurement."""

    def __init__(
        self, sandbox: Sandbox, library: str, image: str, plan: ForeignPlan, policy: Policy, tell: Callable[[str], None]
    ) -> None:
        self.sandbox, self.library, self.plan, self.policy, self.tell = sandbox, library, plan, policy, tell
        self._salt = digest(f"{image} {plan} {policy}".encode())[:16]

    def key(self, name: str) -> str:
        """What a row is about: files, plan and policy."""
        return f"{self.library}/{name} {self._salt}"

    def names(self) -> list[str]:
        """All tasks.

        Raises:
            UsageError: the library cannot be imported in the sandbox.
        """
        with self.askers() as (first, _):
            try:
                return first.names()
            except MachineFault as fault:
                do = "give the folder that holds its packages; after a timeout on a busy machine, run it again"
                raise UsageError(f"listing {self.library}", str(fault), do) from fault

    def measure_all(self, names: list[str], rows: RowFile, workers: int) -> None:
        """Let a few workers, each with two boxes of its own, take one task after the other."""
        left: SimpleQueue[str] = SimpleQueue()
        for name in names:
            left.put(name)
        with ThreadPoolExecutor(workers) as pool:
            working = [pool.submit(self._measure, left, rows) for _ in range(min(workers, len(names)))]
            try:
                for done in working:
                    done.result()
            except BaseException:  # Ctrl-C among them: the tasks under way are finished, and no other begun
                for _ in _taken(left):
                    pass
                raise

    @contextmanager
    def askers(self) -> Iterator[tuple[ForeignAsker, ForeignAsker]]:
        """Two processes of the library, under different hash seeds."""
        with self._boxes() as boxes, _processes(boxes) as both:
            yield both

    def _measure(self, left: SimpleQueue[str], rows: RowFile) -> None:
        with self._boxes() as boxes:
            for name in _taken(left):
                started = time.monotonic()
                result, work_s = self._once(boxes, name)
                if result.reason.startswith(OURS):  # seldom; a fault of our own is tried again before it is told
                    result, again_s = self._once(boxes, name)
                    work_s += again_s
                seconds = time.monotonic() - started
                rows.add({**_row(self.key(name), result, seconds), "work_s": round(work_s, 1)})
                self.tell(f"{name}: {result.verdict}, {counted(len(result.findings), 'finding')}, {seconds:.1f} s")

    def _once(self, boxes: tuple[Box, Box], name: str) -> tuple[Result, float]:
        """One task measured in new processes, where nothing measured before leaves a trace; and the work it took."""
        with _processes(boxes) as (first, second):
            try:
                result = Battery(first, second, name, self.plan, self.policy).run()
            except MachineFault as fault:
                result = Result(name, reason=f"{OURS}: {fault}")
        return result, first.spent + second.spent

    @contextmanager
    def _boxes(self) -> Iterator[tuple[Box, Box]]:
        limits = JobLimits(wall_s=self.plan.call_s, cpu_s=3600.0, address_mb=ADDRESS_MB, open_files=256)
        sent = files(self.library)
        with (
            self.sandbox.box(sent, limits, hash_seed=HASH_SEEDS[0], profile="plain") as first,
            self.sandbox.box(sent, limits, hash_seed=HASH_SEEDS[1], profile="plain") as second,
        ):
            yield first, second


@contextmanager
def _processes(boxes: tuple[Box, Box]) -> Iterator[tuple[ForeignAsker, ForeignAsker]]:
    first, second = boxes
    with first.session() as one, second.session() as other:
        yield ForeignAsker(first, one), ForeignAsker(second, other)


def _taken(left: SimpleQueue[str]) -> Iterator[str]:
    while True:
        try:
            yield left.get_nowait()
        except Empty:
            return


def _row(key: str, result: Result, seconds: float) -> dict[str, Any]:
    return row(
        result.name,
        key,
        result.verdict,
        findings=[
            {"id": finding.id, **to_json(finding)}
            for finding in sorted(result.findings, key=lambda finding: -finding.severity.rank)
        ],
        skipped=result.skipped,
        figures=result.figures,
        reason=result.reason,
        seconds=seconds,
    )
