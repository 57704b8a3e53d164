"""The ``bootcamp`` command: verbs are registered here, each lives in ``commands/<verb>.py``."""

from __future__ import annotations

from typing import Annotated

import typer

from bootcamp_cli.commands import (
    audit,
    author,
    benchmark,
    check,
    doctor,
    evaluate,
    export,
    library,
    mcp,
    merge,
    mix,
    repair,
    review,
    runs,
    sandbox,
    serve,
)
from bootcamp_cli.output import guarded
from bootcamp_kit import __version__


def build_app() -> typer.Typer:
    """Put the verbs together."""
    app = typer.Typer(
        name="bootcamp",
        help="Make verifiable reasoning tasks from descriptions, measure them in a sandbox, approve and merge them.",
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
    )
    app.callback()(_root)
    app.command("author")(author.author)
    app.command("check")(check.check)
    app.command("audit")(audit.audit)
    app.add_typer(review.build_app(), name="review")
    app.command("merge")(merge.merge)
    app.command("repair")(repair.repair)
    app.command("mcp")(mcp.mcp)
    app.add_typer(runs.build_app(), name="runs")
    app.add_typer(library.build_app(), name="library")
    app.add_typer(evaluate.build_app(), name="evaluate")
    app.command("export")(export.export)
    app.add_typer(mix.build_app(), name="mix")
    app.add_typer(benchmark.build_app(), name="benchmark")
    app.command("serve")(serve.serve)
    app.add_typer(sandbox.build_app(), name="sandbox")
    app.command("doctor")(doctor.doctor)
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
    return guarded(lambda: build_app()(args=arguments, standalone_mode=False, prog_name="bootcamp"))
