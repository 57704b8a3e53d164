"""``card.toml``: what a task is, without running it.

::

    id = "seat_rotation"            version = "1.0.0"
    title = "Seat rotation"         summary = "One sentence."
    family = "arithmetic"           tags = ["modular"]
    solutions = "unique"            # unique | any | optimal
    author = "compiler/1"           # who made the code: compiler/VERSION or PROVIDER:MODEL

    [answer]                        # what a right answer looks like, and which rewrites of it must stay right
    kind = "integer"                # integer | integers | decimal | string | strings | grid | choice | text
    format = "one integer between <answer> and </answer>"
    example = "<answer>7</answer>"  # the form, never the answer of a case
    choices = []                    # for kind = "choice"
    tolerance = 0.0                 # for kind = "decimal"; absolute
    rewrites = ["whitespace", "markdown", "reasoning"]      # names in sandbox.checks.rewrites
    floor = 0.0                     # declared chance level (1/k of a k-way answer)

    [source]                        # where the brief came from
    kind = "brief"  name = "…"  url = ""  licence = "CC0-1.0"  sha256 = "…"

    [difficulty.axes]               # one value per level, level 1 first
    length = [3, 5, 8, 12, 20]

    [limits]                        # optional
    seconds_per_call = 5.0          memory_mb = 256         profile = "plain"
"""

from __future__ import annotations

import math
import re
from dataclasses import MISSING, asdict, dataclass, field, fields
from functools import cache
from typing import Any

from bootcamp_kit.brief import Source
from bootcamp_kit.difficulty import Axis, DifficultySchema
from bootcamp_kit.errors import UsageError
from bootcamp_kit.tomldata import read_toml

ANSWER_KINDS = ("integer", "integers", "decimal", "string", "strings", "grid", "choice", "text")
SOLUTIONS = ("unique", "any", "optimal")
PROFILES = ("plain", "numerical", "solver")
ID = re.compile(r"[a-z][a-z0-9_]{2,63}")
MAX_LINE, MAX_TAGS, MAX_TAG = 500, 32, 60
VALUE_ALONE = "value-alone"
"""The tag of a task that asks for a value where its rule asks for that value and something that reaches it."""
_VERSION = re.compile(r"\d{1,4}\.\d{1,4}\.\d{1,4}")


@dataclass(frozen=True, slots=True)
class AnswerFormat:
    """What a right answer looks like; see the module's text for each key."""

    kind: str
    format: str
    example: str
    choices: tuple[str, ...] = ()
    tolerance: float = 0.0
    rewrites: tuple[str, ...] = ("whitespace", "markdown", "reasoning")
    floor: float = 0.0

    def __post_init__(self) -> None:
        _one_of("answer.kind", self.kind, ANSWER_KINDS)
        if self.kind == "choice" and len(self.choices) < 2:
            raise UsageError("card key answer.choices", "fewer than two", "list every allowed answer")
        if not 0.0 <= self.floor < 1.0 or not 0.0 <= self.tolerance < math.inf:
            raise UsageError("card [answer]", "floor or tolerance out of range", "0 ≤ floor < 1, 0 ≤ tolerance")
        if not self.format or not self.example:
            raise UsageError(
                "card [answer]", "format or example is empty", "say what a response must end in, and show the form"
            )


@dataclass(frozen=True, slots=True)
class TaskLimits:
    """What one call of the task may use in the sandbox."""

    seconds_per_call: float = 5.0
    memory_mb: int = 256
    profile: str = "plain"

    def __post_init__(self) -> None:
        _one_of("limits.profile", self.profile, PROFILES)
        if not 0.0 < self.seconds_per_call <= 60.0 or not 16 <= self.memory_mb <= 4096:
            raise UsageError("card [limits]", "out of range", "0 < seconds_per_call ≤ 60, 16 ≤ memory_mb ≤ 4096")


