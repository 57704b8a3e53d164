"""`bootcamp serve` under load: requests sent at a fixed rate, whatever the answers do; client on the same machine.

    python -m benchmarks.service [--quick] [--json] [--rate N] [--seconds N] [--score sandbox|process] [--soak MINUTES]

A latency is counted from the moment a request was due, so that a server that falls behind is seen to. `--soak` adds a
longer run at the same rate, in quarters, with the server's memory and its slope.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

TASK, LEVEL = "limping_hand", 1
CONNECTIONS = 32
WATCH_S = 5.0
ROOT = Path(__file__).parents[1]


@contextmanager
def service(score: str) -> Iterator[tuple[str, int, int]]:
    """A running service: host, port, process id."""
    with tempfile.TemporaryDirectory() as state:
        environment = {**os.environ, "BOOTCAMP_STATE": state}
        command = [sys.executable, "-m", "bootcamp_cli", "serve", "all", "--score", score, "--port", "0"]
        process = subprocess.Popen(command, cwd=ROOT, env=environment, stderr=subprocess.PIPE, text=True)
        assert process.stderr
        found = next(match for line in process.stderr if (match := re.search(r"on http://([\d.]+):(\d+)", line)))
        try:
            yield found[1], int(found[2]), process.pid
        finally:
            process.send_signal(signal.SIGTERM)
            process.communicate(timeout=60)


class Connection:
    """One kept connection that sends one request at a time."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer

    async def post(self, path: str, body: bytes) -> tuple[int, bytes]:
        """Status and body."""
        head = (
            f"POST {path} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: {len(body)}\r\n\r\n"
        )
        self._writer.write(head.encode() + body)
        head_bytes = await self._reader.readuntil(b"\r\n\r\n")
        length = int(re.search(rb"content-length: (\d+)", head_bytes)[1])  # type: ignore[index]
        return int(head_bytes[9:12]), await self._reader.readexactly(length)


async def connect(host: str, port: int, number: int) -> list[Connection]:
    """Open connections."""
    return [Connection(*await asyncio.open_connection(host, port)) for _ in range(number)]


async def cases(connection: Connection, number: int) -> list[bytes]:
    """Bodies of score requests, half of them of a well-formed answer."""
    asked = {"task_id": TASK, "level": LEVEL, "seed": 0, "count": number}
    _, body = await connection.post("/v1/sample", json.dumps(asked).encode())
    thought = "I count the marks one after the other. " * 8
    return [
        json.dumps(
            {"identity": case["identity"], "response": f"{thought}{'<answer>7</answer>' if n % 2 else ''}"}
        ).encode()
        for n, case in enumerate(json.loads(body)["cases"])
    ]


async def load(host: str, port: int, rate: float, seconds: float) -> dict[str, Any]:
    """Requests due every 1/rate seconds; what became of them."""
    connections = await connect(host, port, CONNECTIONS)
    bodies = await cases(connections[0], 64)
    for body in bodies:
        await connections[0].post("/v1/score", body)
    idle: asyncio.Queue[Connection] = asyncio.Queue()
    for connection in connections:
        idle.put_nowait(connection)
    took: list[float] = []
    statuses: Counter[int] = Counter()

    async def one(due: float, body: bytes) -> None:
        connection = await idle.get()
        status, _ = await connection.post("/v1/score", body)
        took.append(time.perf_counter() - due)
        statuses[status] += 1
        idle.put_nowait(connection)

    began, total = time.perf_counter(), int(rate * seconds)
    async with asyncio.TaskGroup() as group:
        for number in range(total):
            due = began + number / rate
            if (early := due - time.perf_counter()) > 0:
                await asyncio.sleep(early)
            group.create_task(one(due, bodies[number % len(bodies)]))
    wall = time.perf_counter() - began
    cuts = statistics.quantiles(took, n=1000)
    return {
        "asked_per_s": rate,
        "n": total,
        "answered_per_s": round(total / wall, 1),
        "statuses": {str(status): count for status, count in sorted(statuses.items())},
        "p50_ms": round(1e3 * cuts[499], 2),
        "p90_ms": round(1e3 * cuts[899], 2),
        "p99_ms": round(1e3 * cuts[989], 2),
        "worst_ms": round(1e3 * max(took), 1),
    }


