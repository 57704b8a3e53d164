"""Repairs what a collection did to a statement's characters, only where samples, code or wording prove it.

Two kinds of damage are known: HTML entities (``1 &lt;= n``) and exponents that lost their raise (``10^5`` as ``105``).
Every repair and its proof is a note; what looks damaged without a proof is left as it is, and a note says so.

What is not covered: an index that lost its fall (``a_i`` as ``ai``), which is read as it stands.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from bootcamp_kit.brief import Sample

_ENTITY = re.compile(r"&(?:lt|gt|le|ge|ne|amp|nbsp|quot|apos|times|minus|middot|hellip|ldquo|rdquo|#\d{2,5});")
_SPEAKS_OF_MARKUP = re.compile(r"\b(?:html|entit(?:y|ies)|escap(?:e|es|ed|ing))\b", re.IGNORECASE)
_EXPONENT = r"10(?:[3-9]|1[0-8])"
_SIGN = r"(?:≤|<=|<|≥|>=|>|\\leq?(?![A-Za-z])|\\geq?(?![A-Za-z]))"
_PRODUCT = re.compile(rf"(?<![\w.^·*×])(\d{{1,3}}\s?(?:·|×|\*|\\cdot|⋅)\s?)({_EXPONENT})(?![\w^]|[.,]\d)")
_MODULUS = re.compile(r"(?<![\w.^])(109|998244353)(?=\s?\+\s?(?:7|9)(?!\d))")
_UPPER = re.compile(rf"({_SIGN}\s?[-–−]?\s?)({_EXPONENT})(?![\w^]|[.,]\d)")
_LOWER = re.compile(rf"(?<![\w.^])([-–−]\s?)({_EXPONENT})(?=\s?{_SIGN})(?!\s?\^)")
_WORDS = re.compile(
    rf"(\b(?:at most|up to|no more than|not more than|(?:not|n['’]t) exceed(?:ing)?|less than|than)\s)({_EXPONENT})"
    r"(?![\w^]|[.,]\d)"
)
_KEPT_POWER = re.compile(r"10\s?(?:\^|\*\*)|10\s?<sup>|\b1[eE]\d")
_LONG = re.compile(r"%lld|%I64d|64-bit|long long", re.IGNORECASE)
_NUMBER = re.compile(r"(?<![\w.])-?\d{1,25}(?![\w.])")


@dataclass(frozen=True, slots=True)
class Cleaned:
    """A statement after repair, and what was repaired or left, with the reason."""

    text: str
    samples: tuple[Sample, ...]
    notes: tuple[str, ...]


def clean(text: str, samples: Sequence[Sample] = (), code: str = "") -> Cleaned:
    """Repair a statement and its samples; ``code`` is a reference to weigh as a witness, never changed."""
    notes: list[str] = []
    text, kept = _entities(text, tuple(samples), code, notes)
    text = _exponents(text, kept, code, notes)
    return Cleaned(text, kept, tuple(notes))


def _entities(text: str, samples: tuple[Sample, ...], code: str, notes: list[str]) -> tuple[str, tuple[Sample, ...]]:
    beside = "".join(sample.input + sample.output for sample in samples)
    found = _ENTITY.findall(text + beside)
    if not found:
        return text, samples
    listed = ", ".join(dict.fromkeys(found))
    if _ENTITY.search(code):
        notes.append(f"{listed} left as it is: the reference code holds such marks too")
        return text, samples
    if _SPEAKS_OF_MARKUP.search(text):
        notes.append(f"{listed} left as it is: the statement speaks of markup")
        return text, samples
    if in_text := _ENTITY.findall(text):
        notes.append(f"{len(in_text)} HTML entities of the statement read as characters ({listed}): none in the code")
        text = _decoded(text)
    if in_samples := list(dict.fromkeys(_ENTITY.findall(beside))):
        strange = [entity for entity in in_samples if html.unescape(entity) not in text]
        if strange:
            notes.append(f"{', '.join(strange)} in samples left as it is: the statement does not show the character")
            return text, samples
        notes.append(f"{', '.join(in_samples)} in samples read as characters: the statement shows them bare")
        samples = tuple(Sample(_decoded(sample.input), _decoded(sample.output)) for sample in samples)
    return text, samples


def _decoded(text: str) -> str:
    return _ENTITY.sub(lambda entity: html.unescape(entity[0]), text)


def _exponents(text: str, samples: Sequence[Sample], code: str, notes: list[str]) -> str:
    places = _PRODUCT.findall(text) + _UPPER.findall(text) + _LOWER.findall(text) + _WORDS.findall(text)
    candidates = list(dict.fromkeys([found[-1] for found in places] + _MODULUS.findall(text)))
    candidates = [candidate for candidate in candidates if candidate != "998244353"]
    if not candidates:
        return text
    if _KEPT_POWER.search(text):
        # Where one exponent kept its raise, the others would have: a bare 105 is a hundred and five.
        notes.append(f"{_listed(candidates)} left as it is: other exponents of the statement are written out")
        return text
    proof = _proof(text, candidates, samples, code)
    if not proof:
        notes.append(f"{_listed(candidates)} left as it is: nothing proves a lost exponent")
        return text

    def raised(found: re.Match[str]) -> str:
        return f"{found[1]}10^{found[2][2:]}"

    text = _PRODUCT.sub(raised, text)
    for pattern in (_UPPER, _LOWER, _WORDS):
        text = pattern.sub(raised, text)
    text = re.sub(r"(?<![\w.^])109(?=\s?\+\s?[79](?!\d))", "10^9", text)
    notes.append(f"{_listed(candidates)} read as {_listed([f'10^{item[2:]}' for item in candidates])}: {proof}")
    return text


def _listed(items: Sequence[str]) -> str:
    return ", ".join(items)


def _proof(text: str, candidates: Sequence[str], samples: Sequence[Sample], code: str) -> str:
    """Why the exponents of this statement have lost their raise; "" where nothing proves it.

    One typesetting lost all of them or none, so one proof holds for the whole statement.
    """
    proofs: tuple[Callable[[], str], ...] = (
        lambda: _by_product(text),
        lambda: _by_modulus(text, code),
        lambda: _by_sample(text, samples),
        lambda: _by_code(candidates, code),
        lambda: _by_indices(text, candidates),
        lambda: _by_word_size(text, candidates),
    )
    return next((proof for make in proofs if (proof := make())), "")


def _by_product(text: str) -> str:
    found = _PRODUCT.search(text)
    return f"the statement writes the product {found[0].strip()}" if found else ""


def _by_modulus(text: str, code: str) -> str:
    found = re.search(r"(?:modulo|mod|remainder|divid)[^.]{0,60}(?<![\w.^])109\s?\+\s?[79](?!\d)", text)
    if found or ("109 + 7" in text and re.search(r"1000000007|10\s?\*\*\s?9\s?\+\s?7|1e9\s?\+\s?7", code)):
        return "109 + 7 is the usual modulus"
    return ""


def _by_sample(text: str, samples: Sequence[Sample]) -> str:
    """A sample that holds a number above every upper bound as it is written."""
    bounds = [int(number) for number in re.findall(rf"{_SIGN}\s?(\d{{1,19}})(?![\w^]|[.,]\d)", text)]
    if not bounds:
        return ""
    highest = max(bounds)
    numbers = [int(number) for sample in samples for number in _NUMBER.findall(sample.input)]
    above = [number for number in numbers if number > highest]
    return f"a sample holds {above[0]}, above every bound as it is written" if above else ""


def _by_code(candidates: Sequence[str], code: str) -> str:
    """The reference names the power itself, or room for a little more than it."""
    for candidate in candidates:
        power = int(candidate[2:])
        if re.search(rf"(?<![\w.])(?:1e{power}|10\s?\*\*\s?{power})(?!\d)", code):
            return f"the reference code names 10^{power}"
        if 4 <= power <= 9:
            room = re.search(rf"(?<![\w.])(?!100000000[79])10{{{power - 2}}}[0-9]{{2}}(?![\w.])", code)
            if room:  # a usual modulus is no room
                return f"the reference code holds {room[0]}, room for 10^{power}"
    return ""


def _by_indices(text: str, candidates: Sequence[str]) -> str:
    """Raised and lowered characters are lost together: a list ``a1, a2, ..., an`` next to two different powers."""
    lost = re.search(r"\b([a-z])1, \1(?:2, (?:\.\.\.|…|\. \. \.), \1[nmk])\b", text)
    if lost and len(candidates) > 1:
        return f"the statement lost its indices too ({lost[0]}), and bounds both {candidates[0]} and {candidates[1]}"
    return ""


def _by_word_size(text: str, candidates: Sequence[str]) -> str:
    large = next((item for item in candidates if int(item[2:]) >= 10), "")
    return f"the statement speaks of 64-bit numbers beside {large}" if large and _LONG.search(text) else ""
