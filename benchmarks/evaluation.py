"""What export, scoring and listing cost: `python -m benchmarks.evaluation [--quick] [--json]`.

Rows exported a second; responses scored a second in a process and in the sandbox; the listing of a library of 1,000
tasks; with `--python`, whether an export has the same bytes under other interpreters. With `--reasoning-gym FOLDER`
(what it is installed in) cases of like puzzles are made by both libraries; with `--internbootcamp FOLDER…` its import
is timed in turn with the listing. docs/performance.md has figures.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))  # also run as a file, which has a package's name

from bootcamp_kit.folder import TaskFolder
from bootcamp_kit.library import Library, Task, load
from evaluation.boxes import HeldBox, job_limits
from evaluation.export.items import Selection
from evaluation.export.run import Order, export
from evaluation.plan import CaseRef
from evaluation.process_box import ProcessBox
from evaluation.scoring import MadeCase, judge, make_cases
from sandbox.calls import Call, Op
from sandbox.service import Sandbox, SandboxSettings

ROOT = Path(__file__).parents[1]
SOUND = ROOT / "tests" / "sound_tasks"
SIMPLE = "score_total"
MERGED = "limping_hand"
IMPORT = "import internbootcamp"
LIKE = {"score_total": "chain_sum", "letters_after": "caesar_cipher", "words_backwards": "word_sequence_reversal"}
"""Our test tasks and data sets of reasoning-gym that ask for about the same."""


@contextmanager
def approved(*names: str) -> Iterator[Path]:
    """A library of test tasks, approved for this measurement."""
    with tempfile.TemporaryDirectory() as place:
        for name in names:
            put(TaskFolder.read(SOUND / name), Path(place))
        yield Path(place)


def put(folder: TaskFolder, root: Path) -> None:
    """Write a task with an approval of its bytes."""
    place = root / folder.card.address
    folder.write(place)
    (place / "evidence").mkdir()
    (place / "evidence" / "record.toml").write_text(f'[approval]\ncontent_hash = "{folder.content_hash}"\n')


def rows_per_second(rows: int) -> float:
    """Rows of a simple task into one folder of JSON lines."""
    with approved(SIMPLE) as root, tempfile.TemporaryDirectory() as out:
        task = load(SIMPLE, root=root)
        began = time.perf_counter()
        export([task], Order("jsonl", Selection((3,), 0, rows)), Path(out) / "x")
        return rows / (time.perf_counter() - began)


def scores_per_second(ask: Any, folder: TaskFolder, total: int, batch: int) -> float:
    """Responses judged, half of them well-formed."""
    [made] = make_cases(ask, folder.card.id, folder.card.difficulty.params, [CaseRef(1, 1)])
    assert isinstance(made, MadeCase)
    thought = "I add them up. " * 20
    pairs = [(made.case, f"{thought}{'<answer>7</answer>' if n % 2 else ''}") for n in range(batch)]
    judge(ask, pairs, answers=False)
    began = time.perf_counter()
    for _ in range(total // batch):
        judge(ask, pairs, answers=False)
    return total / (time.perf_counter() - began)


def scoring(sandbox: Sandbox, total: int) -> dict[str, float]:
    """In a process and in the sandbox, batches of 512."""
    folder = TaskFolder.read(SOUND / SIMPLE)
    limits = job_limits(folder.card)
    with ProcessBox(folder.sources, limits) as process:
        in_process = scores_per_second(process.batch, folder, total, 512)
    with sandbox.box(folder.sources, limits) as box:
        fresh = scores_per_second(box.batch, folder, total, 512)
        held = scores_per_second(HeldBox(box).batch, folder, total, 512)
    return {"process": in_process, "sandbox": fresh, "sandbox_held": held}


def listing(tasks: int, internbootcamp: list[Path] | None) -> dict[str, Any]:
    """Seconds to read the cards of a library, here and by the command as a whole; and to import InternBootcamp."""
    with tempfile.TemporaryDirectory() as place:
        copies(Path(place), tasks)
        begin = [sys.executable, "-m", "bootcamp_cli", "library", "list", "--library", place]
        ways = {"list_s": begin, "list_json_s": [*begin, "--json"]}
        ways["python_s"] = [sys.executable, "-c", "pass"]
        if internbootcamp:
            paths = os.pathsep.join(map(str, internbootcamp))
            ways["import_internbootcamp_s"] = ["env", f"PYTHONPATH={paths}", sys.executable, "-c", IMPORT]
        seconds: dict[str, list[float]] = {"scan_s": [], **{way: [] for way in ways}}
        for run in range(6):
            took = {"scan_s": timed(scanned, Path(place), tasks)}
            took |= {way: timed(finished, command) for way, command in ways.items()}
            for way, value in took.items() if run else ():
                seconds[way].append(value)
    found: dict[str, Any] = {"tasks": tasks, "n": 5, "spread": {way: [min(v), max(v)] for way, v in seconds.items()}}
    found |= {way: statistics.median(values) for way, values in seconds.items()}
    if internbootcamp:
        shares = ("list_s", "list_json_s")
        found["share_of_import"] = {way: found[way] / found["import_internbootcamp_s"] for way in shares}
    return found


def copies(place: Path, tasks: int) -> None:
    """A library of copies of one merged task, with records that differ as records do."""
    [model] = (ROOT / "generated_bootcamps").glob(f"*/{MERGED}")
    files, record = TaskFolder.read(model).files, (model / "evidence" / "record.toml").read_bytes()
    for number in range(tasks):
        name = f"{MERGED}_{number:04d}"
        card = files["card.toml"].replace(f'"{MERGED}"'.encode(), f'"{name}"'.encode())
        folder = TaskFolder({**files, "card.toml": card})
        target = place / folder.card.address
        folder.write(target)
        (target / "evidence").mkdir()
        (target / "evidence" / "record.toml").write_bytes(record + f"# {name}\n".encode())


def timed(work: Callable[..., object], *given: object) -> float:
    """Wall seconds."""
    began = time.perf_counter()
    work(*given)
    return time.perf_counter() - began


def scanned(root: Path, tasks: int) -> None:
    """Read the cards."""
    entries, problems = Library(root).scan()
    assert len(entries) == tasks and not problems


def finished(command: list[str]) -> None:
    """Run a command to its end, which must be a good one."""
    subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


BYTES = """
import sys, hashlib, tempfile
from pathlib import Path
from bootcamp_kit.library import Library
from evaluation.export.items import Selection
from evaluation.export.run import Order, export
library = Library(Path(sys.argv[1]))
tasks = [library.load(entry.card.id) for entry in library.scan()[0]]
for form in ("jsonl", "trl", "openrlhf", "reasoning-gym"):
    with tempfile.TemporaryDirectory() as out:
        manifest = export(tasks, Order(form, Selection(None, 0, int(sys.argv[2]))), Path(out) / "x")
        print(form, *(shard["sha256"] for shard in manifest["shards"]))
