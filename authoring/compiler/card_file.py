"""``card.toml`` and ``brief.md`` of a compiled task."""

from __future__ import annotations

from collections.abc import Sequence

from authoring.compiler.levels import Ladder
from authoring.compiler.prompt_text import answer_format
from authoring.compiler.shape import Shape
from authoring.compiler.texts import fenced
from bootcamp_kit.brief import Brief
from bootcamp_kit.card import VALUE_ALONE, AnswerFormat, Card
from bootcamp_kit.difficulty import Axis, DifficultySchema

_EVERYWHERE = ("whitespace", "crlf", "markdown", "code_fence", "reasoning", "decoy")
_REWRITES = {
    "integer": ("trailing_period", "unicode_digits", "unicode_minus", "thousands", "leading_plus"),
    "integers": ("unicode_digits", "unicode_minus", "separator", "brackets"),
    "decimal": ("trailing_period", "unicode_digits", "unicode_minus", "leading_plus"),
    "choice": ("trailing_period", "case"),
    "string": ("trailing_period",),
    "strings": (),
    "grid": ("cell_spacing",),
}
_EXAMPLES = {"integer": "7", "integers": "3 1 4", "decimal": "0.75"}
_EXAMPLES |= {"string": "word", "strings": "some words", "choice": "", "grid": ""}


def answer(shape: Shape, floor: float = 0.0) -> AnswerFormat:
    """The card's ``[answer]``: only rewrites that the shared readers undo."""
    example = _EXAMPLES[shape.kind]
    if shape.kind == "choice":
        example = shape.choices[0]
    if shape.kind == "grid":
        example = f"{shape.symbols[0] * 2}\n{shape.symbols[-1] * 2}"
    return AnswerFormat(
        kind=shape.kind,
        format=answer_format(shape),
        example=f"<answer>{example}</answer>",
        choices=shape.choices,
        tolerance=shape.tolerance,
        rewrites=(*_EVERYWHERE, *_REWRITES[shape.kind]),
        floor=max(floor, round(1 / len(shape.choices), 4) if shape.choices else 0.0),
    )


def card_file(
    brief: Brief,
    shape: Shape,
    axes: Sequence[Ladder],
    *,
    summary: str,
    author: str,
    floor: float = 0.0,
    alone: bool = False,
) -> str:
    """The card as TOML; a tag tells the reviewer that a value is asked for ``alone``."""
    import tomli_w

    card = Card(
        id=brief.id,
        version="1.0.0",
        title=brief.title,
        summary=summary,
        family=brief.family,
        solutions="unique",
        author=author,
        answer=answer(shape, floor),
        source=brief.source,
        difficulty=DifficultySchema(tuple(Axis(axis.name, axis.values) for axis in axes)),
        tags=tuple(dict.fromkeys((*brief.tags, "contest", *((VALUE_ALONE,) if alone else ())))),
    )
    return tomli_w.dumps(card.to_dict(), indent=2)


def brief_file(brief: Brief) -> str:
    """The statement as it was handed in, with its source and licence, and its samples."""
    source = brief.source
    origin = f"Source: {source.name}" + (f", {source.url}" if source.url else "")
    licence = f"Licence: {source.licence}" + (f". By {source.attribution}" if source.attribution else "")
    parts = [f"# {brief.title}", f"{origin}\n\n{licence}", brief.text.strip()]
    if brief.samples:
        parts.append("## Samples")
        for number, sample in enumerate(brief.samples, 1):
            parts.append(f"### Sample {number}\n\nInput\n\n{fenced(sample.input)}\n\nOutput\n\n{fenced(sample.output)}")
    if brief.notes:
        parts += ["## What the reader cleaned, kept or left out", "\n".join(f"- {note}" for note in brief.notes)]
    return "\n\n".join(parts) + "\n"
