"""What ``bootcamp author --dry-run`` shows: briefs as they were read, what was cleaned, what the compiler says."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from bootcamp_cli.authors import COMPILER
from bootcamp_cli.output import print_json, spelt, table
from bootcamp_kit.counted import counted

if TYPE_CHECKING:
    from authoring.sources.read import Problem
    from bootcamp_cli.settings_model import Settings
    from bootcamp_kit.brief import Brief

_COLUMNS = (
    "brief", "family", "title", "licence", "read as", "characters", "samples", "tests", "solution", "wrong",
    "compiler", "notes",
)  # fmt: skip


def show_briefs(found: Sequence[Brief], problems: Sequence[Problem], settings: Settings, *, as_json: bool) -> None:
    """Print the briefs, as a table or as one JSON document."""
    opinions = [_opinion(brief) if settings.author == COMPILER else "" for brief in found]
    if as_json:
        briefs = [_described(brief, opinion) for brief, opinion in zip(found, opinions, strict=True)]
        unread = [{"path": problem.path, "error": str(problem.error)} for problem in problems]
        print_json({"briefs": briefs, "unread": unread})
        return
    rows = [_row(brief, opinion) for brief, opinion in zip(found, opinions, strict=True)]
    table(f"{counted(len(found), 'brief')} read", _COLUMNS, rows)


def show_formats(found: Sequence[Brief], *, as_json: bool) -> None:
    """Print how the compiler reads each brief, before anything runs, in words or as one JSON document.

    An ``input_format`` may be copied into the brief as a block ``input-format`` or beside it as ``input-format.json``,
    and corrected there.
    """
    from authoring.compiler.compile import understand
    from authoring.compiler.in_words import in_words
    from authoring.compiler.outcome import Refused

    explained: list[dict[str, Any]] = []
    for brief in found:
        row: dict[str, Any] = {"brief": brief.id, "compiler": _opinion(brief)}
        try:
            understood = understand(brief)
        except Refused as refused:
            row |= {"stage": refused.refusal.stage.value, "reason": refused.refusal.reason}
        else:
            row["in_words"] = in_words(understood.format)
            row["input_format"] = understood.format.model_dump(mode="json")
            row["reference"] = [reading.reference.origin or "as it came" for reading in understood.readings]
            row["samples"] = [list(payloads) for payloads in understood.payloads]
        explained.append(row)
    if as_json:
        print_json({"briefs": explained})
        return
    for row in explained:
        lines = [f"{row['brief']}: {row['compiler']}", *(f"  {text}" for text in row.get("in_words", ()))]
        sys.stdout.write("".join(spelt(line) + "\n" for line in lines))


def _opinion(brief: Brief) -> str:
    """What the compiler says of a brief before anything is run."""
    from authoring.compiler.compile import understand
    from authoring.compiler.outcome import Refused
    from authoring.compiler_author import judged_otherwise

    if (refusal := judged_otherwise(brief)) is not None:
        return f"would refuse: {refusal}"
    try:
        understand(brief)
    except Refused as refused:
        return f"would refuse: {refused}"
    return "readable"


def _described(brief: Brief, opinion: str) -> dict[str, Any]:
    source = brief.source
    return {
        "id": brief.id,
        "family": brief.family,
        "title": brief.title,
        "licence": source.licence,
        "source": {"kind": source.kind, "name": source.name, "url": source.url, "attribution": source.attribution},
        "characters": len(brief.text),
        "samples": len(brief.samples),
        "tests": len(brief.tests),
        "solution": brief.solution.language if brief.solution else None,
        "accepted": [item.language for item in brief.accepted],
        "wrong": [{"language": item.language, "name": item.name} for item in brief.wrong],
        "seconds": brief.seconds or None,
        "judge": brief.judge or None,
        "tags": list(brief.tags),
        "notes": list(brief.notes),
        "hash": brief.hash,
        "compiler": opinion,
    }


def _row(brief: Brief, opinion: str) -> tuple[str, ...]:
    solution = brief.solution.language if brief.solution else "none"
    judge = f", judged {brief.judge}" if brief.judge else ""
    return (
        brief.id,
        brief.family,
        brief.title,
        brief.source.licence,
        brief.source.kind + judge,
        str(len(brief.text)),
        str(len(brief.samples)),
        str(len(brief.tests)),
        solution + (f" +{len(brief.accepted)}" if brief.accepted else ""),
        str(len(brief.wrong)),
        opinion,
        "; ".join(brief.notes),
    )
