"""What a client may send, and how often."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from authoring.drafts import ASKED_FOR, MAX_FILE_CHARS
from bootcamp_kit.errors import UsageError

MAX_NAME_CHARS = 60
_PLAIN = re.compile(r"[^A-Za-z0-9 ._/@+-]+")


@dataclass(frozen=True, slots=True)
class DeskLimits:
    """Of one run.

    Attributes:
        turns: Drafts and repairs for each brief, usable or not.
        file_chars: Characters of one file.
    """

    turns: int = 40
    file_chars: int = MAX_FILE_CHARS

    def __post_init__(self) -> None:
        if self.turns < 1 or not 1 <= self.file_chars <= MAX_FILE_CHARS:
            raise UsageError("limits of a desk", f"{self}", f"at least one turn, at most {MAX_FILE_CHARS:,} characters")


def checked_files(files: Mapping[str, str], limits: DeskLimits) -> dict[str, str]:
    """The files, each ending in one newline, if their names are those asked for and their sizes fit.

    Raises:
        UsageError: names the file.
    """
    for name, text in files.items():
        if name not in ASKED_FOR:
            raise UsageError(f"file {name[:80]!r}", "not asked for", f"the files are {', '.join(ASKED_FOR)}")
        if len(text) > limits.file_chars:
            raise UsageError(f"file {name}", f"{len(text):,} characters", f"at most {limits.file_chars:,}")
        try:
            text.encode("utf-8")
        except UnicodeEncodeError:
            raise UsageError(f"file {name}", "characters that are not valid Unicode", "send plain text") from None
    return {name: text.replace("\r\n", "\n").strip("\n") + "\n" for name, text in files.items()}


def author_name(given: str) -> str:
    """The name a client gives itself, as it stands in card and lineage: ``agent:NAME``; of plain characters, short."""
    plain = " ".join(_PLAIN.sub(" ", given).split())[:MAX_NAME_CHARS].strip()
    return f"agent:{plain or 'unnamed'}"
