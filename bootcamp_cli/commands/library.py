"""``bootcamp library list|show|sample``: what is in the library, without the sandbox."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from bootcamp_cli.groups import group
from bootcamp_cli.output import JsonFlag, print_json, say, shown, table
from bootcamp_cli.settings import library_setting
from bootcamp_kit.counted import counted
from bootcamp_kit.errors import UsageError
from bootcamp_kit.folder import TaskFolder
from bootcamp_kit.library import Entry, Library, approved_and_retired, approved_hash, retired_because

LibraryOption = Annotated[
    Path | None, typer.Option("--library", help="Library folder; default: the setting, else the installed one.")
]


def build_app() -> typer.Typer:
    """The verb and its three sub-verbs."""
    app = group("List, show and sample merged tasks.")
    app.command("list")(list_tasks)
    app.command("show")(show)
    app.command("sample")(sample)
    return app


def open_library(named: Path | None) -> Library:
    """The library of the flag or the setting, else the default one.

    Raises:
        UsageError: the named folder is not there.
    """
    if named is None:
        return Library.default()
    if not named.is_dir():
        raise UsageError(f"task library {named}", "not a folder", "name a folder of <family>/<task_id>/card.toml")
    return Library(named)


def chosen(library: Library, names: Sequence[str], *, paths_first: bool = False) -> list[Entry | str]:
    """What names stand for: ``all`` or a family its tasks that are not retired, an id its task, retired or not.

    A name that is none of these comes back as it is; with ``paths_first``, so does an id that is a path as well. What
    is retired is told of.

    Raises:
        UsageError: nothing but retired tasks is in a group.
    """
    entries = library.scan()[0]
    merged = {entry.card.id: entry for entry in entries}
    found: list[Entry | str] = []
    left: dict[str, None] = {}
    for name in names:
        members = [entry for entry in entries if name in ("all", entry.card.family)]
        if name in merged and not (paths_first and Path(name).exists()):
            if (retired := retired_because(merged[name].path)) is not None:
                say(f"note: {name} is retired: {retired}")
            found.append(merged[name])
        elif members and name not in merged:
            retired_ids = [entry.card.id for entry in members if retired_because(entry.path) is not None]
            if len(retired_ids) == len(members):
                many = "its only task is" if len(members) == 1 else f"its {len(members)} tasks are all"
                raise UsageError(f"tasks {name}", f"{many} retired: {_few(retired_ids)}", "name them by their ids")
            left |= dict.fromkeys(retired_ids)
            found += [entry for entry in members if entry.card.id not in retired_ids]
        else:
            found.append(name)
    if out := [task_id for task_id in left if task_id not in names]:
        them = "it by its id to take it" if len(out) == 1 else "them by their ids to take them"
        say(f"{counted(len(out), 'retired task')} left out: {_few(out)}; name {them} all the same")
    return found


def _few(ids: Sequence[str], most: int = 5) -> str:
    return ", ".join(ids[:most]) + (f" and {len(ids) - most} more" if len(ids) > most else "")


def list_tasks(library: LibraryOption = None, as_json: JsonFlag = False) -> None:
    """List the tasks; reads cards only, runs no task code."""
    shelf = open_library(library_setting(library))
    entries, problems = shelf.scan()
    if as_json:
        print_json(
            {
                "library": str(shelf.root),
                "tasks": [_summary(entry) for entry in entries],
                "problems": [{"path": str(item.path), "reason": item.reason} for item in problems],
            }
        )
    else:
        columns = ("id", "family", "version", "levels", "answer", "licence", "title")
        gone = {entry.card.id for entry in entries if retired_because(entry.path) is not None}
        rows = [
            (
                entry.card.id,
                entry.card.family,
                entry.card.version,
                str(len(entry.card.difficulty.levels)),
                entry.card.answer.kind,
                entry.card.source.licence,
                entry.card.title + (" (retired)" if entry.card.id in gone else ""),
            )
            for entry in entries
        ]
        words = f"{counted(len(entries), 'task')} in {shelf.root}" + (f", {len(gone)} of them retired" if gone else "")
        table(words, columns, rows)
        for item in problems:
            say(f"not readable: {item.path}: {item.reason}")
    if problems:
        raise typer.Exit(1)


def show(task_id: str, library: LibraryOption = None, as_json: JsonFlag = False) -> None:
    """Show one task's card, approval and evidence."""
    entry = open_library(library_setting(library)).entry(task_id)
    if as_json:
        print_json({**_summary(entry), "standing": standing(entry), "card": entry.card.to_dict()})
        return
    card = entry.card
    rows = [
        ("title", card.title),
        ("summary", card.summary),
        ("folder", str(entry.path)),
        ("version", card.version),
        ("answer", f"{card.answer.kind}: {card.answer.format}"),
        ("solutions", card.solutions),
        ("source", f"{card.source.name} ({card.source.licence}) {card.source.url}".rstrip()),
        ("made by", card.author),
        ("approved", standing(entry)),
        ("retired", retired_because(entry.path) or "no"),
        *((f"level {level}", _words(card.difficulty.params(level))) for level in card.difficulty.levels),
        ("evidence", ", ".join(sorted(path.name for path in (entry.path / "evidence").glob("*"))) or "none"),
    ]
    table(card.address, ("key", "value"), rows)


