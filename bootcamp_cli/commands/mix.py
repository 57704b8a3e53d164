"""``bootcamp mix tell|show``: a curriculum's state, between an export that drew from it and the next."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from bootcamp_cli.commands.library import LibraryOption, open_library
from bootcamp_cli.groups import group
from bootcamp_cli.output import JsonFlag, print_json, say, table
from bootcamp_cli.settings import load_settings
from bootcamp_kit.errors import UsageError

StateArgument = Annotated[Path, typer.Argument(metavar="STATE", help="The file of `export --mix-state`.")]


def build_app() -> typer.Typer:
    """The verb and its sub-verbs."""
    app = group("Follow a learner: tell scores, see levels. Draw with `export --mix FILE --mix-state STATE --rows N`.")
    app.command("tell")(tell)
    app.command("show")(show)
    return app


def tell(
    state: StateArgument,
    scores: Annotated[str, typer.Argument(help="JSON lines with task_id, level, score; `-` reads stdin.")],
    library: LibraryOption = None,
    as_json: JsonFlag = False,
) -> None:
    """Tell scores of responses to drawn cases; levels move by the mix's band. A null score is unscored: not counted."""
    import sys

    from evaluation import mixing

    cards = [entry.card for entry in open_library(load_settings(library=library).library).scan()[0]]
    curriculum, first_seed = mixing.stored(state, cards)
    before = {row["task_id"]: row["level"] for row in curriculum.standing()}
    if scores == "-":
        told = mixing.tell(curriculum, sys.stdin)
    else:
        try:
            with Path(scores).open(encoding="utf-8") as lines:
                told = mixing.tell(curriculum, lines)
        except (OSError, UnicodeDecodeError) as error:
            raise UsageError(f"scores {scores[:100]}", str(error), "name a file of JSON lines, or -") from error
    mixing.save(state, curriculum, before, first_seed=first_seed)
    standing = curriculum.standing()
    moved = {
        row["task_id"]: [before[row["task_id"]], row["level"]]
        for row in standing
        if row["level"] != before[row["task_id"]]
    }
    if as_json:
        print_json({**asdict(told), "moved": moved})
        return
    say(
        f"{told.lines} lines = {told.counted} counted + {told.other_level} of another level + {told.unscored} unscored"
        f" + {told.stranger} of tasks not in the mix"
    )
    table("levels that moved", ("task", "from", "to"), [(name, str(a), str(b)) for name, (a, b) in moved.items()])


def show(state: StateArgument, library: LibraryOption = None, as_json: JsonFlag = False) -> None:
    """Show each task's weight, present level and rolling mean."""
    from evaluation import mixing

    cards = [entry.card for entry in open_library(load_settings(library=library).library).scan()[0]]
    standing = mixing.stored(state, cards)[0].standing()
    if as_json:
        print_json({"tasks": standing})
        return
    rows = [
        (
            row["task_id"],
            f"{row['weight']:g}",
            f"{row['level']} of {row['levels'][0]}-{row['levels'][-1]}",
            str(row["scores"]),
            "–" if row["mean"] is None else f"{row['mean']:.3f}",
        )
        for row in standing
    ]
    table(f"mix {state}", ("task", "weight", "level", "scores", "rolling mean"), rows)
