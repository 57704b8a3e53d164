"""A brief after reading, before anything ran, and one test case of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from authoring.compiler import reference
from authoring.compiler.input_format import InputFormat
from authoring.compiler.sections import Sections
from bootcamp_kit.brief import Brief, Solution


@dataclass(frozen=True, slots=True)
class Reading:
    """The reference, read as one language, and as a pure function."""

    reference: reference.Reference
    solver: str


@dataclass(frozen=True, slots=True)
class Understood:
    """A brief after reading, before anything ran."""

    brief: Brief
    sections: Sections
    format: InputFormat
    payloads: tuple[tuple[dict[str, Any], ...], ...]
    readings: tuple[Reading, ...]
    handed_in: str = ""
    """The statement's text as it came; ``brief`` holds the repaired one."""
    tolerance: float = 0.0
    """How far a real-number answer may be off; 0.0 where answers are exact."""
    format_by: str = ""
    """The model that wrote the input format; "" where none did."""

    @property
    def alone(self) -> bool:
        """Whether the first value of what the reference prints is asked for alone."""
        return bool(self.sections.beside)

    @property
    def solver(self) -> str:
        """The reading that is used, as a pure function."""
        return self.readings[0].solver

    @property
    def program(self) -> str:
        """The reading that is used, as a program."""
        return self.readings[0].reference.code

    def each_reading(self) -> Iterator[Understood]:
        """The brief with one reading at a time."""
        for reading in self.readings:
            brief = replace(self.brief, solution=Solution("python3", reading.reference.code))
            yield replace(self, brief=brief, readings=(reading,))


@dataclass(frozen=True, slots=True)
class OneTest:
    """One test case of a sample with the reference's answer to it alone."""

    payload: dict[str, Any]
    stdin: str
    printed: str
