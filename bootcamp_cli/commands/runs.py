"""``bootcamp runs``: the authoring runs of the state folder, and which of them can be resumed."""

from __future__ import annotations

from bootcamp_cli.output import JsonFlag, print_json, say, table
from bootcamp_cli.settings import load_settings


def runs(as_json: JsonFlag = False) -> None:
    """List authoring runs, oldest first; resume one with `bootcamp author --resume RUN`."""
    from dataclasses import asdict

    from authoring.runs import list_runs

    settings = load_settings()
    found = list_runs(settings.state_dir)
    if as_json:
        print_json(
            [{**asdict(info), "counts": {str(key): value for key, value in info.counts.items()}} for info in found]
        )
        return
    rows = [
        (
            info.run_id,
            info.created,
            info.author,
            info.state,
            str(info.briefs),
            ", ".join(f"{count} {kind}" for kind, count in info.counts.items() if count),
        )
        for info in found
    ]
    table(
        f"{len(found)} runs in {settings.state_dir}", ("run", "started", "author", "state", "briefs", "outcomes"), rows
    )
    if any(info.state == "unfinished" for info in found):
        say("resume one with: bootcamp author --resume RUN")
