"""One brief as a folder: ``brief.md`` with front matter, ``solution.py``, ``samples/NAME.in`` and ``NAME.out``.

``input-format.json`` beside it is the compiler's input format written by hand; it goes into the statement as a block.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from authoring.sources import fields, markdown
from authoring.sources.files import read_text
from bootcamp_kit.brief import Brief, Sample, Solution
from bootcamp_kit.errors import UsageError

DEFAULT_SOLUTION = "solution.py"
INPUT_FORMAT = "input-format.json"
_PLAIN_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,99}")


def read(path: Path, *, root: Path) -> Brief:
    """Read the folder ``path``; links may not leave it.

    Raises:
        UsageError: names the file, and the key or line.
    """
    inside = path.resolve()
    if not inside.is_relative_to(root):
        raise UsageError(f"folder {path}", "a link out of the folder", "copy the files instead")
    where = str(path / "brief.md")
    raw, body, first_line = markdown.front_matter(read_text(path / "brief.md", root=inside), where)
    parts = markdown.take_apart(body, where, first_line)
    samples = _samples(path / "samples", inside)
    solution = _solution(raw, path, inside)
    for name, in_text, in_files in (("samples", parts.samples, samples), ("solution", parts.solution, solution)):
        if in_text and in_files:
            raise UsageError(f"brief {where}", f"{name} both in the text and in files", "keep one of the two")
    text = parts.text
    if (path / INPUT_FORMAT).exists():
        text = f"{text.rstrip()}\n\n```input-format\n{read_text(path / INPUT_FORMAT, root=inside).strip()}\n```\n"
    return fields.build(raw, where, text=text, samples=samples or parts.samples, solution=solution or parts.solution)


def _solution(raw: Mapping[str, Any], path: Path, inside: Path) -> Solution | None:
    table = fields.table(raw, "solution", str(path / "brief.md"))
    name = fields.short_text(table, "file", str(path / "brief.md"), default=DEFAULT_SOLUTION)
    if not _PLAIN_NAME.fullmatch(name):
        raise UsageError(f"brief {path / 'brief.md'}, key 'solution.file'", f"{name!r}", "name a file beside brief.md")
    file = path / name
    if "file" not in table and not file.exists() and not file.is_symlink():
        return None
    spoken = fields.short_text(
        table, "language", str(path / "brief.md"), default={".py": "python3"}.get(file.suffix, file.suffix[1:])
    )
    return Solution(fields.language(spoken), read_text(file, root=inside))


def _samples(path: Path, inside: Path) -> tuple[Sample, ...]:
    if not path.is_dir():
        return ()
    files = {child.name: child for child in path.iterdir() if not child.name.startswith(".")}
    stems = sorted({Path(name).stem for name in files}, key=_natural)
    for name in sorted(files):
        if Path(name).suffix not in (".in", ".out"):
            raise UsageError(f"sample {path / name}", "neither .in nor .out", "name the pair NAME.in and NAME.out")
    if len(stems) > fields.MAX_SAMPLES:
        raise UsageError(f"samples {path}", f"{len(stems)} of them", f"keep at most {fields.MAX_SAMPLES}")
    found = []
    for stem in stems:
        for suffix in (".in", ".out"):
            if stem + suffix not in files:
                raise UsageError(f"sample {path / stem}", f"no {stem}{suffix}", "add it, or remove its partner")
        found.append(Sample(*(read_text(files[stem + suffix], root=inside) for suffix in (".in", ".out"))))
    return tuple(found)


def _natural(stem: str) -> list[tuple[int, str]]:
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in re.split(r"(\d{1,9})", stem) if part]
