"""Whether the solver of a task that is there already solves a new one: the same exercise under other names and words.

The library's task runs in a box of its own. Its reference solver is given the new task's cases, with the payload's keys
called as it calls them; every pairing of keys that hold alike data is tried on the first case, and those that solve it
on all. The new task's own verifier says what is solved. Found this way is what asks the same thing of the same data; a
solver that needs its data written in another form solves nothing.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from authoring.context import AuthoringContext
from authoring.novelty import Transfer
from authoring.opposition.exhibits import Exhibit, exhibits, tried
from authoring.opposition.hearing import in_thread
from authoring.opposition.second import solutions
from bootcamp_kit.card import Card
from bootcamp_kit.case import Case
from bootcamp_kit.folder import TaskFolder
from bootcamp_kit.jsondata import Json
from evaluation.boxes import job_limits
from evaluation.plan import CaseRef
from evaluation.scoring import MadeCase, make_cases

if TYPE_CHECKING:
    from evaluation.boxes import TaskBox

CASES_EACH_LEVEL = 2
MOST_PAIRINGS, MOST_KEPT = 120, 6

Names = Mapping[str, str]
"""Key of the library's payload → key of the new one's."""


async def measure_transfer(folder: TaskFolder, known: TaskFolder, context: AuthoringContext) -> Transfer:
    """The solver of ``known`` on cases of ``folder``, both in the sandbox.

    Raises:
        MachineError: a box could not be used.
    """

    def work() -> Transfer:
        with (
            context.open_box(folder.sources, job_limits(folder.card)) as mine,
            context.open_box(known.sources, job_limits(known.card)) as theirs,
        ):
            return transfer(mine, folder, theirs, known.card)

    return await in_thread(context, work)


def transfer(mine: TaskBox, folder: TaskFolder, theirs: TaskBox, known: Card) -> Transfer:
    """The solver of the task in ``theirs`` on cases of the task in ``mine``.

    Raises:
        MachineError: a box could not answer.
    """
    shown = exhibits(mine, folder, CASES_EACH_LEVEL)
    levels = known.difficulty.levels
    made = make_cases(theirs.batch, known.id, known.difficulty.params, [CaseRef(levels[0], 0)])
    their_payload = made[0].case.payload if isinstance(made[0], MadeCase) else None
    if not shown:
        return Transfer(known.id, 0, 0)
    tries = list(itertools.islice(pairings(their_payload, shown[0].case.payload), MOST_PAIRINGS))
    first = _solved(mine, theirs, shown, known, [(0, names) for names in tries])
    best = Transfer(known.id, 0, len(shown))
    for names in list(itertools.compress(tries, first))[:MOST_KEPT]:
        right = sum(_solved(mine, theirs, shown, known, [(place, names) for place in range(len(shown))]))
        if right > best.solved:
            changed = tuple(sorted((key, new) for key, new in names.items() if key != new))
            best = replace(best, solved=right, names=changed)
    return best


def pairings(theirs: Json, mine: Json) -> Iterator[dict[str, str]]:
    """Every way to find the keys of one payload in another, alike data under each; equal names first.

    Payloads without keys go over as they are, where they are alike.
    """
    if not isinstance(theirs, dict) or not isinstance(mine, dict):
        if theirs is not None and alike(theirs, mine):
            yield {}
        return
    choices = [_alike_keys(name, value, mine) for name, value in theirs.items()]
    for chosen in itertools.islice(itertools.product(*choices), 50 * MOST_PAIRINGS):
        if len(set(chosen)) == len(chosen):
            yield dict(zip(theirs, chosen, strict=True))


def _alike_keys(name: str, value: Json, mine: Mapping[str, Json]) -> list[str]:
    keys = sorted(key for key in mine if alike(value, mine[key]))
    return [name, *(key for key in keys if key != name)] if name in keys else keys


def alike(one: Json, other: Json) -> bool:
    """Whether two values are of one kind: numbers, texts, truth values, lists of alike things, objects."""
    if isinstance(one, list) and isinstance(other, list):
        return not one or not other or alike(one[0], other[0])
    return _kind(one) == _kind(other)


def _kind(value: Json) -> str:
    if isinstance(value, bool) or value is None:
        return str(type(value))
    return "number" if isinstance(value, (int, float)) else type(value).__name__


def _solved(
    mine: TaskBox, theirs: TaskBox, shown: Sequence[Exhibit], known: Card, asked: Sequence[tuple[int, Names]]
) -> list[bool]:
    cases = [_as_theirs(shown[place].case, known, names) for place, names in asked]
    texts = solutions(theirs, cases)
    given = [(place, text, "transfer") for (place, _), text in zip(asked, texts, strict=True) if text]
    judged = iter(tried(mine, shown, given))
    return [bool(text) and next(judged).accepted is True for text in texts]


def _as_theirs(case: Case, known: Card, names: Names) -> Case:
    """A case as the library's task would have made it: its id, its parameters at that level, its names."""
    payload = case.payload
    if isinstance(payload, dict):
        payload = {known_as: payload.get(name) for known_as, name in names.items()}
    level = min(case.level, known.difficulty.levels[-1])
    return Case(known.id, level, case.seed, known.difficulty.params(level), payload)
