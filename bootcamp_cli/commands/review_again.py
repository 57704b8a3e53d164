"""``bootcamp review again``: run one of the three worst rows of evidence again, on fresh containers."""

from __future__ import annotations

from typing import Annotated

import typer

from bootcamp_cli.commands.review_decide import Ref, Reviewer, reviewer_of
from bootcamp_cli.machine import open_queue, open_sandbox
from bootcamp_cli.output import NO, JsonFlag, print_json, say
from bootcamp_cli.settings import load_settings
from bootcamp_kit.errors import UsageError


def again(
    ref: Ref,
    row: Annotated[
        int, typer.Argument(help="1 the wrong answer that earned most, 2 a rejected right one, 3 a mutant.")
    ],
    reviewer: Reviewer = None,
    as_json: JsonFlag = False,
) -> None:
    """Run one of the three worst rows of evidence again; exit 1 when it does not come out as the report says.

    Where the report has no defect the same kind of attempt is made; 3 then runs the mutation test of the verifier.
    """
    from review.session import Session

    if row not in (1, 2, 3):
        raise UsageError("review again", f"row {row}", "1, 2 or 3")
    settings = load_settings(reviewer=reviewer)
    who = reviewer_of(settings)
    with open_queue(settings) as queue, Session(queue, who, lambda: open_sandbox(settings)) as session:
        item = queue.item(ref)
        chosen = session.rows(item)[row - 1]
        if not chosen.runnable:
            raise UsageError(f"running the {chosen.title} of {item.ref} again", chosen.text, "there is nothing to run")
        done = session.rerun(item, chosen)
    if as_json:
        steps = [list(step) for step in done.steps]
        print_json({"row": chosen.key, "report_says": chosen.text, "held": done.held, "steps": steps})
    else:
        typer.echo(f"{chosen.title}; the report says: {chosen.text}")
        for label, text in done.steps:
            typer.echo(f"{label}: {text}")
        say(done.words)
    if done.held is False:
        raise typer.Exit(NO)
