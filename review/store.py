"""The review database: tables, schema version, transactions, and clear words for what can go wrong with it.

SQLAlchemy Core; SQLite by default (WAL, busy timeout), so several processes on one machine may use one file. Writers
are serialised: ``BEGIN IMMEDIATE`` on SQLite, a lock on the schema row elsewhere. Events can only be added: on SQLite
two triggers refuse UPDATE and DELETE.

Not covered here: other databases than SQLite are reachable by URL but are not tested yet, and have no such triggers.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy import event, exc
from sqlalchemy.pool import NullPool

from bootcamp_kit.errors import BootcampError, MachineError, UsageError

SCHEMA_VERSION = 1
BUSY_SECONDS = 15.0
_PREFIX = "review_"
_APPEND_ONLY = (
    f"CREATE TRIGGER {_PREFIX}events_no_update BEFORE UPDATE ON {_PREFIX}events "
    "BEGIN SELECT RAISE(ABORT, 'events are append-only'); END",
    f"CREATE TRIGGER {_PREFIX}events_no_delete BEFORE DELETE ON {_PREFIX}events "
    "BEGIN SELECT RAISE(ABORT, 'events are append-only'); END",
)

metadata = sa.MetaData()
meta = sa.Table(
    f"{_PREFIX}meta", metadata, sa.Column("key", sa.String(40), primary_key=True), sa.Column("value", sa.Text)
)
items = sa.Table(
    f"{_PREFIX}items",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("task_id", sa.String(64), nullable=False, index=True),
    sa.Column("family", sa.String(64), nullable=False),
    sa.Column("title", sa.Text, nullable=False),
    sa.Column("version", sa.String(20), nullable=False),
    sa.Column("content_hash", sa.String(64), nullable=False, unique=True),
    sa.Column("state", sa.String(16), nullable=False, index=True),
    sa.Column("author", sa.Text, nullable=False),
    sa.Column("licence", sa.Text, nullable=False),
    sa.Column("verdict", sa.String(16), nullable=False),
    sa.Column("findings", sa.Integer, nullable=False),
    sa.Column("created", sa.String(32), nullable=False),
    sa.Column("brief", sa.Text, nullable=False),
    sa.Column("report", sa.Text, nullable=False),
    sa.Column("lineage", sa.Text, nullable=False),
)
files = sa.Table(
    f"{_PREFIX}files",
    metadata,
    sa.Column("item_id", sa.ForeignKey(items.c.id), primary_key=True),
    sa.Column("path", sa.String(420), primary_key=True),
    sa.Column("data", sa.LargeBinary, nullable=False),
)
events = sa.Table(
    f"{_PREFIX}events",
    metadata,
    sa.Column("seq", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("content_hash", sa.String(64), nullable=False, index=True),
    sa.Column("at", sa.String(32), nullable=False),
    sa.Column("actor", sa.Text, nullable=False),
    sa.Column("kind", sa.String(32), nullable=False),
    sa.Column("data", sa.Text, nullable=False),
    sa.Column("prev", sa.String(64), nullable=False),
    sa.Column("hash", sa.String(64), nullable=False),
)


class Store:
    """An open review database.

    Args:
        target: A path, or a database URL (anything with ``://``).
        busy_seconds: How long to wait for another process before giving up.
        create: Make the file and its tables when they are missing.

    Raises:
        UsageError: not a database, somebody else's database, or another schema version.
        MachineError: it cannot be opened, or stays locked.
    """

    def __init__(self, target: str | Path, *, busy_seconds: float = BUSY_SECONDS, create: bool = True) -> None:
        url, path = _url(target)
        self.name = str(path) if path else url.render_as_string(hide_password=True)
        self._busy_seconds = busy_seconds
        if path is not None:
            _check_path(path, create)
        try:
            self._engine = sa.create_engine(url, poolclass=NullPool, connect_args=self._connect_args(url))
        except (exc.ArgumentError, ImportError) as error:
            raise UsageError(
                f"opening the review queue {self.name}",
                f"the database or its driver is not there: {error}",
                "use a path to a SQLite file, or install the driver the URL names",
            ) from error
        self._sqlite = self._engine.dialect.name == "sqlite"
        if self._sqlite:
            event.listen(self._engine, "connect", _prepare_connection)
            event.listen(self._engine, "begin", _begin)
        self._open(create)

    def _connect_args(self, url: sa.URL) -> dict[str, Any]:
        return {"timeout": self._busy_seconds} if url.get_backend_name() == "sqlite" else {}

    def _open(self, create: bool) -> None:
        with self._boundary("opening"):
            if self._sqlite:
                self._use_wal()
            found = self._schema(create=False)
            if found is None:
                if not create:
                    raise UsageError(
                        f"opening the review queue {self.name}", "it is empty", "run `bootcamp author` first"
                    )
                found = self._schema(create=True)
        if found != str(SCHEMA_VERSION):
            newer = bool(found) and str(found).isdigit() and int(str(found)) > SCHEMA_VERSION
            raise UsageError(
                f"opening the review queue {self.name}",
                f"its schema is version {found}, this program reads version {SCHEMA_VERSION}",
                "upgrade this program" if newer else "open it with the version that wrote it, or start a new queue",
            )

    def _schema(self, *, create: bool) -> str | None:
        """The schema version that is written in the database; None when it holds nothing yet."""
        with self._engine.connect().execution_options(bootcamp_write=create) as connection, connection.begin():
            present = set(sa.inspect(connection).get_table_names())
            if meta.name not in present:
                if present and self._sqlite:
                    raise UsageError(
                        f"opening the review queue {self.name}",
                        "it is a database of something else",
                        "name a file that is a review queue or does not exist yet",
                    )
                if not create:
                    return None
                self._create(connection)
            return str(connection.scalar(sa.select(meta.c.value).where(meta.c.key == "schema")))

    def _create(self, connection: sa.Connection) -> None:
        metadata.create_all(connection)
        if self._sqlite:
            for statement in _APPEND_ONLY:
                connection.execute(sa.text(statement))
        connection.execute(meta.insert().values(key="schema", value=str(SCHEMA_VERSION)))

    def _use_wal(self) -> None:
        """Switch to WAL; SQLite does not wait its busy timeout for this one, so two first openers retry."""
        deadline = time.monotonic() + self._busy_seconds
        while True:
            try:
                with self._engine.connect() as connection:
                    raw = connection.connection.driver_connection
                    assert raw is not None
                    raw.execute("PRAGMA journal_mode = WAL")
                return
            except Exception as error:
                if "locked" not in str(error) or time.monotonic() > deadline:
                    raise
                time.sleep(0.05)

    @contextmanager
    def read(self, asked: str) -> Iterator[sa.Connection]:
        """One snapshot of the database.

        Raises:
            MachineError: the database fails.
        """
        with self._boundary(asked), self._engine.connect() as connection, connection.begin():
            yield connection

    @contextmanager
    def write(self, asked: str) -> Iterator[sa.Connection]:
        """One transaction that no other writer overlaps; rolled back when the block raises.

        Raises:
            MachineError: the database fails or stays locked.
        """
        writing = self._engine.connect().execution_options(bootcamp_write=True)
        with self._boundary(asked), writing as connection, connection.begin():
            if not self._sqlite:
                connection.execute(sa.select(meta).where(meta.c.key == "schema").with_for_update())
            yield connection

    def close(self) -> None:
        """Let go of the database."""
        self._engine.dispose()

    @contextmanager
    def _boundary(self, asked: str) -> Iterator[None]:
        import sqlite3

        try:
            yield
        except exc.DBAPIError as error:
            raise self._explained(asked, error.orig or error) from error
        except sqlite3.Error as error:
            raise self._explained(asked, error) from error

    def _explained(self, asked: str, error: BaseException) -> BootcampError:
        what = f"{asked} the review queue {self.name}" if asked == "opening" else f"{asked} (queue {self.name})"
        text = str(error)
        if "not a database" in text or "malformed" in text:
            return UsageError(what, f"the file is not a healthy SQLite database: {text}", "name another file")
        if "locked" in text:
            return MachineError(
                what,
                f"another process has held it locked for more than {self._busy_seconds:g} s",
                "wait for that process or end it, then try again; nothing was changed",
            )
        if "unable to open" in text:
            return MachineError(what, "the file cannot be opened", "check that folder and file may be read and written")
        if "readonly" in text:
            return MachineError(what, "the file is read-only", "make it writable, or copy it")
        return MachineError(what, text, "nothing was changed; see the message")


def _url(target: str | Path) -> tuple[sa.URL, Path | None]:
    if isinstance(target, str) and "://" in target:
        try:
            url = sa.make_url(target)
        except exc.ArgumentError as error:
            raise UsageError("opening the review queue", "not a database URL", "e.g. a path to a file") from error
        path = Path(url.database) if url.get_backend_name() == "sqlite" and url.database else None
        return url, path
    return sa.URL.create("sqlite", database=str(target)), Path(target)


def _check_path(path: Path, create: bool) -> None:
    asked = f"opening the review queue {path}"
    if path.is_dir():
        raise UsageError(asked, "it is a folder", "name a file")
    if path.exists():
        return
    if not create:
        raise UsageError(asked, "there is no such file", "run `bootcamp author` first, or name the right file")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise MachineError(asked, f"its folder cannot be made: {error}", "name a place that can be written") from error


def _prepare_connection(connection: Any, _record: object) -> None:
    """Leave transactions to ``_begin`` instead of the driver; keep what was committed through a power cut."""
    connection.isolation_level = None
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA foreign_keys = ON")


def _begin(connection: sa.Connection) -> None:
    writing = connection.get_execution_options().get("bootcamp_write")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writing else "BEGIN")
