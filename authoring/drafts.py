"""Reads the files out of a model's reply: tolerant about decoration, strict about everything that would need a guess.

A reply holds files between these lines, with prose around them if the model likes::

    === FILE bootcamp.py ===
    …
    === END FILE ===

A file's name is compared with the four that are asked for and never becomes a path. Nothing here runs what was written.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from enum import StrEnum

from bootcamp_kit.errors import UsageError
from bootcamp_kit.folder import TaskFolder
from chat_models.protocol import ChatReply, StopReason

ASKED_FOR = ("card.toml", "bootcamp.py", "oracle.py", "examples.toml")
MAX_FILE_CHARS = 200_000
MAX_SHOWN = 80
_MARK = r"[ \t]*[*`_]{0,3}"
_OPEN = re.compile(rf"{_MARK}={{3,}}[ \t]*FILE[ \t:]+([^=\r\n]{{1,200}}?)[ \t]*={{3,}}{_MARK}[ \t]*")
_CLOSE = re.compile(
    rf"{_MARK}={{3,}}[ \t]*END(?:[ \t]+OF)?[ \t]+FILE(?:[ \t:]+[^=\r\n]{{1,200}}?)?[ \t]*={{3,}}{_MARK}[ \t]*"
)
_FENCE = re.compile(r"[ \t]*(?:```|~~~)[ \t]*[\w.+-]{0,20}[ \t]*")


class ProblemKind(StrEnum):
    """What can be wrong with a reply."""

    PROSE = "prose"
    TRUNCATED = "truncated"
    UNCLOSED = "unclosed file"
    FILE_NAME = "file name"
    TWICE = "file given twice"
    TOO_LARGE = "too large"
    MISSING = "missing file"
    SYNTAX = "syntax"
    CONTRACT = "wrong contract"
    CARD = "card"
    EXAMPLES = "examples"
    UNCHANGED = "unchanged"


class DraftProblem(Exception):
    """A reply that is no usable draft; the message says what to do about it, to the model."""

    def __init__(self, kind: ProblemKind, message: str) -> None:
        super().__init__(f"{kind}: {message}")
        self.kind, self.message = kind, message


def read_files(reply: ChatReply, allowed: Sequence[str] = ASKED_FOR) -> dict[str, str]:
    """The files of a reply, by name, each ending in one newline; only those of ``allowed`` names.

    Raises:
        DraftProblem: no file, half a file, a file that was not asked for, one file in two versions.
    """
    files: dict[str, str] = {}
    name, lines = "", list[str]()
    for line in reply.text.replace("\r\n", "\n").split("\n"):
        opened = _OPEN.fullmatch(line) if "FILE" in line else None
        if opened or (name and "FILE" in line and _CLOSE.fullmatch(line)):
            if opened and name:
                raise DraftProblem(ProblemKind.UNCLOSED, f"{name} has no `=== END FILE ===` line before the next file")
            if opened:
                name, lines = _asked_for(opened[1], allowed), []
            else:
                _keep(files, name, lines)
                name = ""
        elif name:
            lines.append(line)
    cut = reply.stop is StopReason.LENGTH
    if name:
        why = "the reply reached its length limit" if cut else "the reply ends without `=== END FILE ===`"
        raise DraftProblem(ProblemKind.TRUNCATED, f"{name} is cut off: {why}. Write everything again, shorter")
    if not files:
        why = (
            "the reply reached its length limit before a file began; think less and write the files"
            if cut
            else ("the reply holds no `=== FILE name ===` … `=== END FILE ===` block; reply with the files")
        )
        raise DraftProblem(ProblemKind.TRUNCATED if cut else ProblemKind.PROSE, why)
    return files


def require_all(files: Mapping[str, str], stop: StopReason) -> None:
    """A first draft needs every file.

    Raises:
        DraftProblem: names the missing ones.
    """
    missing = [name for name in ASKED_FOR if name not in files]
    if missing and stop is StopReason.LENGTH:
        raise DraftProblem(
            ProblemKind.TRUNCATED,
            f"the reply reached its length limit before {', '.join(missing)}. Write everything again, shorter",
        )
    if missing:
        raise DraftProblem(ProblemKind.MISSING, f"there is no {', '.join(missing)}; give all of {', '.join(ASKED_FOR)}")


def changed_files(files: Mapping[str, str], current: TaskFolder) -> dict[str, str]:
    """The files of a repair that differ from what is there.

    Raises:
        DraftProblem: none does.
    """
    changed = {name: text for name, text in files.items() if text.encode("utf-8", "replace") != current.files.get(name)}
    if not changed:
        raise DraftProblem(ProblemKind.UNCHANGED, "every file is as it was; change what the findings are about")
    return changed


def build_folder(files: Mapping[str, bytes]) -> TaskFolder:
    """A task folder of whole files.

    Raises:
        DraftProblem: past a size cap.
    """
    try:
        return TaskFolder(files)
    except UsageError as error:
        raise DraftProblem(ProblemKind.TOO_LARGE, f"{error.asked}: {error.found}") from error


def syntax_problem(name: str, error: SyntaxError) -> DraftProblem:
    """A syntax error with the line it is in: told the number alone, a model mends another line or none."""
    line = f", in {shown(error.text.strip())}" if error.text and error.text.strip() else ""
    return DraftProblem(ProblemKind.SYNTAX, f"{name} line {error.lineno}: {shown(str(error.msg))}{line}")


def shown(text: str) -> str:
    """Untrusted text in a message: short, ASCII, quoted."""
    return ascii(text[:MAX_SHOWN]) + ("…" if len(text) > MAX_SHOWN else "")


def _asked_for(name: str, allowed: Sequence[str]) -> str:
    plain = name.strip().strip("`*'\"")
    if plain not in allowed:
        raise DraftProblem(
            ProblemKind.FILE_NAME, f"{shown(plain)} was not asked for; the files are {', '.join(allowed)}"
        )
    return plain


def _keep(files: dict[str, str], name: str, lines: list[str]) -> None:
    text = "\n".join(_unfenced(lines)).strip("\n") + "\n"
    if len(text) > MAX_FILE_CHARS:
        raise DraftProblem(ProblemKind.TOO_LARGE, f"{name} has {len(text)} characters, more than {MAX_FILE_CHARS}")
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        raise DraftProblem(ProblemKind.SYNTAX, f"{name} holds characters that are not valid Unicode") from None
    if files.get(name, text) != text:
        raise DraftProblem(ProblemKind.TWICE, f"{name} is given twice with different text; give each file once")
    files[name] = text


def _unfenced(lines: list[str]) -> list[str]:
    """Without one Markdown code fence around the whole file."""
    filled = [number for number, line in enumerate(lines) if line.strip()]
    if len(filled) < 2:
        return lines
    first, last = filled[0], filled[-1]
    if _FENCE.fullmatch(lines[first]) and lines[last].strip() in ("```", "~~~"):
        return lines[first + 1 : last]
    return lines
