"""Lineages and decisions as plain JSON data, and back through their constructors, which ask every invariant."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from bootcamp_kit.brief import Brief
from bootcamp_kit.candidate import Lineage
from bootcamp_kit.decision import Choice, Decision
from bootcamp_kit.errors import MachineError
from bootcamp_kit.jsondata import canonical, digest


def plain(value: Any) -> dict[str, Any]:
    """A dataclass of the kit as plain JSON data."""
    return dict(json.loads(stored(value)))


def stored(value: Any) -> str:
    """A dataclass of the kit as canonical JSON text."""
    return canonical(value.to_json() if isinstance(value, Brief) else asdict(value)).decode()


def stored_hash(value: Any) -> str:
    """Hex SHA-256 over the stored text."""
    return digest(stored(value).encode())


def lineage_from_json(raw: Mapping[str, Any]) -> Lineage:
    """Rebuild a lineage.

    Raises:
        MachineError: the stored data is not a lineage.
    """
    try:
        return Lineage(**{**raw, "prompts": tuple((name, sha) for name, sha in raw["prompts"])})
    except (KeyError, TypeError, ValueError) as error:
        raise _damaged("lineage", error) from error


def decision_from_json(raw: Mapping[str, Any]) -> Decision:
    """Rebuild a decision; what a later version added beside it is left out.

    Raises:
        MachineError: the stored data is not a decision.
        ReviewRuleError: the decision breaks a rule.
    """
    try:
        return Decision(
            choice=Choice(raw["choice"]),
            reviewer=raw["reviewer"],
            author=raw["author"],
            content_hash=raw["content_hash"],
            report_hash=raw["report_hash"],
            at=raw["at"],
            reason=raw["reason"],
        )
    except (KeyError, TypeError, ValueError) as error:
        raise _damaged("decision", error) from error


def _damaged(what: str, error: Exception) -> MachineError:
    return MachineError(
        f"reading a {what} from the review queue", f"its data is damaged: {error!r}", "restore the queue from a copy"
    )
