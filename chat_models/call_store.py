"""One SQLite file with every model call and every reply. A reply and its tokens are one commit."""

from __future__ import annotations

import hashlib
import json
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from bootcamp_kit.errors import MachineError, UsageError
from chat_models.protocol import ChatReply, ChatRequest, StopReason, Usage

VERSION = 1
BUSY_S = 30.0
CHARS_PER_TOKEN = 3
"""For servers that do not count tokens; on the high side for code, so that budgets err towards stopping early."""

_SCHEMA = f"""
CREATE TABLE replies (
    key TEXT PRIMARY KEY, at TEXT NOT NULL, text TEXT NOT NULL, stop TEXT NOT NULL, model TEXT NOT NULL,
    input_tokens INTEGER NOT NULL, output_tokens INTEGER NOT NULL, cached_input_tokens INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE calls (
    id INTEGER PRIMARY KEY, at TEXT NOT NULL, run_id TEXT NOT NULL, brief_id TEXT NOT NULL, role TEXT NOT NULL,
    model TEXT NOT NULL, key TEXT NOT NULL,
    outcome TEXT NOT NULL CHECK (outcome IN ('started', 'answered', 'cached', 'failed')),
    input_tokens INTEGER NOT NULL DEFAULT 0, output_tokens INTEGER NOT NULL DEFAULT 0,
    cached_input_tokens INTEGER NOT NULL DEFAULT 0, estimated INTEGER NOT NULL DEFAULT 0,
    stop TEXT, failure TEXT
);
CREATE INDEX calls_by_run ON calls (run_id, role, model);
PRAGMA user_version = {VERSION};
"""


@dataclass(frozen=True, slots=True)
class CallLabel:
    """Whose call it is."""

    run_id: str
    brief_id: str = ""
    role: str = ""


@dataclass(frozen=True, slots=True)
class CallCount:
    """Calls of one role to one model.

    Attributes:
        answered: Paid.
        cached: Answered from the store.
        failed: The provider failed; what it charged for these, if anything, is not known.
        unfinished: Begun and never ended: running now, or cut by a kill. Their cost is not known either.
        estimated: Answered calls whose tokens the provider did not count; estimated from the text's length.
        usage: Tokens of the answered calls.
    """

    role: str
    model: str
    answered: int
    cached: int
    failed: int
    unfinished: int
    estimated: int
    usage: Usage


def request_key(model: str, request: ChatRequest, address: str = "") -> str:
    """What makes two calls the same call; ``address`` tells servers apart that call their models alike."""
    content: dict[str, object] = {
        "model": model,
        "messages": [[message.role, message.text] for message in request.messages],
        "max_tokens": request.max_tokens,
        "temperature": request.temperature,
        "nonce": request.nonce,
    }
    if request.schema is not None:
        content["schema"] = request.schema.text
    if address:
        content["address"] = address
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


