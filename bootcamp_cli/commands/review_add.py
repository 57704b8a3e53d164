"""``bootcamp review add``: queue a task that a person wrote. ``bootcamp review diff``: what differs from before."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bootcamp_cli.commands.review_decide import Ref, Reviewer, looking, note_look, reviewer_of
from bootcamp_cli.machine import gate, open_queue, open_sandbox
from bootcamp_cli.output import NO, JsonFlag, print_json, say, stdout
from bootcamp_cli.replacing import Replacement, find_task, library_root
from bootcamp_cli.settings import load_settings
from bootcamp_kit.counted import counted
from bootcamp_kit.errors import UsageError
from bootcamp_kit.folder import TaskFolder

if TYPE_CHECKING:
    from bootcamp_cli.settings_model import Settings
    from review.difference import Before
    from review.item import QueueItem
    from review.queue import Queue


def add(
    folder: Annotated[Path, typer.Argument(help="A task folder that you wrote, with card.toml.")],
    reviewer: Annotated[str | None, typer.Option("--author", help="'Name <mail>'; default: git's identity.")] = None,
    as_json: JsonFlag = False,
) -> None:
    """Queue a task written by hand. The gate runs first; you are its author, so somebody else approves it."""
    from review.handmade import submission

    settings = load_settings(reviewer=reviewer)
    author = reviewer_of(settings)
    task = TaskFolder.read(folder)
    with open_sandbox(settings) as sandbox:
        replacement = Replacement(settings, sandbox)
        standing = replacement.standing(task.card.id)
        made = submission(task, author, standing, replacement.size)
        report = replacement.gate(gate(settings, sandbox))(task)
    if report.verdict != "pass":
        say(f"not queued: the gate says {report.verdict}; see it: bootcamp check {folder}")
        for finding in report.findings[:10]:
            say(f"{finding.severity:8} {finding.code}: {finding.message}")
        if as_json:
            print_json({"queued": False, "verdict": report.verdict.value, "content_hash": report.content_hash})
        raise typer.Exit(NO)
    with open_queue(settings) as queue:
        ref = queue.item(queue.submit(made(report))).ref
    if as_json:
        print_json({"queued": True, "ref": ref, "author": author, "verdict": report.verdict.value})
    else:
        typer.echo(f"queued {ref}, made by {author}")
        say("somebody else reviews it: bootcamp review list")


def calibrate(
    count: Annotated[
        int | None, typer.Option(help="How many; default: up to the share of what waits (known_share, 1 in 20).")
    ] = None,
    as_json: JsonFlag = False,
) -> None:
    """Put known broken and known sound tasks among what waits, to measure reviewers; `review people` tells.

    They look like candidates, are told with the decision, and are never merged. `author` does the same by itself.
    """
    from bootcamp_cli.known_items import fill
    from review.calibration import missing

    settings = load_settings()
    if count is not None and not 0 <= count <= 1_000:
        raise UsageError("review calibrate", f"--count {count}", "0 to 1000")
    with open_queue(settings) as queue:
        waiting, known = queue.counts()
        wanted = missing(waiting - known, known, settings.known_share) if count is None else count
        done = 0
        if wanted:
            with open_sandbox(settings) as sandbox:
                done = fill(settings, queue, sandbox, wanted)
    if as_json:
        print_json({"asked": wanted, "put_in": done})
    else:
        typer.echo(f"{counted(done, 'known item')} put in")
        if not wanted and count is None:
            there = counted(waiting, "item waits", "items wait")
            say(f"{there}: a share of {settings.known_share:g} asks for no more; --count N puts N in at once")
        if done < wanted:
            say("there are no more that were not used before")


def diff(
    ref: Ref,
    against: Annotated[
        str | None, typer.Option(help="A queue item or a task of the library; default: what was reviewed before.")
    ] = None,
    reviewer: Reviewer = None,
    as_json: JsonFlag = False,
) -> None:
    """What differs from what was reviewed before, or from the version that stands, or from the nearest task."""
    from dataclasses import asdict

    from review import difference

    settings = load_settings(reviewer=reviewer)
    with open_queue(settings) as queue:
        item = queue.item(ref)
        note_look(settings, queue, item, "difference")
        before = _named(settings, queue, against) if against else _found(settings, queue, item)
    if before is None:
        raise UsageError(
            f"comparing {item.ref}", "no earlier attempt and no task in the library", "name one: --against"
        )
    if as_json:
        found = difference.differences(before.files, item.folder.files)
        print_json({"against": before.words, "files": [asdict(one) for one in found]})
    else:
        stdout().print(difference.page(before, item.folder.files))


def _found(settings: Settings, queue: Queue, item: QueueItem) -> Before | None:
    from review import difference

    library = library_root(settings)
    found = difference.before_of(queue, item, looking(settings), library)
    return found or difference.nearest_before(item, library)


def _named(settings: Settings, queue: Queue, name: str) -> Before:
    from review.difference import Before

    path = find_task(settings, name) if name.isidentifier() else None
    if path is not None:
        return Before(f"{name} in the library", TaskFolder.read(path).files)
    item = queue.item(name)
    return Before(item.ref, item.folder.files)
