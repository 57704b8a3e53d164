"""Groups of verbs, whose help shows the first sentence of each verb whole."""

from __future__ import annotations

from typing import Any

import typer
from typer.core import TyperGroup

from bootcamp_kit.errors import UsageError

WHOLE = 1_000
"""Characters of a verb's first sentence in the list of verbs; what is longer than a line is wrapped."""


class VerbGroup(TyperGroup):
    """Lists its verbs without cutting off what they do."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the list of verbs."""
        verbs = [(name, self.get_command(ctx, name)) for name in self.list_commands(ctx)]
        rows = [(name, verb.get_short_help_str(WHOLE)) for name, verb in verbs if verb and not verb.hidden]
        with formatter.section("Commands"):
            formatter.write_dl(rows)


def require_none_before(verb: str | None, group_name: str, *, as_json: bool) -> None:
    """Refuse ``GROUP --json VERB``, which would print no JSON.

    Raises:
        UsageError: that was asked.
    """
    if verb is not None and as_json:
        raise UsageError(f"{group_name} --json {verb}", "--json before the verb", f"{group_name} {verb} … --json")


def group(words: str, *, cls: type[VerbGroup] = VerbGroup, no_args_is_help: bool = True, name: str = "") -> typer.Typer:
    """A verb that has sub-verbs.

    Args:
        words: What the help says of it.
        cls: How it reads its words.
        no_args_is_help: Whether it shows its help when it is called alone.
        name: Its name, where it is the command itself.
    """
    return typer.Typer(
        name=name or None,
        help=words,
        cls=cls,
        no_args_is_help=no_args_is_help,
        add_completion=False,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
    )
