"""The task library: list it without running anything, load what a person approved, sample and score cases.

::

    from bootcamp_kit.library import load
    task = load("seat_rotation")
    case = task.case(level=2, seed=7)
    print(task.prompt(case))
    print(task.score(case, "… <answer>12</answer>"))

Identity is the id, never the path. There is no registry file: the catalogue is the folders ``<family>/<id>/card.toml``.
"""

from __future__ import annotations

import importlib.util
import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from bootcamp_kit.card import Card
from bootcamp_kit.case import Case, Score
from bootcamp_kit.contract import Bootcamp
from bootcamp_kit.errors import BootcampError, UsageError
from bootcamp_kit.folder import TaskFolder, read_plain
from bootcamp_kit.jsondata import canonical
from bootcamp_kit.seeds import rng_for
from bootcamp_kit.tomldata import read_toml

ENVIRONMENT_KEY = "BOOTCAMP_LIBRARY"
ANOTHER = f"another library is named by {ENVIRONMENT_KEY} (Python reads no bootcamp.toml) or load(ID, root=…)"


@dataclass(frozen=True, slots=True)
class Entry:
    """One folder of the library, known by its card alone."""

    card: Card
    path: Path


@dataclass(frozen=True, slots=True)
class Problem:
    """A folder that could not be read as a task, and why."""

    path: Path
    reason: str


@dataclass(frozen=True, slots=True)
class Task:
    """A loaded task. Its code runs in this process; :func:`load` lets only approved bytes come this far."""

    card: Card
    content_hash: str
    bootcamp: Bootcamp

    def case(self, level: int, seed: int) -> Case:
        """The case at (level, seed), its payload after a JSON round trip; the same in every process.

        Raises:
            UsageError: no such level.
        """
        return make_case(self.bootcamp, self.card, level, seed)

    def cases(self, level: int, *, start: int = 0) -> Iterator[Case]:
        """Endless cases of one level, seeds ``start, start + 1, …``."""
        seed = start
        while True:
            yield self.case(level, seed)
            seed += 1

    def prompt(self, case: Case) -> str:
        """The text for a solver."""
        return self.bootcamp.prompt(case)

    def score(self, case: Case, response: str) -> Score:
        """Parse and verify a raw response. A crash of the verifier propagates; it is not a score."""
        return Bootcamp.score(self.bootcamp, case, response)


def make_case(bootcamp: Bootcamp, card: Card, level: int, seed: int) -> Case:
    """Generate one case the only way there is: seeded by (id, level, seed), parameters from the card, JSON payload.

    Raises:
        UsageError: no such level.
    """
    params = card.difficulty.params(level)
    payload = json.loads(canonical(bootcamp.generate(rng_for(card.id, level, seed), params)))
    return Case(card.id, level, seed, params, payload)


