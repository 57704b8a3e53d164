"""Cuts a statement into story, Input, Output, Constraints and Notes, and a section into sentences."""

from __future__ import annotations

import re
from dataclasses import dataclass

from authoring.compiler.outcome import Refused, Stage
from authoring.compiler.plain import plain

_TITLES = {
    "input": r"(?:the )?input(?: format| specification| data| description| section)?",
    "output": r"(?:the )?output(?: format| specification| data| description| section)?",
    "constraints": r"constraints?|limits?|bounds|limitations?|data range",
    "notes": r"notes?|explanations?|hints?|remarks?|clarifications?",
    "interaction": r"interaction(?: protocol)?|interactor",
}
_BARE = re.compile(
    rf"(?im)^[ \t]*(?:[-=*_]{{2,}}[ \t]*)?({'|'.join(_TITLES.values())})[ \t]*:?[ \t]*(?:[-=*_]{{2,}})?[ \t]*:?[ \t]*$"
)


@dataclass(frozen=True, slots=True)
class Sections:
    """A statement's parts as Markdown; "" where there is none.

    Attributes:
        beside: What a full solution prints, where ``output`` asks for its first value alone (``value_alone.py``).
    """

    story: str
    input: str
    output: str
    constraints: str = ""
    notes: str = ""
    beside: str = ""


def cut(text: str) -> Sections:
    """Cut a statement at its headings.

    Raises:
        Refused: no Input or no Output section, a section twice, or an Interaction section.
    """
    from markdown_it import MarkdownIt

    text = _BARE.sub(lambda found: f"\n## {found[1]}\n", text)
    lines = text.split("\n")
    tokens = MarkdownIt("commonmark").parse(text)
    heads = [
        (token.map[0], token.map[1], _kind(tokens[at + 1].content))
        for at, token in enumerate(tokens)
        if token.type == "heading_open" and token.level == 0 and token.map
    ]
    found: dict[str, list[str]] = {}
    story = [lines[: heads[0][0]] if heads else lines]
    for at, (start, after, kind) in enumerate(heads):
        end = heads[at + 1][0] if at + 1 < len(heads) else len(lines)
        if kind:
            found.setdefault(kind, []).append("\n".join(lines[after:end]).strip())
        else:
            # A heading that says nothing of input or output belongs to the story, except the title on line one.
            story.append(lines[after if not any(line.strip() for line in lines[:start]) else start : end])
    if "interaction" in found:
        raise Refused(Stage.WORDING, "the problem is interactive: it has an Interaction section")
    for kind in ("input", "output"):
        if not any(found.get(kind, [])):
            raise Refused(Stage.READ, f"no {kind.capitalize()} section in the statement")
    twice = [kind for kind, parts in found.items() if len(parts) > 1]
    if twice:
        raise Refused(Stage.READ, f"more than one {twice[0].capitalize()} section")
    parts = {kind: parts[0] for kind, parts in found.items()}
    return Sections("\n".join(line for part in story for line in part).strip(), **parts)


def _kind(title: str) -> str:
    title = re.sub(r"[*_`:#]", "", title).strip().lower()
    return next((kind for kind, pattern in _TITLES.items() if re.fullmatch(pattern, title)), "")


def sentences(markdown: str) -> list[str]:
    """The sentences of a section in plain notation; a list item or a line of a table is at least one.

    A code block comes back as one sentence that begins with ``[block]``: no grammar reads it.
    """
    from markdown_it import MarkdownIt

    found: list[str] = []
    for token in MarkdownIt("commonmark").disable(["code", "html_block"]).parse(markdown):
        if token.type == "fence":
            found.append(f"[block] {' '.join(token.content.split())[:60]}")
        elif token.type == "inline":
            found += _split(plain(token.content))
    return found


_END = re.compile(
    r"(?<=[a-z0-9)»\]])(?<!\b[Mm]r)(?<!\b[Mm]s)(?<!\b[Dd]r)(?<!\b[Mm]rs)[.;](?:\s+|$)(?![^()]*\))"
    r"|(?<=[A-Za-z0-9_)»\"])(?<!\b[Mm]r)(?<!\b[Mm]s)(?<!\b[Dd]r)(?<!\b[Mm]rs)\.\s+(?=[A-Z])(?![^()]*\))"
)


def _split(block: str) -> list[str]:
    block = " ".join(block.split())
    parts, start = [], 0
    for found in _END.finditer(block):
        inside = block[start : found.start()]
        # “(1 ≤ n; m ≤ min(n, 30))” does not end at its semicolon.
        if found[0][0] == ";" and inside.count("(") > inside.count(")"):
            continue
        parts.append(inside)
        start = found.end()
    parts.append(block[start:])
    return [part.strip().rstrip(".;").strip() for part in parts if part.strip(" .;")]
