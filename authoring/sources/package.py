"""The files of a problem package: named by strangers, read inside its folder only, and capped in number and size."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path, PurePosixPath

from authoring.sources import languages
from authoring.sources.files import MAX_FILE_BYTES, check_regular, read_text
from authoring.sources.foreign import MAX_TEST_CHARS
from bootcamp_kit.brief import Sample, Solution
from bootcamp_kit.errors import UsageError

MAX_LISTED = 2_000
MAX_DEPTH = 5
PREFERRED = ("python3", "python2", "cpp", "c", "java")
_BY_SUFFIX = {
    ".cc": "cpp", ".cpp": "cpp", ".cxx": "cpp", ".c++": "cpp", ".c": "c", ".java": "java", ".kt": "kotlin",
    ".rs": "rust", ".go": "go", ".rb": "ruby", ".js": "javascript", ".cs": "csharp", ".hs": "haskell", ".pas": "pascal",
    ".php": "php", ".ml": "ocaml", ".scala": "scala", ".lisp": "lisp", ".pl": "prolog",
}  # fmt: skip


class Package:
    """Reads below one folder.

    Args:
        path: The folder, as the user named it.
        root: The resolved folder links may not leave; ``path`` lies in it.

    Attributes:
        notes: What was left out on the way, and why.
    """

    def __init__(self, path: Path, *, root: Path) -> None:
        self.path = path
        self.inside = path.resolve()
        if not self.inside.is_relative_to(root):
            raise UsageError(f"folder {path}", "a link out of the folder", "copy the files instead")
        self.notes: list[str] = []

    def has(self, name: str) -> bool:
        """Whether there is something of that name."""
        place = self._place(name)
        return place.exists() or place.is_symlink()

    def text(self, name: str) -> str:
        """One file's text.

        Raises:
            UsageError: the name leaves the package, or it is missing, too large, no file or not UTF-8.
        """
        return read_text(self._place(name), root=self.inside)

    def listed(self, folder: str) -> list[str]:
        """Every file below a folder, as names inside the package, in the order people number them; [] without one.

        Raises:
            UsageError: too many or too deep.
        """
        top = self._place(folder)
        if not top.is_dir():
            return []
        if not top.resolve().is_relative_to(self.inside):
            raise UsageError(f"folder {top}", "a link out of the folder", "copy the files instead")
        found: list[str] = []
        for current, folders, files in os.walk(top):
            here = Path(current)
            folders[:] = sorted(name for name in folders if not name.startswith("."))
            if len(here.relative_to(top).parts) > MAX_DEPTH:
                raise UsageError(f"folder {here}", f"more than {MAX_DEPTH} deep", "flatten it")
            found += [(here / name).relative_to(self.path).as_posix() for name in files if not name.startswith(".")]
            if len(found) > MAX_LISTED:
                raise UsageError(f"folder {top}", f"more than {MAX_LISTED:,} files", "leave the generated tests out")
        return sorted(found, key=_natural)

    def samples(self, folder: str, answer: str = ".ans") -> tuple[Sample, ...]:
        """Pairs NAME.in and NAME.ans below a folder; a pair that cannot be a test is left out with a note."""
        names = set(self.listed(folder))
        pairs = [(name, name[:-3] + answer) for name in sorted(names, key=_natural) if name.endswith(".in")]
        return self.pairs([pair for pair in pairs if pair[1] in names], folder)

    def pairs(self, pairs: Sequence[tuple[str, str]], what: str) -> tuple[Sample, ...]:
        """Input and output files as samples; one that is too large or no text is left out with a note.

        Raises:
            UsageError: a name or a link that leaves the package.
        """
        found, lost = [], 0
        for pair in pairs:
            sizes = [check_regular(self._place(name), root=self.inside) for name in pair]
            if sum(sizes) > 4 * MAX_TEST_CHARS:
                lost += 1
                continue
            try:
                found.append(Sample(*(self.text(name) for name in pair)))
            except UsageError as error:
                if "UTF-8" not in error.found and "NUL" not in error.found:
                    raise
                lost += 1
        if lost:
            self.notes.append(f"of {len(pairs)} tests of {what} left out, too large or no text: {lost}")
        return tuple(found)

    def programs(self, folder: str) -> tuple[Solution, ...]:
        """The programs of one file each below a folder, those in well-known languages first, then the shortest."""
        names = self.listed(folder)
        several = {PurePosixPath(name).parent.as_posix() for name in names} - {folder}
        if several:
            self.notes.append(f"programs of several files below {folder} left out: {len(several)}")
        found = [self.program(name) for name in names if PurePosixPath(name).parent.as_posix() == folder]
        return by_preference([program for program in found if program])

    def program(self, name: str) -> Solution | None:
        """One program; None, with a note, where it is no readable text or of no known language.

        Raises:
            UsageError: a name or a link that leaves the package.
        """
        if check_regular(self._place(name), root=self.inside) > MAX_FILE_BYTES:
            self.notes.append(f"{name} left out: too large")
            return None
        try:
            code = self.text(name)
        except UsageError as error:
            if "UTF-8" not in error.found and "NUL" not in error.found:
                raise
            self.notes.append(f"{name} left out: not UTF-8 text")
            return None
        suffix = PurePosixPath(name).suffix.lower()
        language = languages.detect(code) if suffix == ".py" else _BY_SUFFIX.get(suffix, "")
        return Solution(language, code, name=name) if language else None

    def _place(self, name: str) -> Path:
        parts = PurePosixPath(name).parts
        if not parts or PurePosixPath(name).is_absolute() or ".." in parts or "\\" in name or "\0" in name:
            raise UsageError(f"package {self.path}", f"it names the file {name[:100]!r}", "name files inside it only")
        return self.path.joinpath(*parts)


def by_preference(programs: Sequence[Solution]) -> tuple[Solution, ...]:
    """Well-known languages first, then the shortest."""
    order = {language: number for number, language in enumerate(PREFERRED)}
    return tuple(sorted(programs, key=lambda item: (order.get(item.language, len(order)), len(item.code), item.name)))


def _natural(name: str) -> list[tuple[int, str]]:
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in re.split(r"(\d{1,9})", name) if part]
