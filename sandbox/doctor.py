"""What ``bootcamp doctor`` asks of the sandbox: is there an engine, does it hold, what happens to hostile jobs."""

from __future__ import annotations

import time
from dataclasses import dataclass

from bootcamp_kit.errors import MachineError
from sandbox.box import Box
from sandbox.calls import Call, JobOutcome, Observation, Op
from sandbox.limits import JobLimits
from sandbox.service import Sandbox, SandboxSettings


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """One thing that was looked at.

    Attributes:
        name: What.
        ok: Whether it is as it should be.
        seen: What was found, with figures.
        do: What to do when it is not; else "".
    """

    name: str
    ok: bool
    seen: str
    do: str = ""


@dataclass(frozen=True, slots=True)
class Probe:
    """A hostile program and the ends that count as contained."""

    name: str
    source: str
    contained: tuple[JobOutcome, ...]
    error: str = ""


_EXCEPTION = (JobOutcome.EXCEPTION,)
_PROBES = (
    Probe("a fork bomb", "import os\nwhile True: os.fork()", _EXCEPTION, "PermissionError"),
    Probe("a program", "import os\nos.execv('/opt/python/bin/python3', ['x'])", _EXCEPTION, "PermissionError"),
    Probe("writing to the root folder", "open('/probe', 'w')", _EXCEPTION, "Error"),
    Probe("the agent's memory", "open('/proc/1/mem', 'rb')", _EXCEPTION, "PermissionError"),
    Probe("killing the agent", "import os\nos.kill(1, 9)\nraise PermissionError", _EXCEPTION, "PermissionError"),
    Probe("becoming root", "import os\nos.setgroups([0])", _EXCEPTION, "PermissionError"),
    Probe("opening a socket", "import socket\nsocket.socket()", _EXCEPTION, "PermissionError"),
    Probe("a forged answer", "import os\nwhile True: os.write(4, b'{' * 4096)", (JobOutcome.PROTOCOL,)),
    Probe("an endless loop", "while True: pass", (JobOutcome.TIMEOUT,)),
)
_BOMB = Probe("a memory bomb", "held = []\nwhile True: held.append(bytearray(16 << 20))", (JobOutcome.OUT_OF_MEMORY,))
_DO = "do not run untrusted tasks on this engine; see sandbox/README.md"


def diagnose(settings: SandboxSettings) -> list[Diagnosis]:
    """Look at engine, image and containment, in this order; stops at the first thing nothing can follow."""
    found: list[Diagnosis] = []
    sandbox = Sandbox(settings)
    try:
        with sandbox:
            where = f" at {sandbox.engine.url}" if settings.backend == "docker" else ""
            found.append(Diagnosis("engine", True, f"{sandbox.backend}{where}"))
            found.append(_strength(sandbox))
            image = sandbox.image
            how = "built" if image.built else "found"
            found.append(Diagnosis("image", True, f"{image.digest[:19]}… {how} in {image.seconds:.1f} s"))
            started = time.monotonic()
            with sandbox.box({}, JobLimits(wall_s=2.0)) as box:
                found.append(_trivial_job(box, time.monotonic() - started))
                found.extend(_probe(box, probe) for probe in _PROBES)
                with sandbox.box({}, JobLimits(wall_s=20.0)) as patient:  # a slow machine takes long to fill its memory
                    found.append(_probe(patient, _BOMB))
                found.append(_trivial_job(box, None))
    except MachineError as error:
        found.append(Diagnosis(error.asked, False, error.found, error.do))
    return found


def _strength(sandbox: Sandbox) -> Diagnosis:
    limits = sandbox.settings.container
    seen = f"{limits.memory_mb} MB, {limits.cpus:g} CPU, {limits.pids} processes, no network, read-only, call filter"
    weak = sandbox.backend.weak
    return Diagnosis("limits", not weak, "; ".join(weak) or seen, _DO if weak else "")


def _trivial_job(box: Box, ready_s: float | None) -> Diagnosis:
    seen = box.fresh(Call(Op.PROGRAM, {"source": "print(6 * 7)", "stdin": ""}))
    ok = seen.ok and seen.value == {"stdout": "42\n"}
    name = "a job" if ready_s is not None else "a job after all that"
    took = f"{seen.wall_s * 1000:.1f} ms" + (f", container ready in {ready_s:.2f} s" if ready_s is not None else "")
    return Diagnosis(name, ok, took if ok else _told(seen), "" if ok else "check the engine's log and free memory")


def _probe(box: Box, probe: Probe) -> Diagnosis:
    seen = box.fresh(Call(Op.PROGRAM, {"source": probe.source, "stdin": ""}))
    ok = seen.outcome in probe.contained and probe.error in seen.error
    return Diagnosis(probe.name, ok, _told(seen), "" if ok else _DO)


def _told(seen: Observation) -> str:
    return f"{seen.outcome}" + (f": {seen.error}" if seen.error else "")