def sample(
    task_id: str,
    level: Annotated[int, typer.Option(help="Difficulty level.")] = 1,
    seed: Annotated[int, typer.Option(help="Seed of the first case.")] = 0,
    count: Annotated[int, typer.Option("-n", "--count", min=1, max=10_000, help="How many cases.")] = 1,
    response: Annotated[str | None, typer.Option(help="Score this response on the first case.")] = None,
    response_file: Annotated[Path | None, typer.Option(help="The same, from a file.")] = None,
    library: LibraryOption = None,
    as_json: JsonFlag = False,
) -> None:
    """Print cases of one merged task as a solver sees them; with a response, score it (exit 1 when it is not right)."""
    shelf = open_library(library_setting(library))
    task = shelf.load(task_id)
    retired = retired_because(shelf.entry(task_id).path)
    if retired:
        say(f"note: {task_id} is retired: {retired}")
    cases = [task.case(level, seed + offset) for offset in range(count)]
    if response is not None and response_file is not None:
        raise UsageError("sample", "both --response and --response-file", "give one of them")
    if response_file is not None:
        response = read_response(response_file)
    score = task.score(cases[0], response) if response is not None else None
    if as_json:
        found: dict[str, Any] = {
            "task": task_id,
            "content_hash": task.content_hash,
            "licence": task.card.source.licence,
            "cases": [
                {"level": case.level, "seed": case.seed, "payload": case.payload, "prompt": task.prompt(case)}
                for case in cases
            ],
        }
        if score:
            found["score"] = {"value": score.value, "outcome": score.outcome.value, "reason": score.reason}
        print_json(found)
    else:
        for case in cases:
            if count > 1:
                say(f"--- level {case.level}, seed {case.seed}")
            typer.echo(shown(task.prompt(case)))
        if score:
            typer.echo(shown(f"\nscore {score.value} ({score.outcome.value}) {score.reason}".rstrip()))
    if score and score.value < 1.0:
        raise typer.Exit(1)


def read_response(path: Path) -> str:
    """A response from a file, at most 10 MB of UTF-8.

    Raises:
        UsageError: not there, too large, not UTF-8.
    """
    try:
        if path.stat().st_size > 10_000_000:
            raise UsageError(f"response {path}", "larger than 10 MB", "give a smaller file")
        return path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"response {path}", str(error), "give a UTF-8 text file") from error


def _summary(entry: Entry) -> dict[str, Any]:
    card = entry.card
    approved, retired = approved_and_retired(entry.path)
    return {
        "id": card.id,
        "family": card.family,
        "version": card.version,
        "title": card.title,
        "summary": card.summary,
        "levels": len(card.difficulty.levels),
        "answer_kind": card.answer.kind,
        "licence": card.source.licence,
        "author": card.author,
        "path": str(entry.path),
        "approved_hash": approved,
        "retired": retired,
    }


def standing(entry: Entry) -> str:
    """Whether the bytes on disk are the approved ones; no task code is run."""
    approved = approved_hash(entry.path)
    if approved is None:
        return "no"
    found = TaskFolder.read(entry.path).content_hash
    return approved if found == approved else f"{approved}, but the bytes on disk differ ({found[:12]})"


def _words(params: dict[str, Any]) -> str:
    return ", ".join(f"{name} {value}" for name, value in params.items())