class CallStore:
    """The file. Safe for several processes and threads; what is returned as stored survives kill -9 and power loss.

    Args:
        path: The SQLite file; made with its folder when absent.
        clock: UTC now.

    Raises:
        MachineError: the file cannot be opened or written.
        UsageError: the file is of another version.
    """

    def __init__(self, path: Path, *, clock: Callable[[], datetime] = lambda: datetime.now(UTC)) -> None:
        self.path, self._clock, self._lock = path, clock, threading.Lock()
        with self._guarded("open"):
            path.parent.mkdir(parents=True, exist_ok=True)
            self._db = sqlite3.connect(path, timeout=BUSY_S, isolation_level=None, check_same_thread=False)
        try:
            with self._guarded("open"):
                self._prepare()
        except BaseException:
            self._db.close()
            raise

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._db.close()

    def find(self, key: str) -> ChatReply | None:
        """The stored reply to this call."""
        with self._guarded("read"), self._lock:
            row = self._db.execute(
                "SELECT text, stop, model, input_tokens, output_tokens, cached_input_tokens FROM replies WHERE key = ?",
                (key,),
            ).fetchone()
        return None if row is None else ChatReply(row[0], StopReason(row[1]), Usage(*row[3:]), row[2])

    def start(self, label: CallLabel, model: str, key: str) -> int:
        """Note that a call is about to be paid for. Gives its id."""
        with self._writing():
            return self._insert(label, model, key, "started")

    def answered(self, call: int, key: str, request: ChatRequest, reply: ChatReply) -> None:
        """Store a paid reply and its tokens, in one commit. Where another process was first, its reply stays."""
        usage, estimated = reply.usage, False
        if usage == Usage():
            asked = sum(len(message.text) for message in request.messages)
            usage, estimated = Usage(-(-asked // CHARS_PER_TOKEN), -(-len(reply.text) // CHARS_PER_TOKEN)), True
        counts = (usage.input_tokens, usage.output_tokens, usage.cached_input_tokens)
        with self._writing():
            self._db.execute(
                "INSERT INTO replies VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (key) DO NOTHING",
                (
                    key,
                    self._now(),
                    reply.text,
                    reply.stop.value,
                    reply.model,
                    reply.usage.input_tokens,
                    reply.usage.output_tokens,
                    reply.usage.cached_input_tokens,
                ),
            )
            self._db.execute(
                "UPDATE calls SET outcome = 'answered', input_tokens = ?, output_tokens = ?, cached_input_tokens = ?, "
                "estimated = ?, stop = ? WHERE id = ?",
                (*counts, estimated, reply.stop.value, call),
            )

    def failed(self, call: int, failure: str) -> None:
        """Note that a call failed."""
        with self._writing():
            self._db.execute("UPDATE calls SET outcome = 'failed', failure = ? WHERE id = ?", (failure[:1000], call))

    def cached(self, label: CallLabel, model: str, key: str) -> None:
        """Note a call that the store answered."""
        with self._writing():
            self._insert(label, model, key, "cached")

    def counts(self, run_id: str | None, brief_id: str | None = None) -> list[CallCount]:
        """Calls by role and model, of one run or of all; of one brief or of all."""
        wanted = {"run_id": run_id, "brief_id": brief_id}
        given = {key: value for key, value in wanted.items() if value is not None}
        where = f"WHERE {' AND '.join(f'{key} = ?' for key in given)} " if given else ""
        values = tuple(given.values())
        with self._guarded("read"), self._lock:
            rows = self._db.execute(
                "SELECT role, model, sum(outcome = 'answered'), sum(outcome = 'cached'), sum(outcome = 'failed'), "
                "sum(outcome = 'started'), sum(estimated), sum(input_tokens), sum(output_tokens), "
                f"sum(cached_input_tokens) FROM calls {where}GROUP BY role, model ORDER BY role, model",
                values,
            ).fetchall()
        return [CallCount(a, b, c, d, e, f, g, Usage(*tokens)) for a, b, c, d, e, f, g, *tokens in rows]

    def _insert(self, label: CallLabel, model: str, key: str, outcome: str) -> int:
        cursor = self._db.execute(
            "INSERT INTO calls (at, run_id, brief_id, role, model, key, outcome) VALUES (?, ?, ?, ?, ?, ?, ?)",
            (self._now(), label.run_id, label.brief_id, label.role, model, key, outcome),
        )
        return int(cursor.lastrowid or 0)

    def _prepare(self) -> None:
        self._use_wal()
        self._db.execute("PRAGMA synchronous = FULL")
        self._db.execute("BEGIN IMMEDIATE")
        try:
            version = self._db.execute("PRAGMA user_version").fetchone()[0]
            if version == 0:
                for statement in filter(str.strip, _SCHEMA.split(";")):
                    self._db.execute(statement)
            elif version != VERSION:
                raise UsageError(
                    f"open {self.path}", f"its version is {version}, not {VERSION}", "move it away or use its program"
                )
        except BaseException:
            self._db.execute("ROLLBACK")
            raise
        self._db.execute("COMMIT")

    def _use_wal(self) -> None:
        """Switch to the write-ahead log. SQLite does not wait for others here, so this does."""
        until = time.monotonic() + BUSY_S
        while True:
            try:
                self._db.execute("PRAGMA journal_mode = WAL")
                return
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > until:
                    raise
            time.sleep(0.01)

    @contextmanager
    def _writing(self) -> Iterator[None]:
        with self._guarded("write"), self._lock:
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._db.execute("COMMIT")
            except BaseException:
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
                raise

    @contextmanager
    def _guarded(self, verb: str) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, OSError) as error:
            raise MachineError(
                f"{verb} the record of model calls {self.path}",
                str(error),
                "check that the folder is writable, the disk has room, and the file is ours",
            ) from error

    def _now(self) -> str:
        return self._clock().astimezone(UTC).isoformat(timespec="milliseconds")
