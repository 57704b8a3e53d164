"""``bootcamp repair``: a returned candidate goes back into the workflow with what was found and said."""

from __future__ import annotations

from typing import Annotated

import typer

from bootcamp_cli.authors import COMPILER, require_usable
from bootcamp_cli.commands.author import AuthorFlag, finish, new_run
from bootcamp_cli.output import JsonFlag, say
from bootcamp_cli.settings import load_settings
from bootcamp_kit.errors import UsageError


def repair(
    ref: Annotated[str, typer.Argument(help="A returned candidate: task id, content hash, or task_id@hash.")],
    author: AuthorFlag = None,
    repairs: Annotated[int | None, typer.Option(help="Repair rounds.")] = None,
    max_tokens: Annotated[int | None, typer.Option(help="Stop when the run has used this many tokens.")] = None,
    as_json: JsonFlag = False,
) -> None:
    """Have a returned candidate mended by a model; what passes the gate is queued in its place."""
    import asyncio

    from authoring.outcomes import BriefOutcome, RunSummary
    from authoring.workflow import repair as mend
    from bootcamp_cli.machine import open_queue, open_sandbox
    from bootcamp_cli.running import surroundings
    from review.decide import repair_order

    settings = load_settings(author=author, repairs=repairs, max_tokens=max_tokens)
    if settings.author == COMPILER:
        raise UsageError("repair", "the compiler makes the same task again", "name a model: --author PROVIDER:MODEL")
    require_usable(settings.author)
    with open_queue(settings) as queue:
        order = repair_order(queue, ref)
    with open_sandbox(settings) as sandbox:
        run = new_run(settings)
        say(f"run {run.run_id} · author {settings.author} · repairing {ref}")

        async def drive() -> BriefOutcome:
            with surroundings(settings, run, sandbox) as context:
                return await mend(order, context)

        outcome = asyncio.run(drive())
    finish(RunSummary(run.run_id, (outcome,)), settings, [], as_json=as_json)
