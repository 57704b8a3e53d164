"""The folder of one run, ``STATE/runs/RUN_ID/``, and the index over all runs. No LangGraph is imported here.

::

    run.json            what was asked: author, settings, the caller's resolved configuration (no secrets)
    work.json           the briefs (and repair orders) by hash, in order; their texts lie in briefs/ and orders/
    events.jsonl        what happened, appended
    checkpoints.sqlite  where each unfinished brief stands (LangGraph)
    briefs/ candidates/ lineage/ reports/ orders/      by content hash, see artefacts.py
    records/            specifications, what opponents, panel and comparison came to, by content hash
    transcripts/        one file per model call: request, reply, tokens
    outcomes/           one file per brief that came to an end
    summary.json        all outcomes, written when the run stops
    lock                held while a process drives the run
"""

from __future__ import annotations

import fcntl
import json
import os
import random
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, TypeVar

from authoring.artefacts import SHELVES, Artefacts
from authoring.events import EventLog
from authoring.outcomes import BriefOutcome, RunSummary
from authoring.settings import AuthoringSettings
from authoring.storage import disk, write_json, write_whole
from bootcamp_kit.errors import MachineError, UsageError
from bootcamp_kit.jsondata import Json

T = TypeVar("T")
_RUN_ID = re.compile(r"[0-9]{8}T[0-9]{9}Z-[0-9a-f]{6}")


def new_run_id(now: datetime, rng: random.Random) -> str:
    """An id that sorts by time: UTC to the millisecond and six random hex digits."""
    return f"{now:%Y%m%dT%H%M%S}{now.microsecond // 1000:03d}Z-{rng.getrandbits(24):06x}"


@dataclass(frozen=True, slots=True)
class WorkItem:
    """One brief of a run. ``order`` is the hash of the repair order it is entered with, or ""."""

    brief: str
    id: str
    order: str = ""


@dataclass(frozen=True, slots=True)
class RunInfo:
    """One line of ``bootcamp runs``. ``state``: running, finished, unfinished (resume it), or damaged."""

    run_id: str
    created: str
    author: str
    state: str
    briefs: int
    counts: Mapping[str, int]


