"""Lineages as plain JSON data, and back; a brief knows itself how."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from bootcamp_kit.candidate import Lineage
from bootcamp_kit.jsondata import Json


def lineage_to_json(lineage: Lineage) -> dict[str, Json]:
    """A lineage as JSON data."""
    return {**asdict(lineage), "prompts": [list(pair) for pair in lineage.prompts]}


def lineage_from_json(raw: Mapping[str, Any]) -> Lineage:
    """Rebuild from :func:`lineage_to_json`'s data.

    Raises:
        KeyError, TypeError, UsageError: not a lineage.
    """
    return Lineage(**{**raw, "prompts": tuple((name, sha) for name, sha in raw["prompts"])})
