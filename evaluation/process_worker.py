"""The child of ``process_box``: one JSON line in with the task, then one line for each call; one line out for each."""

from __future__ import annotations

import base64
import json
import os
import resource
import signal
import traceback
from typing import Any

from sandbox.guest.ops import TaskOps

PAGE_MB = os.sysconf("SC_PAGE_SIZE") / (1 << 20)


def main() -> None:
    """Serve until the pipe closes."""
    lines, out = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 0)
    os.dup2(null, 1)
    head = json.loads(lines.readline())
    longest = 2 * float(head["wall_s"]) + 5
    _limit_memory(int(head["address_mb"]))
    files = {path: base64.b64decode(data) for path, data in head["files"].items()}
    ops = TaskOps(files, int(head["output_bytes"]))
    out.write(b"\n")
    out.flush()
    for line in lines:
        signal.setitimer(signal.ITIMER_REAL, longest)  # the parent kills earlier; this is for a parent that is gone
        out.write(_answer(ops, json.loads(line)) + b"\n")
        out.flush()
        signal.setitimer(signal.ITIMER_REAL, 0)


def _answer(ops: TaskOps, call: Any) -> bytes:
    try:
        return json.dumps({"value": ops.answer(call["op"], call["args"])}, allow_nan=False).encode()
    except MemoryError:
        return json.dumps({"error": "MemoryError", "memory": True}).encode()
    except Exception as error:  # noqa: BLE001  (the boundary to task code: whatever it raises is an observation)
        failure = {"error": f"{type(error).__name__}: {error}"[:2000], "traceback": traceback.format_exc()[-8000:]}
        return json.dumps(failure).encode()


def _limit_memory(address_mb: int) -> None:
    """Address space above what is mapped now."""
    with open("/proc/self/statm", encoding="ascii") as file:  # noqa: PTH123  (pathlib is not loaded here)
        mapped = int(file.read().split()[0]) * PAGE_MB
    limit = int((mapped + address_mb) * (1 << 20))
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))


if __name__ == "__main__":
    main()
