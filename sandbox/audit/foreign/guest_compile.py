"""Runs *inside* the compiler's container: every program in ``/work/in`` to a library in ``/work/out``."""

from __future__ import annotations

import os
import re
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

GIVEN, MADE, SECONDS = Path("/work/in"), Path("/work/out"), 150
FLAGS = [
    "-w", "-O0", "-g0", "-fPIC", "-fpermissive", "-fno-gnu-unique", "-std=gnu++17", "-DONLINE_JUDGE",
    "-Dmain=bootcamp_main", "-Dsync_with_stdio=bootcamp_sync",
]  # fmt: skip

PROLOGUE = """#include <bits/stdc++.h>
#include <unistd.h>
extern "C" void bootcamp_exit(int) noexcept;
namespace std { using ::bootcamp_exit; }
#define exit bootcamp_exit
"""
"""Every header once, so that none takes the replaced ``exit`` back."""


def build(path: Path) -> bool:
    """Compile and link one; whether it worked."""
    text = path.read_text().replace("%I64", "%ll")
    text = re.sub(r"#\s*pragma\s+GCC\s+(optimize|target).*", "", text)  # main without a return is no main here
    path.write_text(text)
    if re.search(r"\bmain\s*\(\s*int\s+\w+\s*,", text):
        text = text.replace(
            "bootcamp_main();", '{ static char *none[] = {(char *)"", nullptr}; bootcamp_main(1, none); }'
        )
        path.write_text(text)
    for extra in (["-include", "/work/pch/all.h"], []):
        made = path.with_suffix(".o")
        try:
            done = subprocess.run(
                ["g++", *FLAGS, *extra, "-c", str(path), "-o", str(made)], capture_output=True, timeout=SECONDS
            )  # fmt: skip
            if done.returncode == 0:
                link = ["ld", "-shared", "-o", str(MADE / f"{path.stem}.so"), str(made)]
                return subprocess.run(link, capture_output=True, timeout=SECONDS).returncode == 0
        except subprocess.TimeoutExpired:
            return False
    return False


def main() -> None:
    """All of them."""
    Path("/work/pch").mkdir()
    Path("/work/pch/all.h").write_text(PROLOGUE)
    subprocess.run(["g++", *FLAGS, "-x", "c++-header", "/work/pch/all.h"], check=False, timeout=120)
    with ThreadPoolExecutor(max(1, len(os.sched_getaffinity(0)))) as pool:
        results = list(pool.map(build, sorted(GIVEN.glob("*.cpp"))))
    print(sum(results), "of", len(results))


if __name__ == "__main__":
    main()
