"""The review database: opening, migrating, transactions, and clear words for what can go wrong with it.

SQLAlchemy Core; SQLite by default (WAL, busy timeout), so several processes on one machine may use one file; PostgreSQL
by URL for several machines. Writers are serialised: ``BEGIN IMMEDIATE`` on SQLite, a lock on the schema row on
PostgreSQL. Reads see one snapshot. Events can only be added: triggers refuse UPDATE and DELETE.

Not covered: other databases that SQLAlchemy can reach are refused.
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
from review import migrations, schema

BUSY_SECONDS = 15.0
_CREATION_LOCK = 0x626F6F74
_DRIVERS = {"postgres": "postgresql+psycopg", "postgresql": "postgresql+psycopg"}
_UNREACHABLE = ("connection failed", "connection is bad", "connection timeout", "terminating connection", "is lost")
_KNOWN = ("sqlite", "postgresql")


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
        self._path = path
        if path is not None:
            _check_path(path, create)
        try:
            self._engine = sa.create_engine(url, **self._options(url))
        except (exc.ArgumentError, ImportError) as error:
            raise UsageError(
                f"opening the review queue {self.name}",
                f"the database or its driver is not there: {error}",
                "use a path to a SQLite file, or a postgresql:// URL (needs: pip install 'bootcamp-foundry[postgres]')",
            ) from error
        self._sqlite = self._engine.dialect.name == "sqlite"
        if self._sqlite:
            event.listen(self._engine, "connect", _prepare_connection)
            event.listen(self._engine, "begin", _begin)
        try:
            self._open(create)
        except BaseException:
            self._engine.dispose()
            raise

    def _options(self, url: sa.URL) -> dict[str, Any]:
        if url.get_backend_name() == "sqlite":
            return {"poolclass": NullPool, "connect_args": {"timeout": self._busy_seconds}}
        wait = f"-c lock_timeout={int(self._busy_seconds * 1000)}"
        return {
            "pool_size": 2,
            "pool_pre_ping": True,
            "connect_args": {"connect_timeout": max(2, int(self._busy_seconds)), "options": wait},
        }

    def _open(self, create: bool) -> None:
        with self._boundary("opening"):
            if self._sqlite:
                self._use_wal()
            found = self._version()
            if found is None and not create:
                raise UsageError(f"opening the review queue {self.name}", "it is empty", "run `bootcamp author` first")
            if found != str(schema.SCHEMA_VERSION):
                self._bring_up_to_date()

    def _bring_up_to_date(self) -> None:
        """Create or migrate in one transaction; whoever comes second finds it done."""
        with self._engine.connect().execution_options(bootcamp_write=True) as connection, connection.begin():
            if not self._sqlite:
                connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_CREATION_LOCK})")
            found = self._read_version(connection)
            if found is None:
                schema.create(connection)
                return
            number = int(found) if found.isdecimal() else -1
            if number == schema.SCHEMA_VERSION:
                return
            if not migrations.OLDEST <= number < schema.SCHEMA_VERSION:
                raise UsageError(
                    f"opening the review queue {self.name}",
                    f"its schema is version {found}, this program reads version {schema.SCHEMA_VERSION}",
                    "upgrade this program"
                    if number > schema.SCHEMA_VERSION
                    else "open it with the version that wrote it, or start a new queue",
                )
            migrations.migrate(connection, number)

    def _version(self) -> str | None:
        """The schema version that is written in the database; None when it holds nothing yet."""
        with self._engine.connect() as connection, connection.begin():
            return self._read_version(connection)

    def _read_version(self, connection: sa.Connection) -> str | None:
        present = set(sa.inspect(connection).get_table_names())
        if schema.meta.name in present:
            return str(connection.scalar(sa.select(schema.meta.c.value).where(schema.meta.c.key == "schema")))
        if present and self._sqlite:
            raise UsageError(
                f"opening the review queue {self.name}",
                "it is a database of something else",
                "name a file that is a review queue or does not exist yet",
            )
        return None

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
        self._check_there(asked)
        options = {} if self._sqlite else {"isolation_level": "REPEATABLE READ"}
        with (
            self._boundary(asked),
            self._engine.connect().execution_options(**options) as connection,
            connection.begin(),
        ):
            yield connection

    @contextmanager
    def write(self, asked: str) -> Iterator[sa.Connection]:
        """One transaction that no other writer overlaps; rolled back when the block raises.

        Raises:
            MachineError: the database fails or stays locked.
        """
        self._check_there(asked)
        with (
            self._boundary(asked),
            self._engine.connect().execution_options(bootcamp_write=True) as connection,
            connection.begin(),
        ):
            if not self._sqlite:
                connection.execute(sa.select(schema.meta).where(schema.meta.c.key == "schema").with_for_update())
            yield connection

    def _check_there(self, asked: str) -> None:
        """SQLite would make an empty file in the place of one that is gone."""
        if self._path is not None and not self._path.exists():
            raise MachineError(
                f"{asked} (queue {self.name})", "its file is gone since it was opened", "put it back, and start again"
            )

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
        if "locked" in text or "lock timeout" in text:
            return MachineError(
                what,
                f"another process has held it locked for more than {self._busy_seconds:g} s",
                "wait for that process or end it, then try again; nothing was changed",
            )
        if "unable to open" in text:
            return MachineError(what, "the file cannot be opened", "check that folder and file may be read and written")
        if "readonly" in text:
            return MachineError(what, "the file is read-only", "make it writable, or copy it")
        if any(words in text for words in _UNREACHABLE):
            said = text.strip().split("\n")[0].split(" Multiple connection attempts")[0]
            return MachineError(what, f"the database cannot be reached: {said}", "check the URL and the server")
        return MachineError(what, text, "nothing was changed; see the message")


def _url(target: str | Path) -> tuple[sa.URL, Path | None]:
    if isinstance(target, str) and "://" in target:
        try:
            url = sa.make_url(target)
        except exc.ArgumentError as error:
            raise UsageError("opening the review queue", "not a database URL", "e.g. a path to a file") from error
        url = url.set(drivername=_DRIVERS.get(url.drivername, url.drivername))
        if url.get_backend_name() not in _KNOWN:
            raise UsageError(
                f"opening the review queue {url.render_as_string(hide_password=True)}",
                f"{url.get_backend_name()} has no driver here",
                "use a path to a SQLite file, or a postgresql:// URL",
            )
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
