"""``bootcamp review app``: the queue on the full screen, or as a dialogue of plain lines."""

from __future__ import annotations

from typing import Annotated

import typer

from bootcamp_cli.commands.review_decide import Reviewer, reviewer_of
from bootcamp_cli.machine import open_queue, open_sandbox
from bootcamp_cli.replacing import library_root
from bootcamp_cli.settings import load_settings
from bootcamp_kit.errors import UsageError
from review.states import OPEN


def app(
    plain: Annotated[bool, typer.Option("--plain", help="A dialogue of plain lines, for screen readers.")] = False,
    family: Annotated[str, typer.Option(help="Only this family.")] = "",
    min_risk: Annotated[int, typer.Option(help="Only risks from here on, 0 to 100.")] = 0,
    search: Annotated[str, typer.Option(help="Words to find in id, family, title and author.")] = "",
    reviewer: Reviewer = None,
) -> None:
    """Review on the full screen: evidence first, run it again, judge answers blind, try, decide, take back."""
    import sys

    from review.listing import Filter
    from review.session import Session

    if not plain and not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise UsageError("review app", "this is not a terminal", "use --plain, or the verbs list, show, try, approve …")
    if not plain:
        _require_textual()
    settings = load_settings(reviewer=reviewer)
    who = reviewer_of(settings)
    wanted = Filter(OPEN, family=family, min_risk=min_risk, search=search)
    with (
        open_queue(settings) as queue,
        Session(queue, who, lambda: open_sandbox(settings), library=library_root(settings)) as session,
    ):
        if plain:
            from review.plain import Plain

            Plain(session, wanted, _ask, typer.echo).run()
        else:
            from review.app.app import sit

            sit(session, wanted)


def _require_textual() -> None:
    """Say clearly what is missing.

    Raises:
        UsageError: Textual is not installed.
    """
    import importlib.util

    if importlib.util.find_spec("textual") is None:
        raise UsageError(
            "review app",
            "Textual is not installed",
            "pip install 'bootcamp-foundry[tui]', or use --plain, or the verbs list, show, try, approve …",
        )


def _ask(question: str) -> str:
    """One line; the question goes to stderr, so that stdout holds the answers only."""
    import sys

    sys.stderr.write(question)
    sys.stderr.flush()
    line = sys.stdin.readline()
    if not line:
        raise EOFError
    return line.rstrip("\n")
