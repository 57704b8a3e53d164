"""``bootcamp merge``: put approved candidates into the library's git repository, one commit each."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bootcamp_cli.commands.library import open_library
from bootcamp_cli.machine import open_queue
from bootcamp_cli.output import JsonFlag, print_json, say
from bootcamp_cli.settings import load_settings
from bootcamp_kit.errors import UsageError
from review.states import State

if TYPE_CHECKING:
    from review.queue import Queue


def merge(
    refs: Annotated[
        list[str] | None, typer.Argument(help="Approved candidates; default: the only one there is.")
    ] = None,
    everything: Annotated[
        bool, typer.Option("--all", help="Every approved candidate, each in a commit of its own.")
    ] = False,
    library: Annotated[
        Path | None, typer.Option(help="Library folder in a git checkout; default: the setting.")
    ] = None,
    push: Annotated[bool, typer.Option("--push", help="Push the branch when all is merged.")] = False,
    remote: Annotated[str, typer.Option(help="Where to push; default: the branch's own, or the only one.")] = "",
    pr_body: Annotated[
        Path | None, typer.Option(help="Write the text of a pull request, Markdown, to this file.")
    ] = None,
    as_json: JsonFlag = False,
) -> None:
    """Commit approved candidates to the library. All of a folder or nothing; what forbids it is said (exit 5)."""
    from dataclasses import asdict

    from review.haste import hasty_approvals
    from review.merge import merge as merge_one
    from review.people import git_identity
    from review.share import pull_request_body
    from review.share import push as push_branch

    settings = load_settings(library=library)
    place = open_library(settings.library).root
    if refs and everything:
        raise UsageError("merge", "both names and --all", "give one of them")
    done, items = [], []
    with open_queue(settings) as queue:
        approved = [entry.ref for entry in queue.items(states=[State.APPROVED])]
        chosen = refs or approved
        if not chosen and not push:
            raise _nothing(queue)
        if not refs and not everything and len(approved) > 1:
            raise UsageError("merge", f"{len(approved)} are approved", f"name one, or --all: {', '.join(approved)}")
        identity = git_identity(place)
        for ref in chosen:
            merged = merge_one(queue, ref, place, identity=identity)
            item = queue.item(ref)
            hasty = hasty_approvals(item)
            items.append((item, merged.commit))
            done.append({**asdict(merged), "path": str(merged.path), "ref": ref, "hasty": hasty})
            for note in (*merged.notes, *hasty):
                say(f"note: {note}")
            if not as_json:
                word = "merged" if merged.new else "was merged already:"
                typer.echo(f"{word} {ref} as {merged.commit[:12]} in {merged.path}")
    if pr_body is not None:
        _write(pr_body, pull_request_body(items))
    if push:
        say(f"pushed to {push_branch(place, remote=remote)}")
    if as_json:
        print_json(done)
    else:
        say("see it: bootcamp library list")


def _write(path: Path, text: str) -> None:
    from bootcamp_kit.errors import MachineError

    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise MachineError(f"writing {path}", str(error), "the merges are kept; name another file") from error


def retire(
    task_id: Annotated[str, typer.Argument(help="A merged task.")],
    reason: Annotated[str, typer.Option(help="Why it is no longer offered.")] = "",
    library: Annotated[
        Path | None, typer.Option(help="Library folder in a git checkout; default: the setting.")
    ] = None,
    reviewer: Annotated[str | None, typer.Option(help="'Name <mail>'; default: git's identity.")] = None,
    as_json: JsonFlag = False,
) -> None:
    """Take a merged task out of use, in one commit. Its bytes stay for whoever pinned them; its id is never reused."""
    from dataclasses import asdict

    from review.people import git_identity
    from review.retire import retire as retire_task

    settings = load_settings(library=library, reviewer=reviewer)
    place = open_library(settings.library).root
    done = retire_task(place, task_id, identity=settings.reviewer or git_identity(place), reason=reason)
    if as_json:
        print_json({**asdict(done), "path": str(done.path)})
    else:
        typer.echo(f"retired {task_id} in {done.commit[:12]}")


def _nothing(queue: Queue) -> UsageError:
    """Why there is nothing to merge: nobody approved anything, or a second person has yet to."""
    once = queue.first_approvals()
    waiting = [entry for entry in queue.items(states=[State.QUEUED]) if entry.content_hash in once] if once else []
    half = [f"{entry.ref} (approved by {once[entry.content_hash]})" for entry in waiting[:5]]
    if not half:
        return UsageError("merge", "nothing is approved", "approve a candidate: bootcamp review approve REF")
    found = f"nothing is approved by all who must: a second person is needed for {', '.join(half)}"
    return UsageError("merge", found, "somebody else approves it: bootcamp review approve REF")