@dataclass(frozen=True, slots=True)
class Card:
    """A task's card. Raises ``UsageError`` on any key that is missing, unknown or out of range."""

    id: str
    version: str
    title: str
    summary: str
    family: str
    solutions: str
    author: str
    answer: AnswerFormat
    source: Source
    difficulty: DifficultySchema
    tags: tuple[str, ...] = ()
    limits: TaskLimits = field(default_factory=TaskLimits)

    def __post_init__(self) -> None:
        for key in ("id", "family"):
            if not ID.fullmatch(getattr(self, key)):
                raise UsageError(
                    f"card key {key}", f"{getattr(self, key)!r}", "use 3–64 of a-z, 0-9, _; a letter first"
                )
        if not _VERSION.fullmatch(self.version):
            raise UsageError("card key version", f"{self.version!r}", "use MAJOR.MINOR.PATCH")
        _one_of("solutions", self.solutions, SOLUTIONS)
        for key in ("title", "summary", "author"):
            if not getattr(self, key).strip():
                raise UsageError(f"card key {key}", "empty", "fill it in")
            if len(getattr(self, key)) > MAX_LINE or len(getattr(self, key).splitlines()) > 1:
                raise UsageError(f"card key {key}", "not one short line", f"at most {MAX_LINE} characters")
        if len(self.tags) > MAX_TAGS or any(len(tag) > MAX_TAG or not tag.isprintable() for tag in self.tags):
            raise UsageError("card key tags", "too many or too long", f"at most {MAX_TAGS} of {MAX_TAG} characters")

    @property
    def address(self) -> str:
        """The folder inside the library: ``family/id``."""
        return f"{self.family}/{self.id}"

    @classmethod
    def parse(cls, data: bytes) -> Card:
        """Read TOML.

        Raises:
            UsageError: not UTF-8, not TOML, or not a card; names the key.
        """
        try:
            raw = read_toml(data)
        except ValueError as error:
            raise UsageError("card.toml", f"not TOML: {error}", "see docs/task_format.md") from error
        return cls.from_dict(raw)

    @classmethod
    def from_dict(cls, raw: dict[str, Any]) -> Card:
        """Build from plain data, the shape of the TOML.

        Raises:
            UsageError: names the key.
        """
        top = dict(raw)
        axes = _table(_table(top, "difficulty"), "axes")
        for name, values in axes.items():
            if not isinstance(values, list):
                raise UsageError(f"card key difficulty.axes.{name}", "not a list", "give one value for each level")
        if isinstance(top.get("tags"), list):
            top["tags"] = tuple(top["tags"])
        card: Card = _build(
            cls,
            "",
            {
                **{key: value for key, value in top.items() if key not in ("answer", "source", "difficulty", "limits")},
                "answer": _build(AnswerFormat, "answer", _tuples(_table(top, "answer"))),
                "source": _build(Source, "source", _table(top, "source")),
                "limits": _build(TaskLimits, "limits", _table(top, "limits") if "limits" in top else {}),
                "difficulty": DifficultySchema(tuple(Axis(name, tuple(values)) for name, values in axes.items())),
            },
        )
        return card

    def to_dict(self) -> dict[str, Any]:
        """Plain data in the shape of the TOML; write it with any TOML writer."""
        raw = asdict(self)
        raw["tags"] = list(self.tags)
        raw["source"] = self.source.to_dict()
        for key in ("choices", "rewrites"):
            raw["answer"][key] = list(raw["answer"][key])
        raw["difficulty"] = {"axes": {axis.name: list(axis.values) for axis in self.difficulty.axes}}
        return raw


def _one_of(key: str, value: object, allowed: tuple[str, ...]) -> None:
    if value not in allowed:
        raise UsageError(f"card key {key}", f"{value!r}", f"use one of {', '.join(allowed)}")


def _table(raw: dict[str, Any], key: str) -> dict[str, Any]:
    value = raw.get(key)
    if not isinstance(value, dict):
        raise UsageError(f"card table [{key}]", "missing or not a table", "see docs/task_format.md")
    return value


def _tuples(raw: dict[str, Any]) -> dict[str, Any]:
    return {key: tuple(value) if isinstance(value, list) else value for key, value in raw.items()}


_EXPECTED: dict[str, type | tuple[type, ...]] = {
    "str": str,
    "float": (int, float),
    "int": int,
    "tuple[str, ...]": tuple,
}


@cache
def _keys(cls: Any) -> dict[str, tuple[str, bool]]:
    """Each key's declared type, and whether a card must have it."""
    return {
        item.name: (str(item.type), item.default is MISSING and item.default_factory is MISSING) for item in fields(cls)
    }


def _build(cls: Any, where: str, raw: dict[str, Any]) -> Any:
    known = _keys(cls)
    label = f"[{where}]" if where else "card.toml"
    for key, value in raw.items():
        if key not in known:
            raise UsageError(f"{label} key {key!r}", "unknown", f"known keys: {', '.join(known)}")
        declared, _ = known[key]
        expected = _EXPECTED.get(declared)
        if expected and (not isinstance(value, expected) or isinstance(value, bool)):
            raise UsageError(f"{label} key {key!r}", f"{value!r} is not {declared}", "see docs/task_format.md")
        if declared == "tuple[str, ...]" and not all(isinstance(item, str) for item in value):
            raise UsageError(f"{label} key {key!r}", "not a list of strings", "see docs/task_format.md")
    missing = [name for name, (_, needed) in known.items() if needed and name not in raw]
    if missing:
        raise UsageError(label, f"missing {', '.join(missing)}", "see docs/task_format.md")
    return cls(**{key: float(value) if known[key][0] == "float" else value for key, value in raw.items()})
