"""``bootcamp mcp``: coding agents as authors, over the Model Context Protocol on standard input and output."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack, closing, contextmanager
from datetime import UTC, datetime
from importlib.util import find_spec
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Annotated

import typer

from bootcamp_cli.authors import open_ledger, require_usable
from bootcamp_cli.commands.author import new_run
from bootcamp_cli.machine import gate, open_queue, open_sandbox
from bootcamp_cli.output import say
from bootcamp_cli.reading import read_paths
from bootcamp_cli.replacing import Replacement
from bootcamp_cli.roles import open_roles, opposing, specs_of
from bootcamp_cli.settings import load_settings
from bootcamp_kit import __version__
from bootcamp_kit.counted import counted
from bootcamp_kit.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from authoring.agents.desk import Desk
    from authoring.agents.limits import DeskLimits
    from authoring.agents.opponents import Opponents
    from authoring.runs import RunFolder
    from bootcamp_cli.settings_model import Settings
    from bootcamp_kit.brief import Brief
    from sandbox.service import Sandbox


def mcp(
    briefs: Annotated[list[Path] | None, typer.Argument(help="Briefs the agent may work on, as for `author`.")] = None,
    name: Annotated[
        str | None, typer.Option("--as", help="The author's name in card and lineage. Default: the client's own.")
    ] = None,
    resume: Annotated[str | None, typer.Option(help="Go on with the candidates of this earlier run.")] = None,
    turns: Annotated[int, typer.Option(help="Drafts and repairs for each brief.")] = 40,
    allow_weak_sandbox: Annotated[bool | None, typer.Option("--allow-weak-sandbox", help="See `check`.")] = None,
) -> None:
    """Serve briefs, contract, gate and queue to a coding agent over MCP (stdio).

    Same gate, lineage and queue as for every author. Where `[roles]` names an opponent, what passed the gate is opposed
    before it is queued. See docs/mcp.md for how to register it.
    """
    from authoring.agents.limits import DeskLimits, author_name

    if find_spec("mcp") is None:
        raise UsageError("mcp", "the MCP SDK is not installed", "pip install 'bootcamp-foundry[mcp]'")
    from authoring.agents.mcp_server import build_server
    from authoring.runs import RunFolder

    settings = load_settings(allow_weak_sandbox=allow_weak_sandbox)
    if (resume is None) == (not briefs):
        raise UsageError("mcp", "neither briefs nor a run" if not briefs else "briefs and a run", "name one of the two")
    if resume is None:
        found, problems = read_paths(briefs or [])
        for problem in problems:
            say(f"not read: {problem.path}: {problem.error}")
        if not found:
            raise UsageError("mcp", "no usable brief", "mend what is named above")
        run = new_run(settings.model_copy(update={"author": author_name(name or "mcp")}))
    else:
        run = RunFolder.open(settings.state_dir, resume)
        if not str(run.record["author"]).startswith("agent:"):
            raise UsageError(f"mcp --resume {resume}", "no coding agent made it", f"bootcamp runs resume {resume}")
        found = [run.artefacts.brief(item.brief) for item in run.work()]
    say(f"run {run.run_id} · {counted(len(found), 'brief')} · state {settings.state_dir}")
    with run.lock("bootcamp mcp"), _desk(settings, run, found, DeskLimits(turns)) as desk:
        build_server(desk, version=__version__, author=author_name(name) if name else "").run("stdio")


@contextmanager
def _desk(settings: Settings, run: RunFolder, briefs: list[Brief], limits: DeskLimits) -> Iterator[Desk]:
    """The desk; the sandbox is opened by whoever needs it first, so that a client never waits for it to connect."""
    from authoring.agents.desk import Desk

    with ExitStack() as stack:
        queue = stack.enter_context(open_queue(settings))
        opened: list[Sandbox] = []
        opening = Lock()

        def sandbox() -> Sandbox:
            with opening:
                if not opened:
                    opened.append(stack.enter_context(open_sandbox(settings)))
                return opened[0]

        desk = Desk(
            briefs,
            run=run,
            gate=lambda folder: Replacement(settings, sandbox()).gate(gate(settings, sandbox()))(folder),
            submit=queue.submit,
            clock=lambda: datetime.now(UTC),
            opponents=_opponents(settings, run, sandbox, stack),
            limits=limits,
        )
        desk.open()
        stack.callback(desk.close)
        yield desk


def _opponents(
    settings: Settings, run: RunFolder, sandbox: Callable[[], Sandbox], stack: ExitStack
) -> Opponents | None:
    """Opponents, where a model is named for them; one that cannot be used is said now.

    Raises:
        UsageError: an unknown role, or a model that is not usable as named.
    """
    named = opposing(settings)
    if named is None:
        say("candidates will not be opposed: [roles] names no opponent")
        return None
    from authoring.agents.opponents import Opponents

    for spec in specs_of(named):
        require_usable(spec)
    ledger = stack.enter_context(closing(open_ledger(named, run.run_id)))
    return Opponents(
        lambda: open_roles(named, ledger),
        lambda files, limits: sandbox().box(files, limits),
        run=run,
        clock=lambda: datetime.now(UTC),
    )
