"""Hypothesis as a search engine: reproducible, without a database, stopped by counts and never by the clock.

Everything is drawn from booleans: Hypothesis' other draws borrow constants from whatever modules happen to be loaded,
and then the same gate twice would not try the same examples.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeVar

from bootcamp_kit.answers import CLOSE, OPEN
from sandbox.checks.evidence import Falsified
from sandbox.checks.observed import LIMITS

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

T = TypeVar("T")
K = TypeVar("K")
LEVEL_BITS, SEED_BITS, PIECE_BITS, MAX_PIECES = 4, 10, 7, 16
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


@dataclass(frozen=True, slots=True)
class DrawnSeed:
    """Numbers that stand for a level and a seed of any task."""

    level: int
    number: int

    def of(self, levels: int, seed_of: Callable[[int], int]) -> tuple[int, int]:
        """The level, counted from 1, and the seed."""
        return self.level % levels + 1, seed_of(self.number)


@dataclass(frozen=True, slots=True)
class DrawnText:
    """Numbers that stand for a case and a response of any task; ``whole`` is taken where ``kind`` is 3."""

    case: int
    kind: int
    dress: int
    pieces: tuple[int, ...]
    whole: int

    def of(self, keys: Sequence[K], pool: Sequence[str], whole: Sequence[str]) -> tuple[K, str]:
        """One of ``keys``, and a text of pieces of ``pool`` or one of ``whole``."""
        key = keys[self.case % len(keys)]
        if self.kind == 3 and whole:
            return key, whole[self.whole % len(whole)]
        return key, _dressed(self.dress, [pool[piece % len(pool)] for piece in self.pieces])


def _dressed(how: int, pieces: list[str]) -> str:
    half = len(pieces) // 2
    outer, inner, every = "".join(pieces[:half]), "".join(pieces[half:]), "".join(pieces)
    return [
        f"{OPEN}{every}{CLOSE}",
        every,
        f"{outer}{OPEN}{inner}{CLOSE}",
        f"{OPEN}{outer}{OPEN}{inner}{CLOSE}",
    ][how]


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


def bits(count: int) -> SearchStrategy[int]:
    """0 … 2**count − 1, from booleans; shrinks towards 0."""
    from hypothesis import strategies as st

    return st.tuples(*[st.booleans()] * count).map(_number)


def _number(drawn: tuple[bool, ...]) -> int:
    return sum(bit << place for place, bit in enumerate(reversed(drawn)))


def seeds() -> SearchStrategy[DrawnSeed]:
    """A level and a seed, as numbers that :class:`Properties` makes some of for its task."""
    from hypothesis import strategies as st

    return st.builds(DrawnSeed, bits(LEVEL_BITS), bits(SEED_BITS))


def texts() -> SearchStrategy[DrawnText]:
    """A case and a response put together from pieces, most of them between delimiters, or one taken whole."""
    from hypothesis import strategies as st

    pieces = st.lists(bits(PIECE_BITS), max_size=MAX_PIECES).map(tuple)
    return st.builds(DrawnText, bits(LEVEL_BITS), bits(2), bits(2), pieces, bits(LEVEL_BITS))


@lru_cache(maxsize=32)
def drawn(kind: str, examples: int) -> tuple[Any, ...]:
    """What a search of ``seeds`` or ``texts`` tries as long as nothing is found: the same for every task.

    So it is drawn once in a process, and all of it can be asked at once.
    """
    tried: list[Any] = []
    search(STRATEGIES[kind](), tried.append, examples=examples, after=0)
    return tuple(tried)


STRATEGIES: dict[str, Callable[[], SearchStrategy[Any]]] = {"seeds": seeds, "texts": texts}
