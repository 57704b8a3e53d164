"""A real PostgreSQL server of our own: started under a temporary folder, reached through a socket in it."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


def binaries() -> Path | None:
    """The folder that holds ``initdb``, ``pg_ctl`` and ``postgres``."""
    found = [Path(path).resolve().parent for name in ("pg_ctl",) if (path := shutil.which(name))]
    found += sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    return next((folder for folder in found if all((folder / name).exists() for name in ("initdb", "pg_ctl"))), None)


class Server:
    """A running server."""

    def __init__(self, root: Path, folder: Path) -> None:
        self._root, self._folder = root, folder
        self._user = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"] if os.geteuid() == 0 else []
        self._made = 0

    def run(self, name: str, *arguments: str) -> None:
        command = [*self._user, str(self._folder / name), *arguments]
        log = self._root / "log"
        with log.open("ab") as said:
            done = subprocess.run(
                command, cwd=self._root, stdin=subprocess.DEVNULL, stdout=said, stderr=said, timeout=60
            )
        assert done.returncode == 0, log.read_text()

    def start(self) -> None:
        options = f"-k {self._root} -h '' -c fsync=off -c max_connections=30"
        self.run("pg_ctl", "-D", str(self._root / "data"), "-w", "-o", options, "start")

    def stop(self) -> None:
        self.run("pg_ctl", "-D", str(self._root / "data"), "-w", "-m", "immediate", "stop")

    def url(self, database: str) -> str:
        return f"postgresql://postgres@/{database}?host={self._root}"

    def new_database(self) -> str:
        """The URL of a fresh, empty database."""
        import psycopg

        self._made += 1
        name = f"queue_{self._made}"
        with psycopg.connect(dbname="postgres", user="postgres", host=str(self._root), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}")
        return self.url(name)


@contextmanager
def running(root: Path, folder: Path) -> Iterator[Server]:
    """A server that ends with the block."""
    root.mkdir()
    for parent in (root, *root.parents):
        if parent == Path("/tmp") or parent == parent.parent:
            break
        parent.chmod(0o755)
    if os.geteuid() == 0:
        shutil.chown(root, "postgres", "postgres")
    server = Server(root, folder)
    server.run("initdb", "-D", str(root / "data"), "-A", "trust", "-U", "postgres", "-E", "UTF8", "--no-sync")
    server.start()
    try:
        yield server
    finally:
        server.stop()
