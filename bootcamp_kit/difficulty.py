"""Difficulty is data: named axes with one value at each level."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from bootcamp_kit.errors import UsageError
from bootcamp_kit.jsondata import Json, canonical

MAX_LEVELS, MAX_NAME = 50, 60
_BIG = 1 << 63

Params: TypeAlias = Mapping[str, Json]
"""Axis name → its value at one level."""


@dataclass(frozen=True, slots=True)
class Axis:
    """One thing that grows with the level, e.g. ``board_size = 4, 5, 6, 7, 8``."""

    name: str
    values: tuple[Json, ...]

    def __post_init__(self) -> None:
        if not self.name.isidentifier() or not self.name.isascii() or len(self.name) > MAX_NAME:
            raise UsageError("difficulty axis", f"the name {self.name[:80]!r} is not an identifier", "use a-z, 0-9, _")
        if not self.values:
            raise UsageError(f"difficulty axis {self.name!r}", "it has no values", "give one value for each level")
        if len(self.values) > MAX_LEVELS:
            raise UsageError(f"difficulty axis {self.name!r}", f"{len(self.values)} levels", f"at most {MAX_LEVELS}")
        if all(map(_is_plain, self.values)):
            return
        try:
            canonical(list(self.values))
        except (TypeError, ValueError, RecursionError) as error:
            raise UsageError(f"difficulty axis {self.name!r}", f"not JSON data: {error}", "numbers, texts") from error


def _is_plain(value: Json) -> bool:
    """JSON data at a glance, as nearly every value of an axis is: writing it out takes a third of reading a card."""
    kind = type(value)
    return kind is bool or (kind is int and -_BIG < value < _BIG) or (kind is str and value.isascii())


@dataclass(frozen=True, slots=True)
class DifficultySchema:
    """All axes; levels are numbered ``1 … levels`` and a level fixes every parameter."""

    axes: tuple[Axis, ...]

    def __post_init__(self) -> None:
        if not self.axes:
            raise UsageError("difficulty", "no axes", "declare at least one axis under [difficulty.axes]")
        lengths = {axis.name: len(axis.values) for axis in self.axes}
        if len(lengths) != len(self.axes):
            raise UsageError("difficulty", "an axis is declared twice", "give each axis its own name")
        if len(set(lengths.values())) != 1:
            raise UsageError(
                "difficulty", f"axes disagree on the number of levels: {lengths}", "give each as many values"
            )

    @property
    def levels(self) -> range:
        """The valid levels, ``range(1, n + 1)``."""
        return range(1, len(self.axes[0].values) + 1)

    def params(self, level: int) -> dict[str, Json]:
        """The parameters at ``level``.

        Raises:
            UsageError: there is no such level.
        """
        if isinstance(level, bool) or level not in self.levels:
            raise UsageError(f"level {level!r}", f"levels run from 1 to {self.levels[-1]}", "name one of these")
        return {axis.name: axis.values[level - 1] for axis in self.axes}
