"""The deciding verbs of ``bootcamp review``: approve, reject, return, undo; and what the log tells."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bootcamp_cli.machine import open_queue
from bootcamp_cli.output import NO, JsonFlag, print_json, say
from bootcamp_cli.settings import load_settings
from bootcamp_kit.counted import counted
from bootcamp_kit.decision import Choice
from bootcamp_kit.errors import ReviewRuleError
from review.states import State

if TYPE_CHECKING:
    from bootcamp_cli.settings_model import Settings
    from review.item import QueueItem
    from review.queue import Queue

Ref = Annotated[str, typer.Argument(help="Task id, content hash (6 digits or more), or task_id@hash.")]
Reviewer = Annotated[str | None, typer.Option(help="'Name <mail>'; default: git's identity.")]


def reviewer_of(settings: Settings) -> str:
    """Who reviews: the setting, else git's identity.

    Raises:
        ReviewRuleError: neither names a person.
    """
    from review.people import git_identity

    return settings.reviewer or git_identity(Path.cwd())


def looking(settings: Settings) -> str:
    """Who looks, or "" when nobody is known."""
    try:
        return reviewer_of(settings)
    except ReviewRuleError:
        return ""


def note_look(settings: Settings, queue: Queue, item: QueueItem, *what: str) -> None:
    """Record what was opened, for the decision that may follow; nothing when nobody known is looking."""
    who = looking(settings)
    for name in what if who else ():
        queue.note(item.content_hash, who, name)


def tell_opinions(settings: Settings, queue: Queue, item: QueueItem) -> bool:
    """Whether a model's opinions may be shown to whoever looks; that they are shown goes on record."""
    from review.opinions import OPENED, has_any, may_be_told

    who = looking(settings)
    told = may_be_told(item, bool(who and queue.judged(item.content_hash, who)))
    if told and has_any(item.report):
        note_look(settings, queue, item, OPENED)
    return told


def approve(
    ref: Ref,
    reviewer: Reviewer = None,
    reason: Annotated[str, typer.Option(help="A remark for the record.")] = "",
    as_json: JsonFlag = False,
) -> None:
    """Approve exactly these bytes and this report; `bootcamp merge` then puts them into the library.

    You must have opened something of it before: `review show`, `judge`, `try` or the page of `review html`.
    """
    _decide(ref, Choice.APPROVE, reviewer, reason, as_json=as_json)


def reject(
    ref: Ref,
    reason: Annotated[str, typer.Option(help="Why.")] = "",
    reviewer: Reviewer = None,
    as_json: JsonFlag = False,
) -> None:
    """Reject a candidate for good."""
    _decide(ref, Choice.REJECT, reviewer, reason, as_json=as_json)


def return_(
    ref: Ref,
    reason: Annotated[str, typer.Option(help="What is wrong with it.")] = "",
    reviewer: Reviewer = None,
    as_json: JsonFlag = False,
) -> None:
    """Send a candidate back; `bootcamp repair` feeds the reason and the findings to an author."""
    _decide(ref, Choice.RETURN, reviewer, reason, as_json=as_json)


def _decide(ref: str, choice: Choice, reviewer: str | None, reason: str, *, as_json: bool) -> None:
    from dataclasses import asdict

    from bootcamp_cli.replacing import library_root
    from review.decide import decide, needs_two, told_afterwards, warnings
    from review.haste import hasty_approvals
    from review.shared import on_disk

    settings = load_settings(reviewer=reviewer)
    who, library = reviewer_of(settings), library_root(settings)
    with open_queue(settings) as queue:
        item = queue.item(ref)
        seen = choice is not Choice.APPROVE or queue.opened(item, who)
        shown_hash = item.folder.content_hash if seen else ""
        decision = decide(queue, item.ref, choice, who, reason, shown_hash=shown_hash, library=library)
        now = queue.item(item.content_hash)
    state, told = now.state, told_afterwards(now)
    if as_json:
        print_json({**asdict(decision), "ref": item.ref, "state": state.value, "told": told})
        return
    if told:
        typer.echo(f"{item.ref} was put there to measure reviewers: {told}")
        return
    for warning in warnings(item):
        say(f"note: {warning}")
    if choice is Choice.APPROVE and state is not State.APPROVED:
        typer.echo(f"first approval of {item.ref} by {decision.reviewer}")
        why = "; ".join(needs_two(item, on_disk(library))) or "you made an attempt that it was repaired from"
        say(f"a second person must approve it too: {why}")
        return
    done = {Choice.APPROVE: "approved", Choice.REJECT: "rejected", Choice.RETURN: "returned"}[choice]
    typer.echo(f"{done} {item.ref} by {decision.reviewer}")
    if choice is Choice.APPROVE:
        for text in hasty_approvals(now):
            say(f"note: {text}")
        say(_after_approval(item))
    elif choice is Choice.RETURN:
        say(f"next: bootcamp repair {item.ref} --author PROVIDER:MODEL")


