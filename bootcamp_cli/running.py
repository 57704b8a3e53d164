"""Everything an authoring run needs around it: sandbox, gate, queue, author, ledger, progress."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from bootcamp_cli.authors import open_author, open_ledger
from bootcamp_cli.machine import gate, open_queue
from bootcamp_cli.replacing import Replacement

if TYPE_CHECKING:
    from authoring.context import AuthoringContext
    from authoring.runs import RunFolder
    from bootcamp_cli.settings_model import Settings
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
    from authoring.replacing import ReplacingAuthor

    replacement = Replacement(settings, sandbox)
    with ExitStack() as stack:
        ledger = stack.enter_context(closing(open_ledger(settings, run.run_id)))
        queue = stack.enter_context(open_queue(settings))
        author = stack.enter_context(open_author(settings.author, sandbox, ledger, run.settings))
        listener = stack.enter_context(dashboard())
        yield AuthoringContext(
            author=ReplacingAuthor(author, replacement.standing, replacement.size),
            gate=replacement.gate(gate(settings, sandbox)),
            submit=queue.submit,
            run=run,
            settings=run.settings,
            clock=lambda: datetime.now(UTC),
            listener=listener,
            handle_signals=True,
        )


def spent(settings: Settings, run_id: str) -> LedgerSummary:
    """What a run's model calls cost."""
    with closing(open_ledger(settings, run_id)) as ledger:
        return ledger.summary()
