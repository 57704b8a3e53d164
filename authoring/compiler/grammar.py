"""Reads the Input section sentence by sentence into an :class:`InputFormat`; a sentence no rule covers is a refusal.

Rules, in words (see README.md for examples): which line or lines a sentence speaks of, what stands there (phrases.py),
the number of test cases, bounds in brackets, behind “where” or in a sentence of their own, and a few attributes.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from pydantic import ValidationError

from authoring.compiler import attributes, further_lines, legends, lengths, phrases, trees, whole_sentences
from authoring.compiler.alphabets import NotUnderstood
from authoring.compiler.assemble import assemble
from authoring.compiler.bounds import COMPARISON, note_chains, range_phrase
from authoring.compiler.descriptions import PROMISE, is_naming, is_noun_phrase, without_descriptions
from authoring.compiler.expressions import NotAnExpression
from authoring.compiler.input_format import InputFormat
from authoring.compiler.line_reading import (
    MAX_SENTENCE,
    Reading,
    about_values,
    kept_elsewhere,
    order_ends,
    settle,
    told_lines,
)
from authoring.compiler.names import lengths_as_numbers
from authoring.compiler.outcome import Refused, Stage
from authoring.compiler.phrases import NAME, Draft, DraftBlock
from authoring.compiler.phrasing import canonical
from authoring.compiler.sections import Sections

_ORDINALS = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"]
_OF = (
    r"(?: of (?:the |each |every |a |this )?"
    r"(?:input(?: file)?|file|test ?case|test|case|data set|description)s?(?: description)?)?"
)
_VERB = (
    r"(?:will )?(?:contains?|consists? of|has|have|holds?|gives?|is|are|includes?|there (?:is|are)|describes?|lists?)"
    r"(?: exactly| only| just)?"
)
_LEAD = r"(?:the |in the |on the |then,? (?:the |in the |on the )?|finally,? the |and the )?"
_LINE = re.compile(
    rf"{_LEAD}(?P<ordinal>{'|'.join(_ORDINALS)}|last|next|following|only|single|final) line{_OF},?"
    rf"(?: you are given)? {_VERB} (?P<things>.+)",
    re.IGNORECASE,
)
_BARE_LINE = re.compile(
    rf"(?:(?:the )?(?:only )?input{_OF}? (?:contains|consists of|is|has) |each test ?case (?:contains|consists of|is"
    rf" given (?:on|in|as)|is) )?"
    r"(?:a single|one|exactly one|the only|a|only one|just one) line,?(?: that| which)? ?(?:containing|contains|with"
    r"|of|consisting of|holding|:) ?"
    r"(?P<things>.+)",
    re.IGNORECASE,
)
_WHOLE = re.compile(rf"(?:the (?:only )?input{_OF}|each test ?case) {_VERB} (?P<things>.+)", re.IGNORECASE)
_ROWS = re.compile(
    rf"(?:(?:each|every|the i-th)(?: one)? of (?:the )?(?:next|following|remaining|last|other|subsequent)? ?"
    rf"|{_LEAD}(?:next|following|remaining|last|subsequent|other) "
    rf"|(?:then|next|after that|finally),?(?: follow| there are| come)? |it is followed by |followed by |there follow )"
    rf"(?P<count>(?!lines|following|next|remaining){phrases._EXPR}) (?:lines|rows)(?: follow(?:s|ing)?|"
    rf" below)?(?:,?(?: each)?(?: of (?:them"
    rf"|which))?(?: {_VERB}| containing| with| consisting of| describing)?"
    rf"(?P<each> each)?(?::)? (?P<things>.+))?",
    re.IGNORECASE,
)
_EACH_ROW = re.compile(
    rf"(?:in )?(?:each|every|the i-th|i-th)(?: one)?(?: such| (?:of|from|among) (?:these|those|them|the))? "
    rf"?(?:lines?|rows?"
    rf"|one|quer(?:y|ies)|of them|description|edge|operation|event|segment|request|point|friend|student|item|of these)?"
    rf"(?: of (?:them|these|the (?:grid|map|board|matrix|table|field)))?,? {_VERB} (?P<things>.+)",
    re.IGNORECASE,
)
_KINDS = r"(?:independent |different )*(?:test ?cases|tests|data ?sets|scenarios)"
_TESTS = re.compile(
    rf"{_LEAD}(?:first|only) line{_OF},? {_VERB} (?:"
    rf"(?:(?:an?|one|the|single|positive) )*(?:integers? |number )?(?P<a>{NAME})?(?:,| —|:)? ?"
    rf"(?:denoting |representing |which is |being )?(?:the |a )?number of (?:the )?{_KINDS}"
    rf"|(?:the |a )?number of (?:the )?{_KINDS}(?:,|:| —)? (?P<b>{NAME})"
    r")(?:,? (?:to process|that follow|which follow|to follow|in the (?:input|file|test)))?",
    re.IGNORECASE,
)
_ROW_OF = re.compile(
    r"^(?:(?:a|the|one|i-th|next|single) )*(?:row|line|description)(?: of (?:the|a) [a-z]+)?(?:[:,—]| as| given as|,"
    r" given as|, which is| —) ?"
)
_DESCRIBES = re.compile(
    r"^(?:the|a|an) (?:[a-z-]+ ){0,4}(?:grid|map|board|matrix|table|field|queries|rows?|description|edges|roads"
    r"|pairs)(?: itself| (?:in|of) the (?:graph|tree|network))?$"
)
_BARE_ITEMS = re.compile(r"(?:two|three|four|five) (?:[a-z-]+ )?(?:integers|numbers)", re.IGNORECASE)
_ITEM = re.compile(
    r"\b(?:integers?|numbers?|strings?|words?|characters?|letters?|digits?|values?|symbols?)\b|\b[a-z]_\w"
)
_WHERE = re.compile(r",? (?:where|with|such that|satisfying|so that|and|for which)? ?(?P<chain>[^≤<≥>]{1,40}[≤<≥>].*)$")
_TAIL_RANGE = re.compile(
    r",? (?P<range>(?:each |all |which |that |each of them )?(?:is |are |being |lies? )?(?:in the range |between "
    r"|from )-?\w+.*)$"
)


def read(sections: Sections) -> InputFormat:
    """The input format a statement describes; see :func:`read_all`."""
    return read_all(sections)[0]


def read_all(sections: Sections) -> tuple[InputFormat, tuple[str, ...]]:
    """The input format a statement describes, and the sentences outside its Input section that it was made with.

    Raises:
        Refused: a sentence was not understood, or bounds are missing or contradictory.
    """
    reading = Reading()
    for sentence in map(canonical, told_lines(sections)):
        if len(sentence) > MAX_SENTENCE:
            raise Refused(Stage.GRAMMAR, f"a sentence of {len(sentence)} characters: “{sentence[:80]}…”")
        try:
            understood = _sentence(sentence, reading)
        except (NotUnderstood, NotAnExpression) as error:
            raise Refused(Stage.GRAMMAR, f"cannot read “{error}” in the sentence “{sentence[:200]}”") from error
        if not understood:
            raise Refused(Stage.GRAMMAR, f"cannot read the sentence “{sentence[:200]}”")
    if reading.waiting is not None:
        raise Refused(Stage.GRAMMAR, f"what stands on each of the {reading.waiting} lines is not said")
    if not reading.blocks:
        raise Refused(Stage.GRAMMAR, "the Input section names nothing that is read")
    legends.give_alphabets(reading.drafts(), reading.symbols)
    settle(reading)
    _, of_words = lengths_as_numbers(sections.input, sections.constraints)
    lengths.settle(reading.blocks, reading.bounds, reading.told, reading.lengths, of_words)
    order_ends(sections, reading)
    kept = kept_elsewhere(sections, reading)
    try:
        format_ = assemble(reading.blocks, bounds=reading.bounds, tests=reading.tests, told=reading.told)
    except ValidationError as error:
        raise Refused(Stage.GRAMMAR, f"the input format does not hold together: {error.errors()[0]['msg']}") from error
    return trees.supposed(format_, sections), kept


def _sentence(sentence: str, reading: Reading) -> bool:
    if re.fullmatch(r"then test cases follow|each test contains multiple test cases", sentence, re.IGNORECASE):
        if sentence[0].lower() == "t":
            _first_was_tests(reading)
        return True
    if whole_sentences.is_understood(sentence, reading):
        return True
    text, ranges = _take_bounds(sentence, reading)
    if not text:
        return True
    rules: tuple[Callable[[str, Reading], list[Draft] | None], ...] = (
        _tests,
        _two_lines,
        _uncounted_rows,
        _rows,
        _line,
        _each_row,
        _bare_line,
    )
    for rule in rules:
        drafts = rule(text, reading)
        if drafts is not None:
            reading.last = drafts or reading.last
            reading.lengths += filter(None, [lengths.told_length(text, drafts)])
            _apply(ranges, drafts or reading.last)
            return True
    if ranges and _OF_THE_STRING.fullmatch(text):
        words = [draft for draft in reading.drafts() if draft.kind == "word"]
        if len(words) == 1:
            _apply(ranges, words)
            return True
    if about_values(text, reading):
        _apply(ranges, reading.last)
        return True
    return (
        len(ranges) * len(reading.last) < 2 and whole_sentences.is_told(text, reading) and _apply(ranges, reading.last)
    )


def _take_bounds(sentence: str, reading: Reading) -> tuple[str, list[tuple[str, str]]]:
    """Move comparison chains and ranges out of the sentence; the rest of the sentence comes back."""
    ranges: list[tuple[str, str]] = []

    def taken(found: re.Match[str]) -> str:
        inside = attributes.without_quantifier(found[1])
        if re.search("[«»]", inside):
            return found[0]
        inside = reading.asides.taken(inside)
        if COMPARISON.search(inside):
            note_chains(inside, reading.bounds)
        elif span := range_phrase(inside):
            ranges.append(span)
        elif re.fullmatch(rf"{NAME}(?:, {NAME})+", inside):
            return ""
        elif inside not in ("", "s", "inclusive", "both inclusive") and not (
            is_noun_phrase(inside) or is_naming(inside)
        ):
            raise NotUnderstood(inside)
        return ""

    sentence = without_descriptions(sentence) if ": " in sentence else sentence
    text = re.sub(r"\s*\(([^()]*(?:\([^()]*\)[^()]*)*)\)", taken, sentence).strip(" ,")
    if not COMPARISON.search(text):
        found = None if "permutation" in text else _TAIL_RANGE.search(text)
        # “A road between a and b” is no range.
        if found and (span := range_phrase(found["range"])) and any(end.strip("-").isdecimal() for end in span):
            ranges.append(span)
            text = text[: found.start()].strip(" ,")
        return text, ranges
    text = attributes.without_quantifier(text)
    text = re.sub(r"^(?:it is guaranteed that|it is known that|constraints?:)\s*", "", text, flags=re.IGNORECASE)
    if not re.match(r"[A-Za-z-]{2,} ", text):
        if text := reading.asides.taken(text):
            note_chains(text, reading.bounds)
        return "", ranges
    found = _WHERE.search(text)
    while found and re.search(r"[A-Za-z]{3,}", found["chain"]):
        found = _WHERE.search(text, found.start() + 1)
    if not found:
        raise NotUnderstood(text)
    note_chains(reading.asides.taken(found["chain"]), reading.bounds)
    return text[: found.start()].strip(" ,—"), ranges


def _apply(ranges: list[tuple[str, str]], drafts: list[Draft]) -> bool:
    for low, high in ranges:
        if not drafts:
            raise NotUnderstood(f"between {low} and {high}")
        for draft in drafts:
            key = f"|{draft.name}|" if draft.kind == "word" else draft.name
            draft.own.at_most(low, key)
            draft.own.at_most(key, high)
    return True


def _tests(text: str, reading: Reading) -> list[Draft] | None:
    found = None if reading.blocks or reading.tests else _TESTS.fullmatch(text)
    if not found:
        return None
    reading.tests = found["a"] or found["b"] or "t"
    return []


def _first_was_tests(reading: Reading) -> None:
    """“The first line contains t. Then t test cases follow”: what was read as a number was the number of test cases."""
    if reading.tests:
        return
    if len(reading.blocks) != 1 or reading.blocks[0].count is not None:
        raise NotUnderstood("test cases")
    (block,) = reading.blocks
    if len(block.items) != 1 or block.items[0].kind != "number":
        raise NotUnderstood("test cases")
    (draft,) = block.items
    reading.tests, reading.blocks, reading.last, reading.next_line = draft.name, [], [], 1
    for key, low in draft.own.low.items():
        reading.bounds.at_most(str(low), key)
    for key, high in draft.own.high.items():
        reading.bounds.at_most(key, str(high))


_OF_THE_STRING = re.compile(
    r"(?:the )?length of (?:the |this )?(?:string|word|sequence|text|line)|(?:the )?number of (?:the )?(?:points"
    r"|letters|characters|symbols)(?: in (?:the |it)?(?:string|word)?)?",
    re.IGNORECASE,
)
_OF_EACH = re.compile(r"(?:the )?first line of each test case", re.IGNORECASE)


def _line(text: str, reading: Reading) -> list[Draft] | None:
    found = _LINE.fullmatch(text)
    if not found:
        return None
    if _OF_EACH.match(text) and reading.blocks:
        _first_was_tests(reading)
    ordinal = found["ordinal"].lower()
    if ordinal in _ORDINALS:
        number = _ORDINALS.index(ordinal) + 1
        if reading.next_line is None or number not in (reading.next_line, reading.next_line + bool(reading.tests)):
            raise NotUnderstood(f"{ordinal} line")
    return _add_line(found["things"], reading)


def _bare_line(text: str, reading: Reading) -> list[Draft] | None:
    found = _BARE_LINE.fullmatch(text) or _WHOLE.fullmatch(text)
    if not found or reading.blocks:
        return None
    return _add_line(found["things"], reading)


def _add_line(text: str, reading: Reading) -> list[Draft]:
    if reading.waiting is not None:
        raise NotUnderstood(text)
    text = further_lines.with_count(text, reading)
    if drafts := further_lines.in_the_same_format(text, reading):
        return further_lines.new_line(drafts, reading)
    return further_lines.new_line(phrases.things(_ROW_OF.sub("", text)), reading)


def _two_lines(text: str, reading: Reading) -> list[Draft] | None:
    found = None if reading.waiting is not None else further_lines.two_lines(text)
    if not found:
        return None
    ordinal, contents = found
    if ordinal.lower() in _ORDINALS and reading.next_line != _ORDINALS.index(ordinal.lower()) + 1:
        raise NotUnderstood(f"{ordinal} line")
    return [draft for content in contents for draft in _add_line(content, reading)]


def _rows(text: str, reading: Reading) -> list[Draft] | None:
    found = _ROWS.fullmatch(text)
    if not found or reading.waiting is not None:
        return None
    count = str(phrases.COUNT_WORDS.get(found["count"], found["count"]))
    things = re.sub(r"(?:,? each|,? per line|,? one per line)$", "", (found["things"] or "").strip())
    if not things or (_DESCRIBES.match(things) and not PROMISE.search(things.lower())):
        reading.waiting = count
        return []
    if count == reading.tests:
        return _add_line(things, reading)
    if (
        (is_noun_phrase(things) and not _ITEM.search(things))
        or _BARE_ITEMS.fullmatch(things)
        or further_lines.is_topic(things)
    ):
        reading.waiting = count
        return []
    if re.search(r",? (?:one per line|one on each line)$", found["things"] or ""):
        raise NotUnderstood(text)
    return _add_rows(count, things, reading)


def _uncounted_rows(text: str, reading: Reading) -> list[Draft] | None:
    found = further_lines.uncounted(text, reading)
    return _add_rows(*found, reading) if found else None


def _each_row(text: str, reading: Reading) -> list[Draft] | None:
    if (
        drafts := further_lines.ends_of_edges(text, reading)
        or further_lines.named_again(text, reading)
        or further_lines.are_words(text, reading)
    ):
        return drafts
    found = _EACH_ROW.fullmatch(text)
    if not found or reading.waiting is None:
        return None
    count, reading.waiting = reading.waiting, None
    return _add_rows(count, found["things"], reading)


def _add_rows(count: str, text: str, reading: Reading) -> list[Draft]:
    drafts = phrases.things(_ROW_OF.sub("", text))
    reading.blocks.append(DraftBlock(drafts, count))
    reading.next_line = None
    return drafts
