"""An item, or a line of the list, as plain JSON data."""

from __future__ import annotations

from dataclasses import asdict, fields
from typing import Any

from bootcamp_kit.report import to_json
from review import records, since
from review.decide import needs_two, warnings
from review.item import QueueEntry, QueueItem
from review.measures import verdict_strip
from review.opinions import seen
from review.present import level_rows, reproduce_command


def entry_to_json(entry: QueueEntry) -> dict[str, Any]:
    """One line of the list as plain data."""
    names = (*(field.name for field in fields(QueueEntry)), "ref")
    return {name: getattr(entry, name) for name in names}


def item_to_json(item: QueueItem, *, told: bool = False) -> dict[str, Any]:
    """One item as plain data; file contents are left out, their sizes are in.

    Without ``told`` a model's opinions are left out and counted; ``hash`` is that of the whole report all the same.
    """
    whole = item.report
    item, held = seen(item, told)
    return {
        **entry_to_json(item),
        "brief": records.plain(item.brief),
        "lineage": records.plain(item.lineage),
        "strip": [asdict(measure) for measure in verdict_strip(item.report)],
        "difficulty": [asdict(row) for row in level_rows(item)],
        "report": {**to_json(item.report), "verdict": whole.verdict.value, "hash": whole.hash},
        "opinions_kept_back": held,
        "findings_list": [
            {**to_json(finding), "id": finding.id, "reproduce": reproduce_command(item, finding)}
            for finding in item.report.findings
        ],
        "files": {path: len(data) for path, data in item.folder.files.items()},
        "intact": item.folder.content_hash == item.content_hash and item.origin_sound,
        "risk_reasons": list(item.risk_reasons),
        "changes": since.figures(item.report),
        "warnings": list(warnings(item)),
        "two_people": list(needs_two(item)),
        "events": [asdict(event) for event in item.events],
    }
