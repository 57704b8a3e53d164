"""A case as a solver sees it: with two answers that carry no label, or with what became of one response."""

from __future__ import annotations

from typing import TYPE_CHECKING

from review.pair import Pair
from review.rich_text import pair, word
from review.trial import Trial
from review.visible import one_line, visible

if TYPE_CHECKING:
    from rich.console import Group, RenderableType

MAX_PROMPT_CHARS = 8_000


def pair_page(shown: Pair) -> Group:
    """A case and two answers, without a word on which is right."""
    from rich.console import Group

    answers = zip("12", shown.responses, strict=True)
    return Group(
        word(f"level {shown.level}, seed {shown.seed}", "dim"),
        word(visible(shown.prompt, at_most=MAX_PROMPT_CHARS)),
        *(pair(f"answer {number}", visible(response, at_most=4_000)) for number, response in answers),
    )


def trial_page(trial: Trial, *, prompt: bool = True) -> Group:
    """A case as a solver sees it, and what became of the response to it."""
    from rich.console import Group

    parts: list[RenderableType] = []
    if prompt:
        parts.append(word(f"level {trial.level}, seed {trial.seed}", "dim"))
        parts.append(word(visible(trial.prompt, at_most=MAX_PROMPT_CHARS)))
    if trial.response is not None and trial.malformed:
        parts.append(pair("parsed", f"malformed: {one_line(trial.malformed)}"))
    elif trial.response is not None and not trial.problem.startswith("parse"):
        parts.append(pair("parsed", one_line(repr(trial.parsed), at_most=500)))
    if trial.score is not None:
        parts.append(pair("score", f"{trial.score.value:g}"))
        parts.append(pair("outcome", trial.score.outcome.value))
        parts.append(pair("reason", one_line(trial.score.reason, at_most=500)))
    if trial.problem:
        parts.append(pair("fault of the task", one_line(trial.problem, at_most=1_000)))
    return Group(*parts)
