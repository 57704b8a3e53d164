"""Tasks of another library as task folders, so that evaluation, export and service take them like our own.

Nothing of the library runs on this machine outside the sandbox. A folder's hash covers the library's files through the
image they are packed into: another version of the library is another task.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import resources
from itertools import islice
from pathlib import Path

import tomli_w

from bootcamp_kit.card import Card
from bootcamp_kit.case import Case
from bootcamp_kit.errors import MachineError, UsageError
from bootcamp_kit.folder import TaskFolder
from bootcamp_kit.jsondata import digest
from evaluation.boxes import Boxes
from evaluation.plan import CaseRef
from evaluation.scoring import Judgement, MadeCase, Unscored, make_cases
from sandbox.audit.foreign.asking import ADAPTERS
from sandbox.audit.foreign.library import opened
from sandbox.service import Sandbox, SandboxSettings

SECONDS_PER_CALL = 60.0
"""The first call of a process imports the library."""
MEMORY_MB = 2_048
BARE = frozenset({"reasoning_gym"})
"""Libraries whose scorers want the answer alone."""
AHEAD = 32
_ORACLE = b'''\
"""The library's stored answer, where it has one."""

from bootcamp_kit.contract import Oracle


class Stored(Oracle):
    """Says what is stored."""

    def solve(self, case):
        return f"<answer>{case.payload['answer']}</answer>"


ORACLE = Stored()
'''


@dataclass(frozen=True, slots=True)
class ForeignLibrary:
    """A library in an open sandbox.

    Attributes:
        sandbox: Has the library's files in its image.
        folders: Task id → its folder.
    """

    sandbox: Sandbox
    folders: Mapping[str, TaskFolder]

    def choose(self, names: Sequence[str]) -> list[TaskFolder]:
        """Tasks by id or by the library's own name; ``all`` for all.

        Raises:
            UsageError: none of that name.
        """
        found: dict[str, TaskFolder] = {}
        for name in names:
            if name == "all":
                found |= self.folders
                continue
            known = name if name in self.folders else task_id_of(name)
            if known not in self.folders:
                some = ", ".join(islice(self.folders, 10))
                raise UsageError(f"foreign task {name[:80]!r}", "the library has no such task", f"it has {some}, …")
            found[known] = self.folders[known]
        return list(found.values())

    def boxes(self, folders: Mapping[str, TaskFolder]) -> Boxes:
        """Boxes for tasks of this library.

        Raises:
            UsageError: one of them is of another version of it.
        """
        for name, folder in folders.items():
            now = self.folders.get(name)
            if now is None or now.content_hash != folder.content_hash:
                found = "the library's files, or the adapter of this program, are others than when the run was begun"
                raise UsageError(f"foreign task {name}", found, "start a new run")
        return Boxes(folders, self.sandbox, held=True)


@contextmanager
def open_library(
    settings: SandboxSettings,
    library: str,
    roots: Sequence[Path],
    tell: Callable[[str], None],
    *,
    licence: str = "unknown",
) -> Iterator[ForeignLibrary]:
    """Pack the folders into an image, ask the library for its tasks.

    Raises:
        UsageError: no such library, not a folder, or it cannot be imported.
        MachineError: the engine failed.
    """
    with opened(settings, library, roots, tell) as run:
        image = run.sandbox.settings.base_image
        folders = {task_id_of(name): _folder(library, name, image, licence) for name in run.names()}
        yield ForeignLibrary(run.sandbox, dict(sorted(folders.items())))


def task_id_of(name: str) -> str:
    """An id for a foreign name: the name itself where it can be one, else with a hash: ``t_puzzles_kakuro2_1f…``."""
    plain = re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_")
    if plain == name and re.fullmatch(r"[a-z][a-z0-9_]{2,50}", name):
        return name
    return f"t_{plain[:40]}_{digest(name.encode())[:8]}"


class SandboxedTask:
    """A task whose cases are made in the sandbox, with the methods that an export asks of a loaded one.

    Cases are made some seeds ahead: exports walk seeds in order.
    """

    def __init__(self, folder: TaskFolder, boxes: Boxes) -> None:
        self.card: Card = folder.card
        self.content_hash = folder.content_hash
        self._ask = boxes.asker(folder.card.id)
        self._made: dict[tuple[int, int], MadeCase | Judgement] = {}

    def case(self, level: int, seed: int) -> Case:
        """The case at (level, seed).

        Raises:
            UsageError: no such level, or it could not be made: the message says why.
            MachineError: the sandbox failed.
        """
        if (level, seed) not in self._made:
            self._made.clear()
            refs = [CaseRef(level, seed + number) for number in range(AHEAD)]
            made = make_cases(self._ask, self.card.id, self.card.difficulty.params, refs)
            self._made = {(ref.level, ref.seed): item for ref, item in zip(refs, made, strict=True)}
        found = self._made[level, seed]
        if isinstance(found, Judgement):
            if found.unscored is Unscored.MACHINE:
                raise MachineError(f"making cases of {self.card.id}", found.detail, "check with `bootcamp doctor`")
            raise UsageError(f"case {self.card.id}/{level}/{seed}", f"{found.unscored}: {found.detail}", "")
        return found.case

    def prompt(self, case: Case) -> str:
        """Its prompt."""
        found = self._made[case.level, case.seed]
        assert isinstance(found, MadeCase)
        return found.prompt


def _folder(library: str, name: str, image: str, licence: str) -> TaskFolder:
    card = {
        "id": task_id_of(name),
        "version": "1.0.0",
        "title": name[:200],
        "summary": f"{library}: {name}"[:300],
        "family": library,
        "tags": ["foreign"],
        "solutions": "any",
        "author": library,
        "answer": {"kind": "text", "format": "as the library asks", "example": "<answer>…</answer>"},
        "source": {"kind": "brief", "name": library, "licence": licence, "sha256": digest(image.encode())},
        "difficulty": {"axes": {"configuration": ["default"]}},
        "limits": {"seconds_per_call": SECONDS_PER_CALL, "memory_mb": MEMORY_MB},
    }
    adapter = resources.files("sandbox.audit.foreign").joinpath(ADAPTERS[library]).read_bytes()
    named = f'"""Which task this is."""\n\nNAME = {name!r}\nBARE = {library in BARE}\n'
    return TaskFolder(
        {
            "card.toml": tomli_w.dumps(card).encode(),
            "brief.md": f"{name} of {library}, as it is.\n".encode(),
            "bootcamp.py": resources.files("evaluation").joinpath("foreign_guest.py").read_bytes(),
            "adapter.py": adapter,
            "foreign_name.py": named.encode(),
            "oracle.py": _ORACLE,
            "examples.toml": b"",
        }
    )