"""


def same_bytes(pythons: list[str], seeds: int) -> dict[str, Any]:
    """The exports of the merged library and of test tasks under each interpreter, as one hash each."""
    found: dict[str, Any] = {}
    with approved(*sorted(path.name for path in SOUND.iterdir() if (path / "card.toml").exists())) as root:
        for place in sorted((ROOT / "generated_bootcamps").glob("*/*/card.toml")):
            shutil.copytree(place.parent, root / place.parent.relative_to(ROOT / "generated_bootcamps"))
        for python in dict.fromkeys([sys.executable, *pythons]):
            seed = str(len(found) * 77)
            environment = {"PYTHONPATH": str(ROOT), "PYTHONHASHSEED": seed, "LC_ALL": "C", "TZ": "Asia/Kathmandu"}
            command = [python, "-c", BYTES, str(root), str(seeds)]
            done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
            version = subprocess.run([python, "-V"], capture_output=True, text=True, check=True).stdout.strip()
            found[version] = hashlib.sha256(done.stdout.encode()).hexdigest()[:16]
    return {"hashes": found, "same": len(set(found.values())) == 1}


def against_reasoning_gym(folder: Path, cases: int, tell: Callable[[str], None]) -> dict[str, dict[str, float]]:
    """Cases with prompt and hash for each CPU second: ours in this process, theirs inside the sandbox in one call."""
    from evaluation.foreign import open_library
    from sandbox.audit.foreign.asking import files
    from sandbox.limits import JobLimits

    with open_library(SandboxSettings(), "reasoning_gym", [folder], tell) as library:
        limits = JobLimits(wall_s=60, cpu_s=600, address_mb=2048, open_files=256)
        with library.sandbox.box(files("reasoning_gym"), limits) as box, box.session() as session:

            def theirs(name: str, count: int) -> float:
                asked = json.dumps({"do": "make", "name": name, "seed": 5, "count": count})
                seen = session.call(Call(Op.PARSE, {"response": asked}))
                assert seen.ok and len(seen.value["answer"]) == count, seen.error
                return count / seen.cpu_s

            theirs("chain_sum", 1)
            rates = {name: statistics.median(theirs(name, cases) for _ in range(5)) for name in LIKE.values()}
    found = {}
    with approved(*LIKE) as root:
        for ours, like in LIKE.items():
            task = load(ours, root=root)
            rate = statistics.median(made_per_second(task, cases) for _ in range(5))
            found[ours] = {"ours_per_s": rate, f"{like}_per_s": rates[like], "ratio": rate / rates[like]}
    return found


def made_per_second(task: Task, cases: int) -> float:
    """Cases of level 1 with prompt and key, for each CPU second."""
    began = time.process_time()
    for seed in range(cases):
        case = task.case(1, seed)
        _ = case.key, task.prompt(case)
    return cases / (time.process_time() - began)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="a tenth of the samples")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    parser.add_argument("--python", action="append", default=[], help="another interpreter ≥ 3.11 (repeat)")
    parser.add_argument("--reasoning-gym", type=Path, help="folder that holds the package and what it imports")
    parser.add_argument("--internbootcamp", type=Path, nargs="+", help="its checkout, and folders of what it imports")
    asked = parser.parse_args()
    share = 10 if asked.quick else 1

    def tell(text: str) -> None:
        print(text, file=sys.stderr, flush=True)

    found: dict[str, Any] = {"load_before": round(os.getloadavg()[0], 1), "cores": os.cpu_count()}
    found["export_rows_per_s"] = rows_per_second(100_000 // share)
    with Sandbox(SandboxSettings()) as sandbox:
        found["scores_per_s"] = scoring(sandbox, 40_960 // share)
    found["listing"] = listing(1_000 // share, asked.internbootcamp)
    found["same_bytes"] = same_bytes(asked.python, 400 // share)
    if asked.reasoning_gym:
        found["cases_per_s"] = against_reasoning_gym(asked.reasoning_gym, 500, tell)
    found["load_after"] = round(os.getloadavg()[0], 1)
    print(json.dumps(found, indent=None if asked.json else 1, default=str))


if __name__ == "__main__":
    main()
