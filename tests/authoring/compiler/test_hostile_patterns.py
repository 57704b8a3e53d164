"""Statements are written by others: no pattern of the reader may take long on any of them."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from types import ModuleType

import pytest

from authoring.compiler import (
    alphabets,
    asides,
    attributes,
    bounds,
    clauses,
    condition_patterns,
    condition_phrases,
    descriptions,
    flattened,
    further_lines,
    grammar,
    legends,
    lengths,
    line_reading,
    names,
    phrases,
    phrasing,
    pictures,
    plain,
    promises,
    remarks,
    sections,
    structure,
    trees,
    value_alone,
    whole_sentences,
    wording,
)
from authoring.compiler.line_reading import MAX_SENTENCE

MODULES = (
    alphabets, asides, attributes, bounds, clauses, condition_patterns, condition_phrases, descriptions, flattened,
    further_lines, grammar, legends, lengths, line_reading, names, phrases, phrasing, pictures, plain, promises,
    remarks, sections, structure, trees, value_alone, whole_sentences, wording,
)  # fmt: skip
PARTS = (
    "the ", "a_1, ", "a_1 + a_2 + … + ", "it is guaranteed that the ", "each of the next n lines contains ", "(1 ≤ ",
    "no x and y and ", "print the i-th ", "«a» ", " — ", "sum of all the ", "can be the same ", "[l, r] ", "10^",
)  # fmt: skip
OF_SENTENCES = (
    "alphabets",
    "attributes",
    "clauses",
    "condition_patterns",
    "condition_phrases",
    "descriptions",
    "further_lines",
    "grammar",
    "legends",
    "lengths",
    "phrases",
    "remarks",
    "structure",
    "whole_sentences",
)
"""Modules that see one sentence at a time, which is never longer than ``MAX_SENTENCE``."""


def _patterns(module: ModuleType) -> Iterator[tuple[str, re.Pattern[str]]]:
    for name, value in vars(module).items():
        if isinstance(value, re.Pattern):
            yield name, value
        for at, part in enumerate(value if isinstance(value, tuple | list) else ()):
            if isinstance(part, tuple) and part and isinstance(part[0], re.Pattern):
                yield f"{name}[{at}]", part[0]
            elif isinstance(part, str) and r"\b" in part:
                yield f"{name}[{at}]", re.compile(part)
        for key, part in value.items() if isinstance(value, dict) else ():
            if isinstance(part, str) and r"\b" in part:
                yield f"{name}[{key}]", re.compile(part)


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__.rpartition(".")[2])
def test_no_pattern_takes_long_on_a_hostile_text(module: ModuleType) -> None:
    length = MAX_SENTENCE if module.__name__.rpartition(".")[2] in OF_SENTENCES else 5_000
    texts = [(part * length)[:length] for part in PARTS]
    for name, pattern in _patterns(module):
        started = time.process_time()
        for text in texts:
            pattern.search(text)
            pattern.fullmatch(text)
        assert time.process_time() - started < 20, name
