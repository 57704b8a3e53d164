"""Counter-examples found by the gate, kept for each task id and tried first the next time.

One JSON Lines file for each task; append-only, without repeats. Writers take a lock and append whole lines; a line torn
by a crash is passed over when reading.
"""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path

from bootcamp_kit.card import ID
from bootcamp_kit.errors import MachineError, UsageError
from bootcamp_kit.report import Finding

MAX_RESPONSE = 20_000
MAX_KEPT = 500
SOLVABLE, TOTAL, STABLE = "solvable", "total", "stable"
_OF_CASE = ("contract.generate_", "contract.prompt_", "contract.solve_", "oracle.not_one", "properties.solvable")
_OF_RESPONSE = ("contract.score_", "contract.parse_", "properties.total")


@dataclass(frozen=True, slots=True)
class Counterexample:
    """Where a property failed once. ``response`` is None for ``solvable``, which is over (level, seed)."""

    property: str
    level: int
    seed: int
    response: str | None = None


class CounterexampleStore:
    """A directory of kept counter-examples. Safe for several processes at once."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def load(self, task_id: str) -> tuple[Counterexample, ...]:
        """What is kept for a task, oldest first.

        Raises:
            MachineError: the file cannot be read.
        """
        path = self._path(task_id)
        try:
            lines = path.read_bytes().splitlines()
        except FileNotFoundError:
            return ()
        except OSError as error:
            raise MachineError(f"reading counter-examples {path}", str(error), "check the disk") from error
        found = [item for item in map(_read, lines) if item]
        return tuple(dict.fromkeys(found))[:MAX_KEPT]

    def add(self, task_id: str, found: Iterable[Counterexample]) -> int:
        """Append those that are not there yet; how many were new.

        Raises:
            MachineError: the file cannot be written.
        """
        path = self._path(task_id)
        wanted = [item for item in dict.fromkeys(found) if len(item.response or "") <= MAX_RESPONSE]
        if not wanted:
            return 0
        try:
            self.root.mkdir(parents=True, exist_ok=True)
            with path.open("ab") as file:
                fcntl.flock(file, fcntl.LOCK_EX)
                known = set(self.load(task_id))
                new = [item for item in wanted if item not in known][: MAX_KEPT - len(known)]
                text = "".join(json.dumps(asdict(item), sort_keys=True) + "\n" for item in new)
                if text and _torn(path):
                    text = "\n" + text
                file.write(text.encode())
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise MachineError(f"keeping counter-examples in {path}", str(error), "check the disk") from error
        return len(new)

    def _path(self, task_id: str) -> Path:
        if not ID.fullmatch(task_id):
            raise UsageError("counter-examples", f"{task_id[:80]!r} is not a task id", "use the card's id")
        return self.root / f"{task_id}.jsonl"


def _torn(path: Path) -> bool:
    data = path.read_bytes()
    return bool(data) and not data.endswith(b"\n")


def _read(line: bytes) -> Counterexample | None:
    try:
        item = Counterexample(**json.loads(line))
    except (ValueError, TypeError):
        return None
    fits = isinstance(item.property, str) and type(item.level) is int and type(item.seed) is int
    return item if fits and (item.response is None or isinstance(item.response, str)) else None


def worth_keeping(findings: Iterable[Finding]) -> list[Counterexample]:
    """The counter-examples among findings: failures that can be tried again on any later version of the task."""
    kept = []
    for finding in findings:
        witness = finding.witness
        if witness is None or witness.file or witness.level is None or witness.seed is None:
            continue
        if finding.code.startswith(_OF_CASE):
            kept.append(Counterexample(SOLVABLE, witness.level, witness.seed))
        elif witness.response is not None and finding.code.startswith(_OF_RESPONSE):
            kept.append(Counterexample(TOTAL, witness.level, witness.seed, witness.response))
        elif witness.response is not None and finding.code == "properties.stable":
            kept.append(Counterexample(STABLE, witness.level, witness.seed, witness.response))
    return kept
