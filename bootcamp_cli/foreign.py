"""``bootcamp audit --foreign``: every task of another library, a row each, and a report that ranks them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from bootcamp_cli.machine import sandbox_settings
from bootcamp_cli.output import print_json, say, table
from bootcamp_kit.errors import UsageError

if TYPE_CHECKING:
    from bootcamp_cli.settings_model import Settings


def audit_foreign(
    settings: Settings,
    asked: str,
    only: Sequence[str],
    out: Path | None,
    *,
    again: bool,
    as_json: bool,
    deep: bool = False,
) -> list[dict[str, Any]]:
    """Audit a library and write ``audit.jsonl``, ``report.md`` and ``report.html`` into a folder of its own.

    Args:
        settings: How to reach the engine, and the state folder.
        asked: ``LIBRARY[:FOLDER[:FOLDER]]``.
        only: Tasks by name; all where empty.
        out: The folder; None for one in the state folder.
        again: Measure also what has a row.
        as_json: Print the rows as JSON instead of a table.
        deep: More cases, more time for each task.
    """
    from bootcamp_cli.progress import spinner
    from sandbox.audit.foreign.library import audit_library
    from sandbox.audit.foreign.ranking import markdown, page, totals
    from sandbox.audit.foreign.trial import DEEP
    from sandbox.audit.rows import RowFile

    library, roots, folder = _places(settings, asked, out)
    with spinner(f"auditing {library}") as tell:
        rows = audit_library(
            sandbox_settings(settings),
            library,
            roots,
            RowFile(folder / "audit.jsonl"),
            only=only,
            plan=DEEP if deep else None,
            progress=tell,
            again=again,
        )
    (folder / "report.md").write_text(markdown(library, rows), "utf-8")
    (folder / "report.html").write_text(page(library, rows), "utf-8")
    (folder / "ranked.jsonl").write_text("".join(json.dumps(item, sort_keys=True) + "\n" for item in rows), "utf-8")
    if as_json:
        print_json(rows)
    else:
        table(library, ("task", "verdict", "findings", "heaviest"), [_line(item) for item in rows])
    say(", ".join(f"{name}: {count}" for name, count in totals(rows).items()))
    say(f"report: {folder / 'report.html'}")
    say(f"one task again: bootcamp audit --foreign {asked} --out {folder} --again TASK")
    say(
        f"a finding again: bootcamp audit --foreign {asked} --out {folder} --replay F-… (ids in {folder / 'report.md'})"
    )
    return rows


def replay_in(settings: Settings, asked: str, finding_id: str, out: Path | None, *, as_json: bool) -> bool:
    """Repeat one finding of an audit that was made; whether the same is seen again.

    Raises:
        UsageError: the folder has no such finding.
    """
    from bootcamp_cli.progress import spinner
    from sandbox.audit.foreign.replay import found_in, replay_foreign
    from sandbox.audit.rows import RowFile

    library, roots, folder = _places(settings, asked, out)
    task, finding = found_in(RowFile(folder / "audit.jsonl").read(), finding_id)
    with spinner(f"replaying {finding_id[:20]}") as tell:
        done = replay_foreign(sandbox_settings(settings), library, roots, task, finding, tell)
    if as_json:
        print_json({"finding": finding_id, "reproduced": done.reproduced, "steps": [list(step) for step in done.steps]})
        return done.reproduced
    for label, text in done.steps:
        typer.echo(f"{label}:")
        typer.echo("\n".join("    " + line for line in text.splitlines()) or "    (empty)")
    typer.echo("reproduced" if done.reproduced else "NOT reproduced")
    return done.reproduced


def _places(settings: Settings, asked: str, out: Path | None) -> tuple[str, list[Path], Path]:
    """The library's name, its folders, and where its rows are."""
    library, roots = library_and_roots(asked)
    return library, roots, out or settings.state_dir / "audits" / "foreign" / library


def library_and_roots(asked: str) -> tuple[str, list[Path]]:
    """``LIBRARY[:FOLDER[:FOLDER]]``: the library's name and its folders.

    Raises:
        UsageError: no folder is named, and the library is not installed here.
    """
    library, _, places = asked.partition(":")
    return library, [Path(place) for place in places.split(":") if place] or _installed(library)


def _line(item: dict[str, Any]) -> tuple[str, str, str, str]:
    findings = item["findings"]
    heaviest = f"{findings[0]['code']}: {findings[0]['message'][:90]}" if findings else item["reason"][:90]
    return item["task"], item["verdict"], str(len(findings)) if findings else "", heaviest


def _installed(library: str) -> list[Path]:
    """Where the library is installed beside this program; it is looked up and not imported.

    Raises:
        UsageError: nowhere.
    """
    from importlib.util import find_spec

    found = find_spec(library) if library.isidentifier() else None
    if found is None or not found.origin:
        raise UsageError(
            f"foreign library {library[:60]!r}", "not installed here", f"name its folder: {library[:60]}:PATH"
        )
    return [Path(found.origin).parents[1]]