def _after_approval(item: QueueItem) -> str:
    """What to do next: merging, unless the licence forbids it."""
    from review.policy import licence_problem

    if licence_problem(item.licence) or licence_problem(item.brief.source.licence):
        return "not to be merged under this licence: write the right one into the brief and author the task again"
    return f"next: bootcamp merge {item.ref}"


def undo(ref: Ref, reviewer: Reviewer = None, as_json: JsonFlag = False) -> None:
    """Take back your own decision, as long as nothing came after it."""
    from review.decide import undo as take_back

    settings = load_settings(reviewer=reviewer)
    with open_queue(settings) as queue:
        kind = take_back(queue, ref, reviewer_of(settings))
        item = queue.item(ref)
    if as_json:
        print_json({"ref": item.ref, "taken_back": kind, "state": item.state.value})
    else:
        typer.echo(f"taken back: {item.ref} is no longer {kind}; it is {item.state}")


def log(
    verify: Annotated[bool, typer.Option("--verify", help="Check the hash chain; exit 1 when it is broken.")] = False,
    as_json: JsonFlag = False,
) -> None:
    """Print the append-only event log of the queue.

    --verify walks the hash chain, compares every item with its events, and every merged task's record with the log.
    """
    from dataclasses import asdict, replace

    from bootcamp_cli.output import table
    from bootcamp_cli.replacing import library_root
    from review.tied import Tied, tied

    settings = load_settings()
    with open_queue(settings) as queue:
        if not verify:
            events = queue.events()
            if as_json:
                print_json([asdict(event) for event in events])
            else:
                rows = [(str(e.seq), e.at, e.kind, e.content_hash[:12], e.actor) for e in events]
                table("events", ("seq", "at", "event", "content", "by"), rows)
            return
        checked = queue.verify_log()
        library = library_root(settings)
        both = tied(queue, library) if library else Tied(0)
    checked = replace(checked, problems=(*checked.problems, *both.problems))
    if as_json:
        print_json({**asdict(checked), "tied": both.count})
    else:
        verdict = "sound" if not checked.problems else "BROKEN"
        typer.echo(f"{counted(checked.count, 'event')}, head {checked.head[:12]}: {verdict}")
        for problem in checked.problems:
            typer.echo(problem)
        if both.count:
            said = "merged task names an event of this log in its record"
            say(counted(both.count, said, "merged tasks name an event of this log in their record"))
    if checked.problems:
        raise typer.Exit(NO)


def people(as_json: JsonFlag = False) -> None:
    """How reviewers do, from the log: decisions, time, blind pairs, known items; agreement where two people decided.

    Shares of known items come with exact 95 % bounds; a reviewer with few of them has wide ones, and that is the truth.
    """
    from dataclasses import asdict

    from bootcamp_cli.output import table
    from review.statistics import Rate, agreement, reviewers

    def share(rate: Rate) -> str:
        return f"{rate.hits} of {rate.n} ({rate.low:.0%}-{rate.high:.0%})" if rate.n else "none yet"

    with open_queue(load_settings()) as queue:
        events = queue.events()
    found, both = reviewers(events), agreement(events)
    if as_json:
        print_json({"reviewers": [asdict(one) for one in found], "agreement": asdict(both)})
        return
    rows = [
        (
            one.name, str(one.approved), str(one.rejected), str(one.returned), str(one.withdrawn),
            "" if one.seconds is None else f"{one.seconds:.0f} s", str(one.unseen), str(one.hasty),
            f"{one.pairs_agreed} of {one.pairs}",
        )
        for one in found
    ]  # fmt: skip
    columns = (
        "who",
        "approved",
        "rejected",
        "returned",
        "taken back",
        "median",
        "unseen",
        "hasty",
        "pairs as the task says",
    )
    table("reviewers", columns, rows)
    judged = [one for one in found if one.caught.n or one.false_alarms.n]
    lines = [(one.name, share(one.caught), share(one.silent_caught), share(one.false_alarms)) for one in judged]
    if lines:
        table("known items", ("who", "broken: caught", "of these silent", "sound: turned down"), lines)
    if both.items:
        bounds = f"95 % {both.low:.0%} to {both.high:.0%}"
        typer.echo(f"two people decided {counted(both.items, 'item')} and agreed on {both.agreed} ({bounds})")


VERBS: Mapping[str, Callable[..., Any]] = {
    "approve": approve,
    "reject": reject,
    "return": return_,
    "undo": undo,
    "log": log,
    "people": people,
}