async def batches(host: str, port: int, seconds: float) -> dict[str, Any]:
    """Batches of 64, two connections, one batch after the other on each."""
    connections = await connect(host, port, 2)
    bodies = [json.loads(body) for body in await cases(connections[0], 64)]
    body = json.dumps({"items": bodies}).encode()
    until, done = time.perf_counter() + seconds, 0
    began = time.perf_counter()

    async def client(connection: Connection) -> None:
        nonlocal done
        while time.perf_counter() < until:
            status, _ = await connection.post("/v1/score/batch", body)
            assert status == 200
            done += 64

    await asyncio.gather(*map(client, connections))
    return {"items_per_s": round(done / (time.perf_counter() - began)), "n": done}


def memory_mb(pid: int) -> float:
    """Resident memory of a process, MiB."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / (1 << 20)


def cpu_s(pid: int) -> float:
    """CPU seconds a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def soak(host: str, port: int, pid: int, rate: float, minutes: float) -> dict[str, Any]:
    """A long run in quarters, with the server's memory and the machine's load every few seconds.

    ``mb_per_hour`` is the slope of a straight line through the memory in the second half, when caches are full.
    """
    seen: list[tuple[float, float, float]] = []
    ended = threading.Event()

    def watch() -> None:
        began = time.monotonic()
        while not ended.wait(WATCH_S):
            seen.append((time.monotonic() - began, memory_mb(pid), os.getloadavg()[0]))

    watcher = threading.Thread(target=watch)
    watcher.start()
    cpu = cpu_s(pid)
    try:
        parts = [asyncio.run(load(host, port, rate, 15 * minutes)) for _ in range(4)]
    finally:
        ended.set()
        watcher.join()
    times, memory, loads = zip(*seen, strict=True)
    half = len(seen) // 2
    line = statistics.linear_regression(times[half:], memory[half:])
    return {
        "minutes": minutes,
        "parts": parts,
        "mb": [round(memory[min(len(seen) - 1, len(seen) * part // 4)], 1) for part in range(5)],
        "mb_worst": round(max(memory), 1),
        "mb_per_hour": round(3_600 * line.slope, 2),
        "load": [round(min(loads), 1), round(statistics.median(loads), 1), round(max(loads), 1)],
        "server_cpu_share": round((cpu_s(pid) - cpu) / (60 * minutes), 3),
    }


def measure(score: str, rate: float, seconds: float, soak_minutes: float) -> dict[str, Any]:
    """One service, its load runs."""
    with service(score) as (host, port, pid):
        before = cpu_s(pid)
        found: dict[str, Any] = {"score": score, "load_before": round(os.getloadavg()[0], 1)}
        found["fixed_rate"] = asyncio.run(load(host, port, rate, seconds))
        found["server_cpu_share"] = round((cpu_s(pid) - before) / seconds, 2)
        found["batches"] = asyncio.run(batches(host, port, min(10.0, seconds)))
        if soak_minutes:
            found["soak"] = soak(host, port, pid, rate, soak_minutes)
        return found


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--quick", action="store_true", help="5 seconds a run")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    parser.add_argument("--rate", type=float, default=500.0, help="requests a second")
    parser.add_argument("--seconds", type=float, default=20.0, help="of each run")
    parser.add_argument("--score", choices=("sandbox", "process"), action="append", help="default: both")
    parser.add_argument("--soak", type=float, default=0.0, metavar="MINUTES")
    asked = parser.parse_args()
    seconds = 5.0 if asked.quick else asked.seconds
    found = [measure(score, asked.rate, seconds, asked.soak) for score in asked.score or ("process", "sandbox")]
    if asked.json:
        print(json.dumps(found, indent=1))
        return
    for item in found:
        run = item["fixed_rate"]
        print(
            f"{item['score']:8} {run['asked_per_s']:g}/s asked, {run['answered_per_s']} answered, n={run['n']}: "
            f"p50 {run['p50_ms']} p90 {run['p90_ms']} p99 {run['p99_ms']} worst {run['worst_ms']} ms "
            f"{run['statuses']}; "
            f"server CPU {item['server_cpu_share']} cores; batches of 64: {item['batches']['items_per_s']}/s "
            f"(load {item['load_before']})"
        )
        if "soak" in item:
            run = item["soak"]
            print(
                f"  soak {run['minutes']:g} min: memory {run['mb']} MiB, {run['mb_per_hour']:+} MiB an hour, "
                f"load {run['load']}; answered {[part['answered_per_s'] for part in run['parts']]}/s, "
                f"p50 {[part['p50_ms'] for part in run['parts']]}, p99 {[part['p99_ms'] for part in run['parts']]} ms, "
                f"{[part['statuses'] for part in run['parts']]}"
            )


if __name__ == "__main__":
    main()
