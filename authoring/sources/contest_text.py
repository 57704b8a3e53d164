r"""A contest statement in plain text, as data sets carry it: sections and samples under bare headings.

``Input``, ``Output``, ``Note``, … alone on a line become Markdown headings; what stands below ``Example`` or
``Examples`` becomes samples. A worked example that cannot be told apart is left in the statement, and a note says so.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from bootcamp_kit.brief import Sample

_HEADINGS = {
    "input": "Input",
    "output": "Output",
    "note": "Note",
    "notes": "Note",
    "interaction": "Interaction",
    "scoring": "Scoring",
    "constraints": "Constraints",
    "hacks": "Hacks",
}
_EXAMPLES = re.compile(r"(?:sample |)(?:examples?|samples?)(?: tests?)?:?", re.IGNORECASE)
_INPUT = re.compile(r"(?:sample |example )?input(?: ?#?\d+)?:?", re.IGNORECASE)
_SAMPLE_INPUT = re.compile(r"(?:sample|example) input(?: ?#?\d+)?:?", re.IGNORECASE)
_OUTPUT = re.compile(r"(?:sample |example )?output(?: ?#?\d+)?:?", re.IGNORECASE)
_NOTE = re.compile(r"notes?|explanation:?", re.IGNORECASE)
_PICTURE = re.compile(r"<image>")


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement taken apart.

    Attributes:
        text: Markdown, without samples.
        samples: In their order.
        notes: What could not be kept.
    """

    text: str
    samples: tuple[Sample, ...]
    notes: tuple[str, ...] = ()


def take_apart(text: str) -> Statement:
    """Sections and samples of a statement in plain text."""
    lines = text.split("\n")
    start = _examples_start(lines)
    end = _examples_end(lines, start)
    notes: list[str] = []
    first = start if start < len(lines) and _INPUT.fullmatch(lines[start].strip()) else start + 1
    samples = _samples(lines[first:end]) if start < len(lines) else ()
    if samples is None:
        notes.append("the worked examples are left in the statement: their inputs and outputs do not alternate")
        start, samples = end, ()
    body = [_heading(line, lines[number - 1] if number else "") for number, line in enumerate(lines[:start])]
    rest = [_heading(line, "") for line in lines[end:]]
    kept = "\n".join([*body, *rest]).strip() + "\n"
    kept = re.sub(r"\n{3,}", "\n\n", kept)
    if pictures := len(_PICTURE.findall(kept)):
        notes.append(f"{pictures} {'picture' if pictures == 1 else 'pictures'} missing in the source, marked <image>")
    return Statement(kept, samples, tuple(notes))


def _examples_start(lines: list[str]) -> int:
    """The last line that is an Examples heading with an Input line right below, else the first Sample Input line.

    Past the end where there is neither.
    """
    for number in range(len(lines) - 1, -1, -1):
        if _EXAMPLES.fullmatch(lines[number].strip()):
            below = next((lines[at].strip() for at in range(number + 1, len(lines)) if lines[at].strip()), "")
            if _INPUT.fullmatch(below):
                return number
    named = (number for number, line in enumerate(lines) if _SAMPLE_INPUT.fullmatch(line.strip()))
    return next(named, len(lines))


def _examples_end(lines: list[str], start: int) -> int:
    """The line of the Note section behind the samples; past the end where there is none.

    A sample may hold the word itself: only behind the last output is it a heading, with an empty line above.
    """
    outputs = [number for number in range(start, len(lines)) if _OUTPUT.fullmatch(lines[number].strip())]
    if not outputs:
        return len(lines)
    for number in range(outputs[-1] + 1, len(lines)):
        if _NOTE.fullmatch(lines[number].strip()) and not lines[number - 1].strip():
            return number
    return len(lines)


def _samples(lines: list[str]) -> tuple[Sample, ...] | None:
    """Inputs and outputs in turn; None where they do not alternate or an input is empty."""
    blocks: list[tuple[str, list[str]]] = []
    for line in lines:
        word = line.strip()
        kind = "input" if _INPUT.fullmatch(word) else "output" if _OUTPUT.fullmatch(word) else ""
        if kind:
            blocks.append((kind, []))
        elif blocks:
            blocks[-1][1].append(line)
        elif word:
            return None
    kinds = [kind for kind, _ in blocks]
    if not blocks or kinds != ["input", "output"] * (len(blocks) // 2):
        return None
    texts = [_block(content) for _, content in blocks]
    return tuple(Sample(texts[at], texts[at + 1]) for at in range(0, len(texts), 2))


def _block(lines: list[str]) -> str:
    return "\n".join(lines).strip("\n") + "\n" if any(line.strip() for line in lines) else ""


def _heading(line: str, above: str) -> str:
    name = _HEADINGS.get(line.strip().rstrip(":").lower())
    return f"## {name}" if name and not above.strip() else line
