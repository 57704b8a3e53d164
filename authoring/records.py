"""Briefs, lineage and repair orders as plain JSON data, and back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from bootcamp_kit.brief import Brief, Sample, Solution, Source
from bootcamp_kit.candidate import Lineage
from bootcamp_kit.jsondata import Json


def brief_to_json(brief: Brief) -> dict[str, Json]:
    """A brief as JSON data."""
    raw = asdict(brief)
    raw["samples"] = list(raw["samples"])
    raw["tags"] = list(brief.tags)
    return raw


def brief_from_json(raw: Mapping[str, Any]) -> Brief:
    """Rebuild from :func:`brief_to_json`'s data.

    Raises:
        KeyError, TypeError, UsageError: not a brief.
    """
    return Brief(
        id=raw["id"],
        family=raw["family"],
        title=raw["title"],
        text=raw["text"],
        source=Source(**raw["source"]),
        samples=tuple(Sample(**item) for item in raw["samples"]),
        solution=Solution(**raw["solution"]) if raw["solution"] else None,
        tags=tuple(raw["tags"]),
    )


def lineage_to_json(lineage: Lineage) -> dict[str, Json]:
    """A lineage as JSON data."""
    return {**asdict(lineage), "prompts": [list(pair) for pair in lineage.prompts]}


def lineage_from_json(raw: Mapping[str, Any]) -> Lineage:
    """Rebuild from :func:`lineage_to_json`'s data.

    Raises:
        KeyError, TypeError, UsageError: not a lineage.
    """
    return Lineage(**{**raw, "prompts": tuple((name, sha) for name, sha in raw["prompts"])})
