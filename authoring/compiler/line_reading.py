"""What has been read so far of an Input section, and what sentences say of it that add no line."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from authoring.compiler import attributes, condition_phrases, expressions, structure
from authoring.compiler.alphabets import NotUnderstood
from authoring.compiler.asides import Asides
from authoring.compiler.bounds import COMPARISON, Bounds, note_chains
from authoring.compiler.expressions import NotAnExpression
from authoring.compiler.names import lengths_as_numbers, short_names
from authoring.compiler.outcome import Refused, Stage
from authoring.compiler.phrases import NAME, Draft, DraftBlock
from authoring.compiler.phrasing import canonical, divided
from authoring.compiler.plain import plain
from authoring.compiler.sections import Sections, sentences

MAX_SENTENCE = 500


@dataclass
class Reading:
    """What has been read so far."""

    bounds: Bounds = field(default_factory=Bounds)
    blocks: list[DraftBlock] = field(default_factory=list)
    tests: str | None = None
    waiting: str | None = None
    next_line: int | None = 1
    last: list[Draft] = field(default_factory=list)
    asides: Asides = field(default_factory=Asides)
    told: condition_phrases.Told = field(default_factory=condition_phrases.Told)
    symbols: list[str] = field(default_factory=list)
    """Symbols whose meanings were told, each in a sentence of its own."""
    lengths: list[str] = field(default_factory=list)
    """Numbers that were called the length of a word."""

    def drafts(self) -> list[Draft]:
        """All items so far."""
        return [draft for block in self.blocks for draft in block.items]


def kept_elsewhere(sections: Sections, reading: Reading) -> tuple[str, ...]:
    """Promises in story and Output section that can be kept; the others are found by :mod:`promises`."""
    kept = []
    for sentence in (*sentences(sections.story), *sentences(sections.output)):
        text = re.sub(
            r"^(?:it is|we) know[n]? that ", "it is guaranteed that ", canonical(sentence), flags=re.IGNORECASE
        )
        if len(text) <= MAX_SENTENCE and _is_bounded(text, reading.bounds):
            kept.append(" ".join(sentence.split()))
        elif len(text) <= MAX_SENTENCE and text.lower().startswith("it is guaranteed that "):
            reading.last = reading.drafts()
            try:
                if about_values(text, reading):
                    kept.append(" ".join(sentence.split()))
            except (NotUnderstood, NotAnExpression):
                continue
    return tuple(kept)


def _is_bounded(text: str, bounds: Bounds) -> bool:
    """“It is known that |b| ≤ |a|, that is, …”: chains that the Input section holds as well."""
    told = re.sub(r"^it is guaranteed that ", "", text, flags=re.IGNORECASE).partition(", that is")[0]
    if told == text or not COMPARISON.search(told) or re.search(r"[A-Za-z]{3}", told):
        return False
    said = Bounds()
    try:
        note_chains(told, said)
    except Refused:
        return False
    return (
        all(pair in [*bounds.relations, *bounds.lengths] for pair in (*said.relations, *said.lengths))
        and all(bounds.low.get(key, low - 1) >= low for key, low in said.low.items())
        and all(bounds.high.get(key, high + 1) <= high for key, high in said.high.items())
    )


_GOES_ON = re.compile(rf"(?:and )?{NAME}(?:, {NAME})* ?(?:\(|—)")


def told_lines(sections: Sections) -> list[str]:
    """The sentences; one that begins with a name and its bounds goes on with the list of the one before."""
    told: list[str] = []
    texts, _ = lengths_as_numbers(sections.input, sections.constraints)
    for text in short_names(*texts):
        for whole in sentences(text):
            if (
                told
                and _GOES_ON.match(whole)
                and re.search(r"\b(?:two|three|four|five|six) \w*\s?integers\b", told[-1])
            ):
                told[-1] = f"{told[-1]}, {whole}"
            elif told and re.match(r"then follow [a-z]_?i? (?:positive |non-negative )?integers", whole):
                told[-1] = f"{told[-1]}, followed by {whole.removeprefix('then follow ')}"
            else:
                told += divided(whole)
    return told


def settle(reading: Reading) -> None:
    """What was taken out of bounds, now that every line is known."""
    said = ""
    try:
        condition_phrases.settle(reading.asides, reading.blocks, reading.told)
        for said in reading.asides.sentences:
            if not about_values(said, reading):
                raise NotUnderstood(said)
    except NotUnderstood as error:
        raise Refused(Stage.GRAMMAR, f"cannot read “{error}” among the bounds") from error


def about_values(text: str, reading: Reading) -> bool:
    """A sentence that adds no line, but says something of what was read before."""
    if structure.apply(text, reading.blocks) or condition_phrases.apply(
        text, reading.blocks, reading.last, reading.told
    ):
        return True
    outside_rows = [draft for block in reading.blocks if block.count is None for draft in block.items]
    return attributes.apply(text, reading.drafts(), reading.last, outside_rows=outside_rows)


_SPAN = re.compile(
    r"\[ ?(?P<one>[lLaA])(?:_[a-z])? ?[,;] ?(?P<other>[rRbB])(?:_[a-z])? ?\]|\bfrom (?P<low>[lLaA]) to"
    r" (?P<high>[rRbB])\b"
)


def order_ends(sections: Sections, reading: Reading) -> None:
    """The ends of a range that the statement speaks of, as of [l, r], stand in order although no bound says so."""
    text = plain(f"{sections.story} {sections.input} {sections.output}")
    pairs = {(found["one"] or found["low"], found["other"] or found["high"]) for found in _SPAN.finditer(text)}
    told = {name for pair in reading.bounds.relations for side in pair for name in expressions.names(side)}
    for one, other in sorted(pairs):
        for block in reading.blocks:
            names = {draft.name for draft in block.items if draft.kind == "number"}
            if {one, other} <= names and not {one, other} <= told:
                reading.bounds.at_most(one, other)
