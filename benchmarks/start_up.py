"""How long the command line takes to start: ``python benchmarks/start_up.py [--json]``.

Whole processes, in turn with a bare interpreter, so that the ratio holds when the machine's speed drifts.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import time

RUNS = 20
COMMANDS = {
    "python": [sys.executable, "-c", "pass"],
    "bootcamp --help": [sys.executable, "-m", "bootcamp_cli", "--help"],
    "bootcamp library list": [sys.executable, "-m", "bootcamp_cli", "library", "list"],
}


def once(command: list[str]) -> float:
    """Wall seconds of one process."""
    start = time.perf_counter()
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    return time.perf_counter() - start


def main() -> None:
    """Measure all commands in turn, ``RUNS`` times after one warm-up."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--json", action="store_true")
    as_json = asked.parse_args().json
    seconds: dict[str, list[float]] = {name: [] for name in COMMANDS}
    for run in range(RUNS + 1):
        for name, command in COMMANDS.items():
            took = once(command)
            if run:
                seconds[name].append(took)
    base = statistics.median(seconds["python"])
    rows = {
        name: {"n": len(found), "min_s": min(found), "median_s": statistics.median(found), "max_s": max(found)}
        for name, found in seconds.items()
    }
    if as_json:
        print(json.dumps(rows))
        return
    for name, row in rows.items():
        ratio = row["median_s"] / base
        print(f"{name:24} {row['min_s']:.3f} {row['median_s']:.3f} {row['max_s']:.3f} s   ×{ratio:.1f}   n={row['n']}")


if __name__ == "__main__":
    main()
