"""Runs *inside* the compiler's container: compiles ``/work/job.json``'s program twice, runs every input with both."""

from __future__ import annotations

import contextlib
import json
import os
import resource
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

WORK = Path("/work")
COMMON = ["g++", "-w", "-O0", "-g0", "-fpermissive", "-DONLINE_JUDGE", "-pipe"]
STANDARDS = ("gnu++17", "gnu++14")
"""The older one for programs whose own names the newer took: ``lcm``, ``size``, ``data``."""
BUILDS = {
    "plain": ["-ftrivial-auto-var-init=pattern"],
    "checked": [
        "-ftrivial-auto-var-init=zero", "-fsanitize=undefined", "-fno-sanitize=vptr",
        "-fsanitize-undefined-trap-on-error", "-D_GLIBCXX_ASSERTIONS",
    ],
}  # fmt: skip
NOBODY = 65_534
COMPILE_S, COMPILE_CPU_S = 900, 30
"""Processor time decides: a busy machine comes to the same answer as an idle one."""
HEADER = "bits/stdc++.h"


def known(flags: list[str]) -> list[str]:
    """Without what compilers before the twelfth do not know."""
    done = subprocess.run(["g++", "-dumpversion"], capture_output=True, text=True, timeout=COMPILE_S)
    old = not done.stdout[:2].isdigit() or int(done.stdout[:2]) < 12
    return [flag for flag in flags if not (old and "trivial-auto-var-init" in flag)]


def build(name: str, flags: list[str], standard: str) -> str:
    """Compile; what went wrong, or ""."""
    try:
        done = subprocess.run(
            [*COMMON, f"-std={standard}", *flags, str(WORK / "program.cpp"), "-o", str(WORK / name)],
            capture_output=True, timeout=COMPILE_S, text=True, errors="replace", preexec_fn=hurried,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return "a compilation without end"
    if done.returncode == -signal.SIGXCPU or "CPU time limit" in done.stderr:
        return "a compilation without end"
    if done.returncode != 0:
        lines = [line for line in done.stderr.splitlines() if "error" in line] or done.stderr.splitlines()
        return f"a compile error: {(lines or ['?'])[0][:300]}"
    (WORK / name).chmod(0o755)
    return ""


def hurried() -> None:
    """In the child: what a compilation may take."""
    resource.setrlimit(resource.RLIMIT_CPU, (COMPILE_CPU_S, COMPILE_CPU_S + 1))


def prepare() -> None:
    """Compile the common header for each build, where the compiler looks for that."""
    (place,) = Path("/usr/include").glob(f"**/{HEADER}")
    folder = place.with_name(f"{place.name}.gch")
    folder.mkdir()
    for name, flags in BUILDS.items():
        subprocess.run(
            [*COMMON, f"-std={STANDARDS[0]}", *known(flags), "-x", "c++-header", str(place), "-o", str(folder / name)],
            check=True, timeout=COMPILE_S,
        )  # fmt: skip


def confine(limits: dict[str, Any]) -> None:
    """In the child: what one run may use."""
    resource.setrlimit(resource.RLIMIT_CPU, (int(limits["cpu_s"]), int(limits["cpu_s"]) + 1))
    memory = int(limits["memory_mb"]) << 20
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    resource.setrlimit(resource.RLIMIT_STACK, (memory // 2, memory // 2))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    resource.setrlimit(resource.RLIMIT_NPROC, (32, 32))


def run(name: str, text: str, limits: dict[str, Any]) -> dict[str, Any]:
    """One run: how it ended and what it printed."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with subprocess.Popen(
        [str(WORK / name)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd="/",
        user=NOBODY, group=NOBODY, extra_groups=[], start_new_session=True, preexec_fn=lambda: confine(limits),
        env={"MALLOC_PERTURB_": "165" if name == "plain" else "0"},
    ) as child:  # fmt: skip
        how = "ok"
        try:
            printed, _ = communicate(child, text.encode(), float(limits["wall_s"]), int(limits["output_bytes"]))
        except TimeoutError:
            how, printed = "timeout", b""
        except OverflowError:
            how, printed = "output-limit", b""
        try:
            os.killpg(child.pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            child.kill()
        code = child.wait()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    if how == "ok" and code == -signal.SIGXCPU:
        how = "timeout"
    elif how == "ok" and code < 0:
        how = "killed"
    return {"how": how, "code": code, "printed": printed.decode("latin-1"), "cpu_s": round(seconds, 4)}


def communicate(child: subprocess.Popen[bytes], text: bytes, seconds: float, most: int) -> tuple[bytes, int]:
    """Feed the input, read the output up to a limit; both bounded in time."""
    import selectors

    assert child.stdin is not None and child.stdout is not None
    found, left, end = bytearray(), memoryview(text), time.monotonic() + seconds
    os.set_blocking(child.stdin.fileno(), False)
    with selectors.DefaultSelector() as waiting:
        waiting.register(child.stdout, selectors.EVENT_READ)
        waiting.register(child.stdin, selectors.EVENT_WRITE)
        while True:
            if time.monotonic() > end:
                raise TimeoutError
            for key, _ in waiting.select(max(0.0, end - time.monotonic())):
                if key.fileobj is child.stdin:
                    try:
                        left = left[os.write(child.stdin.fileno(), left[:65_536]) :]
                    except BrokenPipeError:
                        left = left[:0]
                    if not left:
                        waiting.unregister(child.stdin)
                        with contextlib.suppress(BrokenPipeError):
                            child.stdin.close()
                    continue
                data = os.read(child.stdout.fileno(), 65_536)
                if not data:
                    child.wait(max(0.05, end - time.monotonic()))
                    return bytes(found), 0
                found += data
                if len(found) > most:
                    raise OverflowError


def main() -> None:
    """The whole job; without one, what makes later jobs cheaper."""
    if not (WORK / "job.json").exists():
        return prepare()
    job = json.loads((WORK / "job.json").read_text())
    (WORK / "program.cpp").write_text(job["code"])
    answer: dict[str, Any] = {"fault": "", "runs": []}
    for standard in STANDARDS:
        faults = [fault for name, flags in BUILDS.items() if (fault := build(name, known(flags), standard))]
        if not faults:
            answer["fault"] = ""
            break
        answer["fault"] = answer["fault"] or faults[0]
    slow = 0
    for text in [] if answer["fault"] else job["inputs"]:
        if slow >= 3:  # a program that hangs is not waited for on every input
            answer["runs"].append({name: {"how": "timeout", "code": 0, "printed": "", "cpu_s": 0.0} for name in BUILDS})
            continue
        try:
            runs = {name: run(name, text, job["limits"]) for name in BUILDS}
        except subprocess.TimeoutExpired:
            runs = {name: {"how": "timeout", "code": 0, "printed": "", "cpu_s": 0.0} for name in BUILDS}
        slow += any(one["how"] == "timeout" for one in runs.values())
        answer["runs"].append(runs)
    (WORK / "answer.json").write_text(json.dumps(answer))
    return None


if __name__ == "__main__":
    main()