class RunFolder:
    """One run on disk."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.artefacts = Artefacts(root)
        self.events = EventLog(root / "events.jsonl")

    @property
    def run_id(self) -> str:
        """Its id, the folder's name."""
        return self.root.name

    @classmethod
    def create(
        cls,
        state: Path,
        run_id: str,
        *,
        author: str,
        settings: AuthoringSettings,
        created: str,
        config: Mapping[str, Json] | None = None,
    ) -> RunFolder:
        """Make a new run's folder.

        Args:
            state: The product's state folder; ``runs/`` is made in it.
            run_id: From :func:`new_run_id`.
            author: The author's name.
            settings: Kept, so that a resumed run uses the same.
            created: UTC, ISO 8601.
            config: What the caller needs to build the same author and gate again. No secrets.

        Raises:
            UsageError: the id is taken or not a run id.
            MachineError: the folder cannot be written.
        """
        run = cls(_root(state, run_id))
        record = {
            "schema": 1,
            "run_id": run_id,
            "created": created,
            "author": author,
            "settings": settings.to_json(),
            "config": dict(config or {}),
        }
        with run.beginning():
            with disk("starting a run", run.root):
                try:
                    run.root.mkdir(parents=True)
                except FileExistsError:
                    raise UsageError(f"starting run {run_id}", "it exists already", f"--resume {run_id}") from None
                for shelf in SHELVES:
                    (run.root / shelf).mkdir()
            write_json(run.root / "run.json", record)
        return run

    @contextmanager
    def beginning(self) -> Iterator[None]:
        """What fails before the run's work is stored cannot be resumed, and says so.

        Raises:
            MachineError: as raised inside, with what to do at that point.
        """
        try:
            yield
        except MachineError as error:
            if (self.root / "work.json").exists():
                raise
            do = "mend it (free some space on a full disk), then run the same command again: nothing was begun"
            raise MachineError(error.asked, error.found, do) from error

    @classmethod
    def open(cls, state: Path, run_id: str) -> RunFolder:
        """An earlier run.

        Raises:
            UsageError: there is none of that id.
        """
        root = _root(state, run_id)
        if not (root / "run.json").is_file():
            raise UsageError(f"run {run_id}", f"not found in {root.parent}", "see `bootcamp runs`")
        return cls(root)

    @property
    def record(self) -> dict[str, Any]:
        """The data of ``run.json``."""
        return self._read("run.json", "created", "author", "settings", "config")

    @property
    def settings(self) -> AuthoringSettings:
        """What the run was started with."""
        return AuthoringSettings.from_json(self.record["settings"])

    @property
    def config(self) -> dict[str, Json]:
        """What the caller gave to :meth:`create`."""
        config: dict[str, Json] = self.record["config"]
        return config

    def store_work(self, items: tuple[WorkItem, ...]) -> None:
        """Record what the run has to do; after this it can be resumed without the caller's files.

        Raises:
            UsageError: the run has its work already.
        """
        if (self.root / "work.json").exists():
            raise UsageError(f"starting run {self.run_id}", "it was started before", "resume it, or start a new run")
        write_json(self.root / "work.json", {"schema": 1, "items": [asdict(item) for item in items]})

    def work(self) -> tuple[WorkItem, ...]:
        """What the run has to do.

        Raises:
            UsageError: the process died before it was stored.
        """
        if not (self.root / "work.json").exists():
            raise UsageError(
                f"resuming run {self.run_id}", "it stopped before its briefs were stored", "start a new run"
            )
        items = self._read("work.json", "items")["items"]
        return tuple(self._built(WorkItem, "work.json", item) for item in items)

    def put_outcome(self, outcome: BriefOutcome) -> None:
        """Record how a brief ended."""
        write_json(self.root / "outcomes" / f"{outcome.brief_hash}.json", outcome.to_json())

    def outcome(self, brief_hash: str) -> BriefOutcome | None:
        """How a brief ended, if it has."""
        if not (self.root / "outcomes" / f"{brief_hash}.json").exists():
            return None
        name = f"outcomes/{brief_hash}.json"
        return self._built(BriefOutcome, name, self._read(name))

    def forget_outcome(self, brief_hash: str) -> None:
        """Open a brief again."""
        (self.root / "outcomes" / f"{brief_hash}.json").unlink(missing_ok=True)

    def put_summary(self, summary: RunSummary) -> None:
        """Record how the run stopped."""
        write_json(self.root / "summary.json", summary.to_json())

    def put_fault(self, brief_hash: str, text: str) -> Path:
        """Record a fault of this program, with its traceback; where."""
        path = self.root / "faults" / f"{brief_hash}.txt"
        write_whole(path, text.encode("utf-8", "backslashreplace"))
        return path

    def put_transcript(self, name: str, raw: Mapping[str, Json]) -> None:
        """Record one model call; ``name`` is ours, e.g. ``rook_tour-c0-t1``."""
        write_json(self.root / "transcripts" / f"{name}.json", dict(raw))

    def transcript(self, name: str) -> dict[str, Any]:
        """One recorded model call."""
        return self._read(f"transcripts/{name}.json")

    @contextmanager
    def lock(self, owner: str) -> Iterator[None]:
        """Hold the run. ``owner`` says who, e.g. ``pid 4711``; the lock falls with the process.

        Raises:
            UsageError: another process holds it.
        """
        path = self.root / "lock"
        with disk("locking a run", path):
            handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
        try:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                holder = os.pread(handle, 100, 0).decode("utf-8", "replace").strip()
                raise UsageError(
                    f"driving run {self.run_id}", f"it is being driven already ({holder})", "wait for it, or stop it"
                ) from None
            os.ftruncate(handle, 0)
            os.pwrite(handle, owner.encode()[:100], 0)
            yield
        finally:
            os.close(handle)

    def held(self) -> bool:
        """Whether a process drives the run at the moment."""
        try:
            handle = os.open(self.root / "lock", os.O_RDONLY)
        except FileNotFoundError:
            return False
        try:
            fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        finally:
            os.close(handle)
        return False

    def info(self) -> RunInfo:
        """The run in one line."""
        record = self.record
        done = (self.root / "summary.json").exists() and not self.held()
        counts = self._read("summary.json", "counts")["counts"] if done else {}
        open_ones = not done or any(counts.get(kind) for kind in ("failed", "over budget", "interrupted"))
        return RunInfo(
            run_id=self.run_id,
            created=record["created"],
            author=record["author"],
            state="running" if self.held() else "unfinished" if open_ones else "finished",
            briefs=len(self.work()) if (self.root / "work.json").exists() else 0,
            counts=counts,
        )

    def _read(self, name: str, *keys: str) -> dict[str, Any]:
        """A record with at least these keys.

        Raises:
            MachineError: not readable, or something else than what was written.
        """
        path = self.root / name
        with disk(f"reading {name}", path):
            data = path.read_bytes()
        try:
            raw = json.loads(data)
        except ValueError as error:
            raise _damaged(path, str(error)) from error
        if not isinstance(raw, dict) or not set(keys) <= set(raw):
            raise _damaged(path, f"not a record with {', '.join(keys) or 'keys'}")
        return raw

    def _built(self, kind: type[T], name: str, raw: Any) -> T:
        try:
            return kind(**raw)
        except (TypeError, ValueError) as error:
            raise _damaged(self.root / name, f"not {kind.__name__}: {error}") from error


def _damaged(path: Path, why: str) -> MachineError:
    return MachineError(f"reading {path}", f"damaged: {why}", "start a new run")


def list_runs(state: Path) -> tuple[RunInfo, ...]:
    """All runs of a state folder, oldest first; a folder that never got its ``run.json`` is passed over."""
    found = sorted((state / "runs").glob("*/run.json"))
    return tuple(_info(RunFolder(path.parent)) for path in found if _RUN_ID.fullmatch(path.parent.name))


def _info(run: RunFolder) -> RunInfo:
    try:
        return run.info()
    except MachineError:
        return RunInfo(run.run_id, created="", author="", state="damaged", briefs=0, counts={})


def _root(state: Path, run_id: str) -> Path:
    if not _RUN_ID.fullmatch(run_id):
        raise UsageError(f"run {run_id[:60]!r}", "not a run id", "see `bootcamp runs`")
    return state / "runs" / run_id
