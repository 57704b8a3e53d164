"""What repair rounds brought: how each came out against the turn before, and which findings they mended."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field

from authoring.reporting.stages import let_through
from authoring.reporting.trace import Trace, Word

JUDGES = ("check", "oppose", "calibrate")


@dataclass(frozen=True, slots=True)
class Round:
    """All repairs that were an author's n-th turn on a candidate.

    Attributes:
        number: The turn; repairs begin with the second.
        asked: How many were asked for.
        passed: The candidate got further than ever before: gate, opponents or panel let it through.
        fewer, same, more: It did not, and had fewer, as many or more heavy findings at the gate.
        unusable: No candidate came of it, or it was never judged.
    """

    number: int
    asked: int = 0
    passed: int = 0
    fewer: int = 0
    same: int = 0
    more: int = 0
    unusable: int = 0


@dataclass(frozen=True, slots=True)
class Code:
    """One finding code that a repair was asked to mend: how often, and how often it was gone afterwards."""

    code: str
    asked: int
    gone: int


@dataclass
class _Turn:
    made: bool = False
    repaired: bool = False
    heavy: float | None = None
    codes: frozenset[str] = frozenset()
    through: int = 0
    judged: bool = False


@dataclass
class _Candidate:
    turns: dict[int, _Turn] = field(default_factory=lambda: defaultdict(_Turn))


def rounds(trace: Trace) -> tuple[Round, ...]:
    """One row for each number of a turn, from the second."""
    counts: dict[int, Counter[str]] = defaultdict(Counter)
    for candidate in _candidates(trace):
        for number, turn in sorted(candidate.turns.items()):
            if turn.repaired and number > 1:
                counts[number]["asked"] += 1
                counts[number][_came_out(turn, candidate.turns.get(number - 1))] += 1
    return tuple(Round(number, **counts[number]) for number in sorted(counts))


def codes(trace: Trace) -> tuple[Code, ...]:
    """Every code a repair was asked about, the most frequent first."""
    asked, gone = Counter[str](), Counter[str]()
    for candidate in _candidates(trace):
        for number, turn in candidate.turns.items():
            before = candidate.turns.get(number - 1)
            if turn.repaired and turn.judged and before is not None:
                asked.update(before.codes)
                gone.update(before.codes - turn.codes)
    rows = [Code(code, count, gone[code]) for code, count in asked.items()]
    return tuple(sorted(rows, key=lambda row: (-row.asked, row.code)))


def _came_out(turn: _Turn, before: _Turn | None) -> str:
    if not turn.made or not turn.judged:
        return "unusable"
    if before is None or turn.through > before.through:
        return "passed" if turn.through else "same"
    if turn.heavy is None or before.heavy is None or turn.heavy == before.heavy:
        return "same"
    return "fewer" if turn.heavy < before.heavy else "more"


def _candidates(trace: Trace) -> list[_Candidate]:
    found: dict[tuple[str, int | None], _Candidate] = defaultdict(_Candidate)
    for word in trace.words:
        if word.index is None:
            continue
        turn = found[word.brief, word.index].turns[word.turn]
        if word.node in ("draft", "repair"):
            turn.made = word.what == "drafted"
            turn.repaired = turn.repaired or word.node == "repair" or word.turn > 1
        elif word.node in JUDGES:
            _judge(turn, word)
    return list(found.values())


def _judge(turn: _Turn, word: Word) -> None:
    if word.what in ("troubled", "inconclusive"):
        return
    turn.judged = True
    turn.through += let_through(word)
    turn.codes |= frozenset(
        piece.strip() for piece in word.detail.split(",") if "." in piece and " " not in piece.strip()
    )
    heavy = word.figures.get("heavy")
    if word.node == "check" and isinstance(heavy, int | float):
        turn.heavy = heavy
    elif word.node == "check" and turn.heavy is None:
        turn.heavy = 0 if word.what == "passed" else float(len(turn.codes))
