"""A curriculum on disk: what was drawn and told so far, so that draw, train and tell can be different processes."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from bootcamp_kit.card import Card
from bootcamp_kit.errors import UsageError
from bootcamp_kit.jsondata import Json
from evaluation.curriculum import Curriculum, Draw, Mix

SCHEMA = 1


@dataclass(slots=True)
class Told:
    """What became of the scores that were told: ``lines`` is always the sum of the rest."""

    lines: int = 0
    counted: int = 0
    unscored: int = 0
    other_level: int = 0
    stranger: int = 0


def open_curriculum(path: Path | None, cards: Sequence[Card], mix: Mix, *, first_seed: int = 0) -> Curriculum:
    """A new curriculum, or the one whose state is at ``path``.

    Raises:
        UsageError: the state belongs to another mix or to other tasks, or cannot be read.
    """
    curriculum = Curriculum(cards, mix, first_seed=first_seed)
    if path is None or not path.exists():
        return curriculum
    raw = _read(path)
    now = sorted(card.id for card in cards)
    with _readable(path):
        gone, new = sorted(set(raw["tasks"]) - set(now)), sorted(set(now) - set(raw["tasks"]))
    if gone or new:
        found = f"it was made with other tasks: {_some('missing now', gone)}{_some('new now', new)}".rstrip("; ")
        do = "start a new state file, or name the same tasks (a retired one by its id)"
        raise UsageError(f"mix state {path}", found, do)
    for what, value in (("mix", mix.to_json()), ("first_seed", first_seed)):
        if raw[what] != value:
            raise UsageError(f"mix state {path}", f"it was made with another {what}", "start a new state file")
    with _readable(path):
        curriculum.restore(raw["curriculum"])
    return curriculum


def _some(what: str, ids: Sequence[str]) -> str:
    return f"{what} {', '.join(ids[:5])}{' …' if len(ids) > 5 else ''}; " if ids else ""


def stored(path: Path, cards: Sequence[Card]) -> tuple[Curriculum, int]:
    """The curriculum of a state file and its first seed.

    Raises:
        UsageError: there is none, it cannot be read, or a task of it is not among the cards.
    """
    raw = _read(path)
    known = {card.id: card for card in cards}
    with _readable(path):
        if missing := [name for name in raw["tasks"] if name not in known]:
            raise UsageError(f"mix state {path}", f"its tasks {missing[:5]} are not in the library", "use its library")
        mix, first_seed = Mix.from_dict(raw["mix"]), int(raw["first_seed"])
        curriculum = Curriculum([known[name] for name in raw["tasks"]], mix, first_seed=first_seed)
        curriculum.restore(raw["curriculum"])
    return curriculum, first_seed


def save(path: Path, curriculum: Curriculum, task_ids: Iterable[str], *, first_seed: int) -> None:
    """Write the state; the old one stays until the new one is whole."""
    value = {
        "schema": SCHEMA,
        "mix": curriculum.mix.to_json(),
        "tasks": sorted(task_ids),
        "first_seed": first_seed,
        "curriculum": curriculum.state(),
    }
    building = path.with_name(f".{path.name}.writing")
    building.write_text(json.dumps(value, sort_keys=True) + "\n", "utf-8")
    building.replace(path)


def tell(curriculum: Curriculum, lines: Iterable[str]) -> Told:
    """Tell a curriculum scores: JSON lines with ``task_id, level, score``; a null score is unscored and not counted.

    Raises:
        UsageError: a line is not of this form; names it. Nothing after it was told: do not save.
    """
    told, known = Told(), {row["task_id"]: row for row in curriculum.standing()}
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        told.lines += 1
        try:
            raw = json.loads(line)
            task_id, level, score = str(raw["task_id"]), raw["level"], raw["score"]
            if type(level) is not int or isinstance(score, bool):
                raise TypeError("level is an integer, score a number or null")
            if score is None:
                told.unscored += 1
            elif task_id not in known:
                told.stranger += 1
            elif level != curriculum.level(task_id):
                told.other_level += 1
            else:
                curriculum.tell(Draw(task_id, level, 0), float(score))
                told.counted += 1
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            found = f"{type(error).__name__}: {error}"[:200]
            raise UsageError(f"scores, line {number}", found, "one object a line: task_id, level, score") from error
    return told


def _read(path: Path) -> Json:
    with _readable(path):
        raw = json.loads(path.read_text("utf-8"))
        if raw["schema"] != SCHEMA:
            raise ValueError(f"schema {raw['schema']!r}, not {SCHEMA}")
        for key in ("mix", "tasks", "first_seed", "curriculum"):
            raw[key]
    return raw


@contextmanager
def _readable(path: Path) -> Iterator[None]:
    """Whatever is wrong with the file's shape is told as one kind of error."""
    try:
        yield
    except (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        found = f"not readable: {type(error).__name__}: {error}"[:300]
        raise UsageError(f"mix state {path}", found, "name a file that --mix-state wrote") from error
