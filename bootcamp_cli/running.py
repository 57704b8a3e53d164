"""Everything an authoring run needs around it: sandbox, gate, queue, author, ledger, progress."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from bootcamp_cli.authors import open_author, open_ledger
from bootcamp_cli.commands.library import open_library
from bootcamp_cli.known_items import submitting
from bootcamp_cli.machine import gate, open_queue
from bootcamp_cli.output import say
from bootcamp_cli.replacing import Replacement
from bootcamp_cli.roles import open_roles
from bootcamp_cli.tracing import traced_run
from bootcamp_kit.errors import UsageError

if TYPE_CHECKING:
    from authoring.context import AuthoringContext
    from authoring.roles import Spend
    from authoring.runs import RunFolder
    from bootcamp_cli.settings_model import Settings
    from bootcamp_kit.library import Library
    from chat_models.ledger import LedgerSummary
    from sandbox.service import Sandbox


@contextmanager
def surroundings(settings: Settings, run: RunFolder, sandbox: Sandbox) -> Iterator[AuthoringContext]:
    """Open all of it for one run, and close all of it whatever happens.

    Raises:
        UsageError: the author is not usable as named.
        MachineError: queue or call store cannot be opened.
    """
    from authoring.context import AuthoringContext
    from authoring.dashboard import dashboard
    from authoring.model_author import ModelAuthor
    from authoring.replacing import ReplacingAuthor
    from chat_models.cache import CachedModel

    replacement = Replacement(settings, sandbox)
    with ExitStack() as stack:
        stack.enter_context(traced_run(settings, run.run_id))
        ledger = stack.enter_context(closing(open_ledger(settings, run.run_id)))
        queue = stack.enter_context(open_queue(settings))
        author = stack.enter_context(open_author(settings.author, sandbox, ledger, run.settings, settings))
        listener = stack.enter_context(dashboard())
        model = author.model if isinstance(author, ModelAuthor) else None
        yield AuthoringContext(
            author=ReplacingAuthor(author, replacement.standing, replacement.size, replacement.refuse),
            gate=replacement.gate(gate(settings, sandbox)),
            submit=submitting(settings, queue, sandbox),
            run=run,
            settings=replace(run.settings, max_minutes=settings.max_minutes),
            clock=lambda: datetime.now(UTC),
            listener=listener,
            roles=open_roles(settings, ledger, model) if isinstance(model, CachedModel) else None,
            boxes=lambda files, limits: sandbox.box(files, limits),
            library=_library(settings) if model else None,
            spent=lambda brief_id: _spend(ledger.summary(brief_id=brief_id)),
            handle_signals=True,
        )


def _library(settings: Settings) -> Library | None:
    """The library to compare with; a run does not need one."""
    try:
        return open_library(settings.library)
    except UsageError as error:
        say(f"nothing is compared with a library: {error.asked}: {error.found}")
        return None


def _spend(summary: LedgerSummary) -> Spend:
    from authoring.roles import Spend

    return Spend(summary.paid_calls, summary.tokens, summary.usd)


def spent(settings: Settings, run_id: str) -> LedgerSummary:
    """What a run's model calls cost."""
    with closing(open_ledger(settings, run_id)) as ledger:
        return ledger.summary()
