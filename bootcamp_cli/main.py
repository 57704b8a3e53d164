"""The ``bootcamp`` command: verbs are registered here, each lives in ``commands/<verb>.py``."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Annotated

import typer

from bootcamp_cli.groups import group
from bootcamp_cli.interrupts import leaving_at_once
from bootcamp_cli.output import guarded
from bootcamp_kit import __version__

VERBS = (
    *("author", "check", "audit", "review", "merge", "repair", "mcp", "runs", "library", "evaluate", "export", "mix"),
    *("benchmark", "serve", "sandbox", "doctor"),
)
"""In the order of ``--help``; the module of that name has ``build_app``, or a function of that name."""


def build_app(only: str | None = None) -> typer.Typer:
    """Put the verbs together; or one alone, which spares the imports of the others."""
    app = group(
        "Make verifiable reasoning tasks from descriptions, measure them in a sandbox, approve and merge them.",
        name="bootcamp",
    )
    app.callback()(_root)
    for verb in VERBS if only is None else (only,):
        module = import_module(f"bootcamp_cli.commands.{verb}")
        if hasattr(module, "build_app"):
            app.add_typer(module.build_app(), name=verb)
        else:
            app.command(verb)(getattr(module, verb))
    return app


def _version(asked: bool) -> None:
    if asked:
        typer.echo(f"bootcamp {__version__}")
        raise typer.Exit


def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Make verifiable reasoning tasks from descriptions, measure them in a sandbox, approve and merge them."""


def call(arguments: list[str] | None = None) -> int:
    """Run one command line (default: the process's own) and return its exit code; errors have been shown by then."""
    words = sys.argv[1:] if arguments is None else arguments
    only = words[0] if words and words[0] in VERBS else None
    with leaving_at_once():
        app = build_app(only)
    return guarded(lambda: app(args=arguments, standalone_mode=False, prog_name="bootcamp"))