@dataclass(frozen=True, slots=True)
class Library:
    """A folder of task folders."""

    root: Path

    @classmethod
    def default(cls) -> Library:
        """``$BOOTCAMP_LIBRARY``, else the installed ``generated_bootcamps``.

        ``bootcamp.toml`` is not looked for: a trainer's worker may stand in any folder, and what a file there names
        would be imported into it.

        Raises:
            UsageError: neither is there.
        """
        named = os.environ.get(ENVIRONMENT_KEY)
        if named:
            if not Path(named).is_dir():
                raise UsageError(
                    f"task library {named}", "not a folder", f"set {ENVIRONMENT_KEY} to a library checkout"
                )
            return cls(Path(named))
        spec = importlib.util.find_spec("generated_bootcamps")
        if spec is None or not spec.submodule_search_locations:
            raise UsageError("task library", "none is installed", f"set {ENVIRONMENT_KEY} to a library checkout")
        return cls(Path(next(iter(spec.submodule_search_locations))))

    def scan(self) -> tuple[list[Entry], list[Problem]]:
        """Read every card, by id; and the folders that hold no readable card. No task code is run.

        Retired tasks are among them; :meth:`offered` leaves these out.
        """
        entries: dict[str, Entry] = {}
        problems: list[Problem] = []
        for folder in self._folders():
            try:
                card = Card.parse(read_plain(folder / "card.toml"))
                if (card.family, card.id) != folder.parts[-2:]:
                    raise UsageError(f"task {card.id}", f"it stands in {folder.name}", f"its place is {card.address}")
                if card.id in entries:
                    raise UsageError(f"task {card.id}", f"also in {entries[card.id].path}", "an id is used once")
                entries[card.id] = Entry(card, folder)
            except FileNotFoundError:
                continue  # a folder of something else
            except (BootcampError, OSError) as error:
                problems.append(Problem(folder, str(error)))
        return sorted(entries.values(), key=lambda entry: entry.card.id), problems

    def offered(self) -> list[Entry]:
        """The tasks to choose from: all that can be read and are not retired."""
        return [entry for entry in self.scan()[0] if retired_because(entry.path) is None]

    def _folders(self) -> list[Path]:
        """``*/*`` of the root, where these are folders. Twenty times as fast as a glob."""
        found = [family.path for family in _entries(self.root)]
        return [Path(path) for path in sorted(entry.path for family in found for entry in _entries(family))]

    def entry(self, task_id: str) -> Entry:
        """One task's entry.

        Raises:
            UsageError: unknown id; says which ids are near.
        """
        import difflib

        entries, problems = self.scan()
        for entry in entries:
            if entry.card.id == task_id:
                return entry
        for problem in problems:
            if problem.path.name == task_id:
                raise UsageError(f"task {task_id}", f"its folder is broken: {problem.reason}", "repair or remove it")
        near = difflib.get_close_matches(task_id, [entry.card.id for entry in entries], n=3)
        raise UsageError(
            f"task {task_id[:80]!r}",
            f"not among the {len(entries)} tasks of {self.root}",
            f"did you mean {', '.join(near)}? " + ANOTHER if near else f"see `bootcamp library list`; {ANOTHER}",
        )

    def load(self, task_id: str) -> Task:
        """Import one approved task.

        Raises:
            UsageError: unknown id, no approval in its evidence, or bytes that differ from the approved ones.
            Exception: what the task's module raises while it is imported.
        """
        from bootcamp_kit.loading import load_bootcamp, package_name

        entry = self.entry(task_id)
        folder = TaskFolder.read(entry.path)
        approved = approved_hash(entry.path)
        if approved != folder.content_hash:
            found = (
                "it carries no approval" if approved is None else "its bytes differ from the ones that were approved"
            )
            raise UsageError(
                f"loading task {task_id}",
                found,
                f"take the approved bytes back (git checkout -- {entry.path}), or have these reviewed",
            )
        package = package_name(folder.sources)
        return Task(folder.card, folder.content_hash, load_bootcamp(package, folder.exported))


def _entries(place: Path | str) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(place) as found:
            return [entry for entry in found if entry.is_dir()]
    except OSError:  # not there, or not ours to read
        return []


def approved_hash(path: Path) -> str | None:
    """The content hash that ``evidence/record.toml`` says was approved, or None."""
    return approved_and_retired(path)[0]


def retired_because(path: Path) -> str | None:
    """Why a task is no longer offered, or None. It can still be loaded, by those who pinned it."""
    data = _record(path)
    if b"retired" not in data and b"\\" not in data:  # no such key, and none spelt with escapes: most of the shelf
        return None
    return _approved_and_retired(data)[1]


def approved_and_retired(path: Path) -> tuple[str | None, str | None]:
    """The content hash that a task's record says was approved, and why the task is no longer offered."""
    return _approved_and_retired(_record(path))


def _record(path: Path) -> bytes:
    """``evidence/record.toml``; empty where there is none that can be read."""
    try:
        return read_plain(path / "evidence" / "record.toml")
    except (OSError, UsageError):
        return b""


def _approved_and_retired(data: bytes) -> tuple[str | None, str | None]:
    try:
        record = read_toml(data)
    except ValueError:
        return None, None
    approval, retired = record.get("approval"), record.get("retired")
    found = approval.get("content_hash") if isinstance(approval, dict) else None
    because = str(retired.get("reason", "no reason recorded")) if isinstance(retired, dict) and retired else None
    return (found if isinstance(found, str) else None), because


def load(task_id: str, *, root: Path | str | None = None) -> Task:
    """Load one approved task from ``root`` or the default library; see :meth:`Library.load` for errors."""
    return (Library(Path(root)) if root is not None else Library.default()).load(task_id)
