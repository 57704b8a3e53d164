"""What the writer knows of an expression, a variable and a function while it writes them."""

from __future__ import annotations

import builtins
import keyword
from dataclasses import dataclass, field

from authoring.compiler.cpp.nodes import Function, Type
from authoring.compiler.cpp.runtime import NAMES

RESERVED = frozenset({*keyword.kwlist, *dir(builtins), *NAMES, "match", "case", "self", "other", "_"})


@dataclass(slots=True)
class Value:
    """An expression as Python.

    Attributes:
        text: Python source.
        type: Its C++ type.
        atom: Needs no parentheses.
        truth: Right as a truth value only.
        fresh: Nothing else holds it: needs no copy.
        small: Neither negative nor near a limit.
        fixed: Does not change whatever runs between.
        base: Of an ``iter``: the sequence.
        at: Of an ``iter``: the place in it.
    """

    text: str
    type: Type
    atom: bool = False
    truth: bool = False
    fresh: bool = False
    small: bool = False
    fixed: bool = False
    base: str = ""
    at: str = ""

    @property
    def inner(self) -> str:
        """The text, in parentheses where it needs them."""
        return self.text if self.atom else f"({self.text})"


@dataclass(slots=True)
class Known:
    """A variable.

    Attributes:
        text: Its Python name, or the place that a reference stands for.
        type: Its C++ type.
        frame: The function it lives in; None for the program.
        alias: A reference: never bound anew.
    """

    text: str
    type: Type
    frame: Frame | None
    alias: bool = False


@dataclass(slots=True)
class Frame:
    """A function while it is written."""

    outer: Frame | None
    result: Type
    names: set[str] = field(default_factory=set)
    scopes: list[dict[str, Known]] = field(default_factory=lambda: [{}])
    rebound: dict[str, bool] = field(default_factory=dict)
    outs: list[str] = field(default_factory=list)
    is_main: bool = False
    steps: list[list[str] | None] = field(default_factory=list)
    types: dict[str, Type] = field(default_factory=dict)
    owner: str = ""
    temporaries: int = 0


@dataclass(slots=True)
class Written:
    """A function that can be called.

    Attributes:
        name: Its Python name.
        node: As it was read.
        outs: The places of parameters that are handed back.
        result: Its result's type.
    """

    name: str
    node: Function
    outs: tuple[int, ...]
    result: Type
    params: tuple[Type, ...] = ()
