r"""The docstrings of an InternBootcamp checkout: statement, samples and reference code.

A file there begins with a string that holds the prompt its class was written from. That string's *raw* text is taken
from the token stream, never evaluated and never imported: the prompts were pasted without escaping their backslashes,
so that Python's own reading would turn ``\n`` inside reference code into a line break. Only ``\"`` was escaped.
Files without such a string hold no description and are passed over.

The checkout's licence is of its code. Most statements come from contests it does not name, so a brief's licence is
``unknown`` unless a ``source.toml`` says otherwise.
"""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

from authoring.sources import cleaning, contest_text, languages, naming
from authoring.sources.defaults import defaults_for
from authoring.sources.files import read_text
from authoring.sources.foreign import Found, brief_of
from bootcamp_kit.brief import UNKNOWN_LICENCE, Brief, Solution
from bootcamp_kit.errors import UsageError

KIND = "internbootcamp"
URL = "https://github.com/InternLM/InternBootcamp"
INSIDE = Path("internbootcamp") / "bootcamp"
_DESCRIPTION = re.compile(r"^### 谜题描述[ \t]*$", re.MULTILINE)
_TASK = re.compile(r"请完成上述谜题的训练场环境类实现[^\n]*\s*\Z")
_REFERENCE = re.compile(
    r"^Here is a reference code[^\n]*\n\s*```[^\n]*\n((?:(?!^Here is a reference code).)*?)\n```[ \t]*$",
    re.MULTILINE | re.DOTALL,
)
_QUOTED = re.compile(r"(?P<prefix>[A-Za-z]{0,2})(?P<quote>\"\"\"|'''|\"|')")
_MARK = "谜题描述"


def bootcamps_of(path: Path) -> Path | None:
    """The folder of bootcamps of a checkout; None where ``path`` is no checkout."""
    if (path / INSIDE).is_dir():
        return path / INSIDE
    resolved = path.resolve()
    return path if resolved.parts[-2:] == INSIDE.parts else None


def read_all(path: Path, *, root: Path) -> Iterator[tuple[str, Brief | UsageError]]:
    """Every docstring below the folder of bootcamps, in the order of their paths."""
    for file in sorted(path.glob("*/*.py")):
        if file.name.startswith("."):
            continue
        try:
            brief = read(file, root=root)
        except UsageError as error:
            yield str(file), error
            continue
        if brief is not None:
            yield str(file), brief


def read(path: Path, *, root: Path) -> Brief | None:
    """One file; None where it holds no description.

    Raises:
        UsageError: names the file.
    """
    raw = _raw_docstring(read_text(path, root=root), path)
    if raw is None or not (found := list(_DESCRIPTION.finditer(raw))):
        return None
    defaults = defaults_for(root, root=root)
    text = _TASK.sub("\n", raw[found[-1].end() :])
    reference = _REFERENCE.search(text)
    solution = Solution(languages.detect(reference[1]), reference[1] + "\n") if reference else None
    parts = contest_text.take_apart(text[: reference.start()] if reference else text)
    cleaned = cleaning.clean(parts.text, parts.samples, solution.code if solution else "")
    # Two folders hold files of one name; a folder's own name tells them apart where it has the file's in it.
    name = path.parent.name if path.stem in path.parent.name else path.stem
    return brief_of(
        Found(
            kind=KIND,
            name=f"InternBootcamp: {name}",
            id=naming.task_id("ib", name),
            title=naming.title(name.replace("_", " ").capitalize(), name),
            text=cleaned.text,
            samples=cleaned.samples,
            solution=solution,
            licence=UNKNOWN_LICENCE,
            url=URL,
            tags=("contest",) if reference else (),
            notes=(*parts.notes, *cleaned.notes),
        ),
        defaults,
        where=str(path),
    )


def _raw_docstring(source: str, path: Path) -> str | None:
    """The raw inside of the string a file begins with, its quotes unescaped; None where it begins otherwise."""
    if _MARK not in source:
        return None
    try:
        for token in tokenize.generate_tokens(io.StringIO(source).readline):
            if token.type not in (tokenize.COMMENT, tokenize.NL, tokenize.ENCODING):
                break
    except (tokenize.TokenError, SyntaxError, ValueError) as error:
        raise UsageError(f"brief {path}", f"its first string never ends: {error}", "mend or remove it") from error
    opening = _QUOTED.match(token.string)
    if token.type != tokenize.STRING or not opening or "f" in opening["prefix"].lower():
        return None
    inside = token.string[opening.end() : -len(opening["quote"])]
    return inside.replace("\\" + opening["quote"][0], opening["quote"][0])
