"""The heap of a long-lived process: shared by its threads, and given back where it holds nothing."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path

from bootcamp_kit.folder import TaskFolder
from evaluation.service.app import Service, create_app
from evaluation.service.limits import ServiceLimits
from evaluation.service.shelf import Shelf

ROOT = Path(__file__).parents[3]


def test_threads_share_one_heap_where_the_c_library_can() -> None:
    program = (
        "import ctypes, threading\n"
        "from evaluation.service.memory import keep_one_heap\n"
        "keep_one_heap()\n"
        "library = ctypes.CDLL(None)\n"
        "library.malloc.restype = ctypes.c_void_p\n"
        "here, there = library.malloc(1000), []\n"
        "thread = threading.Thread(target=lambda: there.append(library.malloc(1000)))\n"
        "thread.start(), thread.join()\n"
        "print(hasattr(library, 'mallopt'), abs(there[0] - here) < 1 << 26)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.split() != ["True", "False"], "the C library has the setting, and it has no effect"


def test_pages_in_the_middle_of_the_heap_are_given_back_where_the_c_library_can() -> None:
    program = (
        "import ctypes, os\n"
        "from evaluation.service.memory import give_back, keep_one_heap\n"
        "keep_one_heap()\n"
        "def resident():\n"
        "    return int(open('/proc/self/statm').read().split()[1]) * os.sysconf('SC_PAGE_SIZE') >> 20\n"
        "made = [bytes(2_000) for _ in range(40_000)]\n"
        "kept = made[::50] + made[-1:]\n"
        "del made\n"
        "before = resident()\n"
        "give_back()\n"
        "print(hasattr(ctypes.CDLL(None), 'malloc_trim'), before - resident() > 50)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.split() != ["True", "False"], "the C library can, and nothing was given back"


async def test_a_service_gives_back_as_long_as_it_runs_and_no_longer(folders: dict[str, TaskFolder]) -> None:
    times: list[int] = []
    shelf = Shelf({"doubling": folders["doubling"]})
    service = Service(shelf, None, ServiceLimits(), give_back=lambda: times.append(1), give_back_s=0.01)
    create_app(service, None)
    async with service.running(None):  # type: ignore[arg-type]
        while len(times) <= 3:
            await asyncio.sleep(0.01)
    seen = len(times)
    await asyncio.sleep(0.05)
    assert len(times) == seen
