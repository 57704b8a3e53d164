"""What a library holds in one commit, whatever else lies on the disk: files that git ignores count for nothing."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bootcamp_kit.errors import ReviewRuleError, UsageError
from bootcamp_kit.folder import EVIDENCE, TaskFolder
from review import evidence
from review.checkout import Checkout

_AT_FIRST, _AT_ONCE = 1, 64
"""How many files are read at a time: the first one mostly tells what is asked."""


@dataclass(frozen=True, slots=True)
class Committed:
    """A library as a commit has it."""

    checkout: Checkout
    commit: str

    def reports(self) -> Iterator[bytes]:
        """Every task's report, one after the other."""
        return self._files(evidence.REPORT)

    def merged(self, task_id: str) -> Iterator[tuple[str, str]]:
        """Address and content hash of each merged task of that id."""
        for address in self.checkout.places_of(self.commit, task_id):
            files = self.checkout.files(self.commit, self.checkout.path_of(address))
            task = {path: data for path, data in files.items() if not path.startswith(f"{EVIDENCE}/")}
            try:
                record = evidence.read_record(files.get(evidence.RECORD, b""), address)
                if record.get("approval"):
                    yield address, TaskFolder(task).content_hash
            except (ReviewRuleError, UsageError):
                continue

    def holds_tasks(self) -> bool:
        """Whether there is any task in it."""
        return next(self._files("card.toml"), None) is not None

    def _files(self, name: str) -> Iterator[bytes]:
        paths = [f"{self.checkout.path_of(address)}/{name}" for address in self._addresses()]
        at, count = 0, _AT_FIRST
        while at < len(paths):
            yield from self._read(paths[at : at + count])
            at, count = at + count, _AT_ONCE

    def _addresses(self) -> list[str]:
        """Every ``family/folder`` but hidden ones; a name with a line feed is none of ours."""
        families = [name for name in self.checkout.families(self.commit) if not name.startswith(".")]
        if not families:
            return []
        inside = self.checkout.path_of("")
        listing = self.checkout.run(
            "--literal-pathspecs", "ls-tree", "-d", "-z", "--name-only", self.commit, "--",
            *(f"{inside}{family}/" for family in families),
        )  # fmt: skip
        names = [name for name in os.fsdecode(listing).split("\0") if name and "\n" not in name]
        return [name.removeprefix(inside) for name in names]

    def _read(self, paths: Sequence[str]) -> Iterator[bytes]:
        """Those that are there, in order."""
        asked = "".join(f"{self.commit}:{path}\n" for path in paths)
        out = self.checkout.run("cat-file", "--batch", stdin=os.fsencode(asked))
        for _ in paths:
            head, _, out = out.partition(b"\n")
            if head.endswith(b" missing"):
                continue
            kind, size = head.split()[-2:]
            data, out = out[: int(size)], out[int(size) + 1 :]
            if kind == b"blob":
                yield data
