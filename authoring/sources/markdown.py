"""One Markdown file: TOML between ``+++`` lines, then the statement.

``## Samples`` (or Examples, Sample 1, …) holds fenced blocks marked ``input`` and ``output`` in turn; ``## Solution``
holds one fenced block marked with its language. Both are taken out of the statement; everything else stays, Input and
Output sections included. A section with such a heading but without such blocks is prose and stays too.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from authoring.sources import fields
from authoring.sources.files import read_text
from bootcamp_kit.brief import Brief, Sample, Solution
from bootcamp_kit.errors import UsageError
from bootcamp_kit.tomldata import read_toml

FENCE = "+++"
_SAMPLES = re.compile(r"(?:samples?|examples?)(?: tests?| cases?)?(?: \d+)?:?", re.IGNORECASE)
_SOLUTION = re.compile(r"(?:reference )?solution:?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Parts:
    """A Markdown body taken apart."""

    text: str
    samples: tuple[Sample, ...]
    solution: Solution | None


def read(path: Path, *, root: Path) -> Brief:
    """Read one file.

    Raises:
        UsageError: names the file, and the key or line.
    """
    raw, body, first_line = front_matter(read_text(path, root=root), str(path))
    if "file" in fields.table(raw, "solution", str(path)):
        raise UsageError(
            f"brief {path}, key 'solution.file'", "only a folder has further files", "put the code under ## Solution"
        )
    parts = take_apart(body, str(path), first_line)
    solution = parts.solution
    named = raw.get("solution", {}).get("language")
    if named is not None:
        if solution is None:
            raise UsageError(f"brief {path}, key 'solution'", "no ## Solution section with code", "add it, or drop it")
        solution = Solution(fields.language(fields.short_text(raw["solution"], "language", str(path))), solution.code)
    return fields.build(raw, str(path), text=parts.text, samples=parts.samples, solution=solution)


def front_matter(text: str, where: str) -> tuple[Mapping[str, Any], str, int]:
    """The keys, the body, and the body's first line number.

    Raises:
        UsageError: empty, no front matter, not closed, not TOML, or a key nobody reads.
    """
    if not text.strip():
        raise UsageError(f"brief {where}", "empty", "write front matter between +++ lines, then the rules")
    lines = text.split("\n")
    if lines[0].rstrip() != FENCE:
        raise UsageError(f"brief {where}, line 1", f"no front matter: the line is not {FENCE}", "begin with +++")
    closing = next((number for number, line in enumerate(lines[1:], 1) if line.rstrip() == FENCE), None)
    if closing is None:
        raise UsageError(f"brief {where}", "its front matter is never closed", f"end it with a line {FENCE}")
    try:
        # The blank line stands for the opening fence, so that line numbers in messages are the file's.
        raw = read_toml("\n" + "\n".join(lines[1:closing]) + "\n")
    except ValueError as error:
        raise UsageError(f"brief {where}, front matter", f"not TOML: {error}", "correct that line") from error
    fields.check_keys(raw, "", fields.KNOWN[""], where)
    return raw, "\n".join(lines[closing + 1 :]), closing + 2


def take_apart(body: str, where: str, first_line: int = 1) -> Parts:
    """Statement, samples and solution of a Markdown body.

    Raises:
        UsageError: samples do not come in pairs, or more than one solution; names the line.
    """
    from markdown_it import MarkdownIt

    tokens = [token for token in MarkdownIt("commonmark").parse(body) if token.level == 0 or token.type == "inline"]
    lines = body.split("\n")
    headings = [
        (int(token.tag[1]), token.map[0], tokens[at + 1].content.strip())
        for at, token in enumerate(tokens)
        if token.type == "heading_open" and token.map
    ]
    fences = [(token.map, token.info.strip(), token.content) for token in tokens if token.type == "fence" and token.map]
    kept = [True] * len(lines)
    blocks: list[tuple[int, str, str]] = []
    codes: list[tuple[str, str]] = []
    for at, (depth, start, title) in enumerate(headings):
        is_samples, is_solution = bool(_SAMPLES.fullmatch(title)), bool(_SOLUTION.fullmatch(title))
        if not kept[start] or not (is_samples or is_solution):
            continue
        end = next((line for other, line, _ in headings[at + 1 :] if other <= depth), len(lines))
        inside = [(span[0], info, content) for span, info, content in fences if start <= span[0] < end]
        if is_samples:
            inside = [item for item in inside if item[1] in ("input", "output")]
            blocks += inside
        else:
            inside = [item for item in inside if item[1]]
            codes += [(info.split()[0], content) for _, info, content in inside]
        if inside:
            kept[start:end] = [False] * (end - start)
    if len(codes) > 1:
        raise UsageError(f"brief {where}", f"{len(codes)} solutions", "keep one fenced block under ## Solution")
    solution = Solution(fields.language(codes[0][0]), codes[0][1]) if codes else None
    text = "\n".join(line for line, keep in zip(lines, kept, strict=True) if keep)
    return Parts(text, _pairs(blocks, where, first_line), solution)


def _pairs(blocks: list[tuple[int, str, str]], where: str, first_line: int) -> tuple[Sample, ...]:
    for at, (line, info, _) in enumerate(blocks):
        if info != ("input", "output")[at % 2]:
            raise UsageError(
                f"brief {where}, line {first_line + line}", f"a sample's {info} out of turn", "input, then output"
            )
    if len(blocks) % 2:
        raise UsageError(f"brief {where}, line {first_line + blocks[-1][0]}", "a sample without output", "add it")
    return tuple(Sample(blocks[at][2], blocks[at + 1][2]) for at in range(0, len(blocks), 2))
