"""``bootcamp review judge``: say which of two answers is right before anything, or anybody, tells you."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer

from bootcamp_cli.commands.review_decide import Ref, Reviewer, reviewer_of
from bootcamp_cli.machine import open_queue, open_sandbox
from bootcamp_cli.output import NO, JsonFlag, print_json, say, stdout
from bootcamp_cli.settings import load_settings
from bootcamp_kit.errors import UsageError

if TYPE_CHECKING:
    from bootcamp_kit.report import Finding
    from review.item import QueueItem
    from review.pair import Pair
    from review.session import Session


def judge(
    ref: Ref,
    level: Annotated[int | None, typer.Option(help="Of which level; default: the lowest.")] = None,
    answer: Annotated[int | None, typer.Option(help="1 or 2: the one you say is right; default: ask for it.")] = None,
    reviewer: Reviewer = None,
    as_json: JsonFlag = False,
) -> None:
    """See a case with two answers, say which is right, then be told; only then what a model said of the task.

    Your first word on a level is recorded. Exit 1 when you and the task disagree, or no pair can be made. With --json
    and without --answer the pair is printed and nothing is told.
    """
    from review.session import Session, outer_levels

    if answer not in (None, 1, 2):
        raise UsageError("review judge", f"--answer {answer}", "1 or 2")
    settings = load_settings(reviewer=reviewer)
    who = reviewer_of(settings)
    with open_queue(settings) as queue, Session(queue, who, lambda: open_sandbox(settings)) as session:
        item = queue.item(ref)
        pair = session.pair(item, level if level is not None else outer_levels(item)[0])
        if pair.problem:
            _no_pair(item, pair, as_json=as_json)
        if answer is None or not as_json:
            _show(pair, as_json=as_json)
        if answer is None and as_json:
            return
        _tell(session, item, pair, (answer or _ask()) - 1, as_json=as_json)


def _no_pair(item: QueueItem, pair: Pair, *, as_json: bool) -> NoReturn:
    """That there is none says something about the task, not about the call."""
    from review.visible import one_line

    if as_json:
        print_json({"level": pair.level, "seed": pair.seed, "problem": pair.problem})
    else:
        typer.echo(f"no pair of answers of {item.ref} at level {pair.level}: {one_line(pair.problem, at_most=600)}")
        say("look at another level, or try a case yourself: bootcamp review try")
    raise typer.Exit(NO)


def _show(pair: Pair, *, as_json: bool) -> None:
    from review.case_page import pair_page

    if as_json:
        print_json({"level": pair.level, "seed": pair.seed, "prompt": pair.prompt, "answers": list(pair.responses)})
    else:
        stdout().print(pair_page(pair))


def _tell(session: Session, item: QueueItem, pair: Pair, chosen: int, *, as_json: bool) -> None:
    from review.opinions import split
    from review.visible import one_line

    agreed = session.judge(item, pair, chosen)
    opinions = split(item.report)[1] if session.told(item) else ()
    if as_json:
        print_json({"agreed": agreed, "right": pair.right + 1, "opinions": [_plain(one) for one in opinions]})
    else:
        typer.echo(f"the task says {pair.right + 1}: you {'agree' if agreed else 'DISAGREE'}")
        for finding in opinions:
            typer.echo(f"a model's opinion, {finding.severity}: {finding.code}: {one_line(finding.message)}")
    if not agreed:
        raise typer.Exit(NO)


def _plain(finding: Finding) -> dict[str, Any]:
    from bootcamp_kit.report import to_json

    return {**to_json(finding), "id": finding.id}


def _ask() -> int:
    import sys

    say("which is right, 1 or 2?")
    said = sys.stdin.readline().strip()
    if said not in ("1", "2"):
        raise UsageError("review judge", f"{said[:40]!r} is neither", "answer 1 or 2")
    return int(said)
