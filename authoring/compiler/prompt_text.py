"""The statement rewritten for one instance: the rules, one input in a block, and how to answer."""

from __future__ import annotations

import re
from dataclasses import dataclass

from authoring.compiler.pictures import PLACEHOLDER, without_illustrations
from authoring.compiler.plain import plain
from authoring.compiler.sections import Sections
from authoring.compiler.shape import Shape
from authoring.compiler.texts import fenced
from bootcamp_kit.answers import CLOSE, OPEN
from bootcamp_kit.brief import Brief

MAX_PROMPT = 12_000
MAX_EXAMPLE = 400
_ABOUT_SAMPLES = re.compile(r"\b(?:samples?|examples?|test cases?|tests?)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Rules:
    """The prompt's text before and after the instance."""

    before: str
    after: str


def rules(
    brief: Brief, sections: Sections, shape: Shape, *, example: tuple[str, str] | None, tests: str | None
) -> Rules:
    """Rewrite a statement.

    Args:
        brief: For its title.
        sections: The statement, cut.
        shape: The form of the answer.
        example: Input and output of one sample test case; shown when it is short.
        tests: Name of the number of test cases, where the input begins with one.
    """
    parts = [
        f"# {brief.title}",
        without_illustrations(sections.story),
        f"## Input\n\n{sections.input}",
        f"## Constraints\n\n{sections.constraints}" if sections.constraints else "",
        f"## What a full solution prints\n\n{sections.beside}" if sections.beside else "",
        f"## Output\n\n{sections.output}",
    ]
    if sections.notes and not _ABOUT_SAMPLES.search(sections.notes) and not PLACEHOLDER.search(sections.notes):
        parts.append(f"## Notes\n\n{sections.notes}")
    if example and len(example[0]) + len(example[1]) <= MAX_EXAMPLE:
        parts.append(f"## Example\n\nFor the input\n\n{fenced(example[0])}\n\nthe output is\n\n{fenced(example[1])}")
    one = f" It holds one test case, so {tests} = 1." if tests else ""
    parts.append(
        f"## Your task\n\nDo not write a program. Work out what has to be printed for the one input below.{one}\n"
    )
    return Rules("\n\n".join(part for part in parts if part), f"{answer_format(shape)}\n")


def answer_format(shape: Shape) -> str:
    """How to answer, in one or two sentences."""
    what = {
        "integer": f"Give the integer between {OPEN} and {CLOSE}.",
        "integers": f"Give the integers in the order of the output, separated by blanks, between {OPEN} and {CLOSE}.",
        "decimal": f"Give the number in decimal notation between {OPEN} and {CLOSE}. It counts as right if it is off by"
        f" at most {_written(shape.tolerance)}.",
        "choice": f"Give one of {', '.join(shape.choices)} between {OPEN} and {CLOSE}.",
        "string": f"Give the string, exactly as it has to be printed, between {OPEN} and {CLOSE}.",
        "strings": f"Give all values in the order of the output, separated by blanks, between {OPEN} and {CLOSE}.",
        "grid": f"Give the rows of the grid, one a line, between {OPEN} and {CLOSE}.",
    }
    return f"{what[shape.kind]} Only the last such pair counts."


def _written(tolerance: float) -> str:
    """``0.000001``, never in the notation with an exponent."""
    return f"{tolerance:.12f}".rstrip("0")


def summary(sections: Sections) -> str:
    """The first sentence of the Output section, for the card."""
    from authoring.compiler.sections import sentences

    found = sentences(sections.output)
    text = " ".join(plain(found[0] if found else "Work out the output.").replace("«", "'").replace("»", "'").split())
    return text[:200].rstrip() + ("." if not text.endswith(".") else "")
