"""Hypothesis as a search engine: reproducible, without a database, stopped by counts and never by the clock.

Everything is drawn from booleans: Hypothesis' other draws borrow constants from whatever modules happen to be loaded,
and then the same gate twice would not try the same examples.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from bootcamp_kit.answers import CLOSE, OPEN
from sandbox.checks.evidence import Falsified
from sandbox.checks.observed import LIMITS

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

T = TypeVar("T")
PIECES = (
    "0", "1", "-", "+", ".", ",", " ", "\n", "\t", "e", "E", "9", "12", "-1", "1000000", "3.5", "/", "nan", "inf",
    "None", "true", "YES", "no", "a", "Z", "_", "[", "]", "(", ")", "{", "}", ":", '"', "'", "\\", "#", "*", "`", "$",
    "```", "**", "\0", "\r\n", "\u00a0", "\u200b", "−", "٣", "²", "½", "５", "Ⅷ", "é", "ß", "İ", "漢", "😀", "<", ">",
    "%",     OPEN, CLOSE, "<answer", "</answer", "<think>", "9" * 400,
)  # fmt: skip


class _Found(Exception):
    """A counter-example, said to Hypothesis."""


class _Stop(BaseException):
    """Ends a search at once; not an ``Exception``, so that Hypothesis does not take it for a failure."""


class MachineFault(_Stop):
    """Our machinery failed."""


class OutOfBudget(_Stop):
    """The task spent all the time a gate gives it."""


@dataclass(slots=True)
class Search:
    """The state of one search. ``best`` is the smallest counter-example so far, ``tried`` counts examples."""

    allowed_after: int
    tried: int = 0
    after: int = 0
    best: Falsified | None = None

    def note(self, found: Falsified | None) -> None:
        """Count one example.

        Raises:
            _Found: it is a counter-example.
            _Stop: it cannot or must not be shrunk any further.
        """
        if found is None:
            return
        if self.best is None or _size(found) < _size(self.best):
            self.best = found
        if found.observation.outcome in LIMITS:
            raise _Stop
        raise _Found

    def begin(self) -> None:
        """Before each example.

        Raises:
            _Stop: enough were tried after the first counter-example.
        """
        if self.best is None:
            self.tried += 1
            return
        self.after += 1
        if self.after > self.allowed_after:
            raise _Stop


def _size(found: Falsified) -> tuple[int, int, str, int]:
    return found.level, len(found.response or ""), found.response or "", found.seed


def search(
    strategy: SearchStrategy[T], examine: Callable[[T], Falsified | None], *, examples: int, after: int
) -> Search:
    """Look for a value that ``examine`` falsifies; reproducible, without a database.

    Raises:
        MachineFault: from ``examine``.
    """
    from hypothesis import HealthCheck, Phase, Verbosity, given, settings
    from hypothesis.errors import Flaky, HypothesisDeprecationWarning

    # Hypothesis looks at the global random state, which other threads of this process may use as they like.
    warnings.filterwarnings("ignore", "Do not use the `random` module", HypothesisDeprecationWarning)
    state = Search(after)

    @settings(
        max_examples=examples,
        derandomize=True,
        database=None,
        deadline=None,
        report_multiple_bugs=False,
        phases=(Phase.generate, Phase.shrink),
        suppress_health_check=list(HealthCheck),
        verbosity=Verbosity.quiet,
    )
    @given(strategy)
    def attempt(value: T) -> None:
        state.begin()
        state.note(examine(value))

    try:
        attempt()
    except MachineFault:
        raise
    except (_Found, _Stop, Flaky):
        pass  # `best` holds what was found; a flaky one is kept too: it failed once
    return state


def below(limit: int) -> SearchStrategy[int]:
    """0 … limit − 1, from booleans; shrinks towards 0."""
    from hypothesis import strategies as st

    bits = max(1, (limit - 1).bit_length())

    def number(drawn: tuple[bool, ...]) -> int:
        return sum(bit << place for place, bit in enumerate(reversed(drawn))) % limit

    return st.tuples(*[st.booleans()] * bits).map(number)


def responses(pool: Sequence[str], whole: Sequence[str]) -> SearchStrategy[str]:
    """Texts put together from pieces, most of them between delimiters, and ``whole`` ones as they are."""
    from hypothesis import strategies as st

    pieces = st.lists(below(len(pool)).map(pool.__getitem__), max_size=16)
    made = st.tuples(below(4), pieces).map(_dressed)
    if not whole:
        return made
    return st.tuples(below(4), made, below(len(whole))).map(
        lambda drawn: whole[drawn[2]] if drawn[0] == 3 else drawn[1]
    )


def _dressed(drawn: tuple[int, list[str]]) -> str:
    how, pieces = drawn
    half = len(pieces) // 2
    outer, inner, every = "".join(pieces[:half]), "".join(pieces[half:]), "".join(pieces)
    return [
        f"{OPEN}{every}{CLOSE}",
        every,
        f"{outer}{OPEN}{inner}{CLOSE}",
        f"{OPEN}{outer}{OPEN}{inner}{CLOSE}",
    ][how]
