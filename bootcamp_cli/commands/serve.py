"""``bootcamp serve``: sample and score over HTTP, for trainers in other processes and languages."""

from __future__ import annotations

import importlib.util
import os
import sys
from contextlib import ExitStack
from typing import TYPE_CHECKING, Annotated

import typer

from bootcamp_cli.commands.library import LibraryOption
from bootcamp_cli.foreign_tasks import UNKNOWN, ForeignOption, LicenceOption, open_foreign
from bootcamp_cli.output import JsonFlag, print_json, say
from bootcamp_cli.settings import load_settings
from bootcamp_kit.counted import counted
from bootcamp_kit.errors import UsageError

if TYPE_CHECKING:
    from sandbox.service import Sandbox

TOKEN = "BOOTCAMP_SERVE_TOKEN"


def serve(
    tasks: Annotated[list[str], typer.Argument(help="Task ids, families, `all`, folders, queue items.")],
    host: Annotated[str, typer.Option(help="Address; any but this machine's own needs a token.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="0 takes a free one.", min=0, max=65_535)] = 8_700,
    score: Annotated[str, typer.Option(help="sandbox | process (approved tasks only, faster).")] = "sandbox",
    max_body: Annotated[int, typer.Option(help="Longest body, MiB.", min=1)] = 16,
    max_items: Annotated[int, typer.Option(help="Most responses or cases of a request.", min=1)] = 1_024,
    max_waiting: Annotated[int, typer.Option(help="Most that wait or are under way; past it 503.", min=1)] = 10_000,
    rate: Annotated[float, typer.Option(help="Responses a second for each client, 0 for no limit.", min=0)] = 0.0,
    timeout: Annotated[float, typer.Option(help="Seconds a request may take.", min=0.1)] = 60.0,
    grace: Annotated[float, typer.Option(help="Seconds for requests under way at the end.", min=1)] = 30.0,
    workers: Annotated[int, typer.Option(help="Batches scored at once.", min=1)] = 4,
    boxes: Annotated[int, typer.Option(help="Most boxes open.", min=1)] = 16,
    allow_licence: Annotated[list[str] | None, typer.Option(help="Serve this refused licence after all.")] = None,
    foreign: ForeignOption = None,
    foreign_licence: LicenceOption = UNKNOWN,
    library: LibraryOption = None,
    allow_weak_sandbox: Annotated[bool | None, typer.Option("--allow-weak-sandbox", help="See `check`.")] = None,
    as_json: JsonFlag = False,
) -> None:
    """Serve tasks until SIGTERM or Ctrl-C. The bearer token is read from BOOTCAMP_SERVE_TOKEN (docs/serving.md)."""
    from bootcamp_cli.evaluating import find_tasks, require_approved
    from bootcamp_cli.machine import open_sandbox
    from evaluation.plan import SCORERS
    from evaluation.service.limits import ServiceLimits, require_token
    from evaluation.service.memory import keep_one_heap
    from evaluation.service.run import listen, until_stopped
    from evaluation.service.run import serve as serve_until_stopped
    from evaluation.service.shelf import Shelf

    missing = [name for name in ("fastapi", "uvicorn", "prometheus_client") if importlib.util.find_spec(name) is None]
    if missing:
        raise UsageError("serve", f"{', '.join(missing)} not installed", "pip install 'bootcamp-foundry[serve]'")
    if score not in SCORERS:
        raise UsageError("serve --score", f"{score[:40]!r}", f"use one of {', '.join(SCORERS)}")
    settings = load_settings(library=library, allow_weak_sandbox=allow_weak_sandbox)
    token = os.environ.get(TOKEN)
    require_token(token, host)
    limits = ServiceLimits(
        body_bytes=max_body << 20,
        items=max_items,
        waiting=max_waiting,
        rate=rate,
        timeout_s=timeout,
        grace_s=grace,
        workers=workers,
        boxes=boxes,
    )
    keep_one_heap()
    with until_stopped(), ExitStack() as stack:
        listener = stack.enter_context(listen(host, port))
        sandbox: Sandbox | None = None
        if foreign is None:
            folders = find_tasks(settings, tasks)
        else:
            found = stack.enter_context(open_foreign(settings, foreign, foreign_licence))
            folders, sandbox = found.choose(tasks), found.sandbox
        shelf = Shelf({folder.card.id: folder for folder in folders}, tuple(allow_licence or ()))
        if score == "process":
            require_approved(settings, folders)
            sandbox = None
        elif sandbox is None:
            sandbox = stack.enter_context(open_sandbox(settings))
        name, number = listener.getsockname()[:2]
        shown = f"[{name}]" if ":" in name else name
        url = f"http://{shown}:{number}"
        words = f"serving {counted(len(shelf.folders), 'task')} on {url}"
        words += f" · scored in {'processes' if sandbox is None else 'the sandbox'}"
        words += " · with a token" if token else f" · no token ({TOKEN} is not set)"

        def ready() -> None:
            say(words)
            if as_json:
                print_json({"url": url, "tasks": list(shelf.folders), "scorer": score, "token": bool(token)})
                sys.stdout.flush()

        serve_until_stopped(listener, shelf, sandbox, limits, token, ready)
