"""The report of a run as JSON data, for other programs."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any

from authoring.reporting.facts import RunFacts
from bootcamp_kit.jsondata import Json


def to_json(facts: RunFacts) -> Json:
    """All figures."""
    return {
        **{item.name: _plain(getattr(facts, item.name)) for item in fields(facts) if item.name != "spend"},
        "briefs": facts.briefs,
        "queued": facts.queued,
        "usd": facts.usd,
        "usd_each": facts.usd_each,
        "spend": facts.spend.to_json() if facts.spend else None,
    }


def _plain(value: Any) -> Json:
    if is_dataclass(value) and not isinstance(value, type):
        return {item.name: _plain(getattr(value, item.name)) for item in fields(value)}
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value
