"""Sentences that are understood as a whole: remarks, legends, the numbering of things, sums over all test cases."""

from __future__ import annotations

import re

from authoring.compiler import attributes, further_remarks, legends, remarks, structure
from authoring.compiler.line_reading import Reading

_PRODUCT_SUM = re.compile(
    r"(?:it is guaranteed that )?(?:the )?(?:total )?sum of (?P<one>[a-z]) ?(?:[·*] ?(?P<other>[a-z])|\^2) (?:over"
    r"|for|across|in)"
    r" (?:all )?(?:the )?test cases (?:does not|doesn't|do not) exceed (?P<bound>\d+)",
    re.IGNORECASE,
)
_LENGTH_SUM = re.compile(
    r"(?:it is guaranteed that )?(?:the )?(?:sum of (?:the )?lengths|total length) of (?:all )?(?:the )?(?:[a-z]"
    r" )?(?:given )?[a-z]+"
    r" (?:over|in|across|among) all (?:the )?test cases(?: in the input)? (?:does not|doesn't|do not) exceed"
    r" (?P<bound>\d+)",
    re.IGNORECASE,
)
_IS_DESCRIBED = re.compile(
    r"(?:each|the i-th) line (?:contains|describes) (?:the |a )?(?:description of )?(?:the )?i-th [a-z]+", re.IGNORECASE
)


def is_understood(sentence: str, reading: Reading) -> bool:
    """Whether a sentence says nothing that has to be kept, or something of the whole input, which is noted."""
    if attributes.is_harmless(sentence, reading.tests):
        return True
    if structure.is_numbering(sentence) or remarks.is_remark(sentence):
        return True
    if further_remarks.is_passed_over(sentence, {draft.name for draft in reading.drafts()}):
        return True
    if legends.is_legend(sentence):
        reading.symbols += legends.symbols(sentence)
        return True
    sums = attributes.sum_bound(sentence, _sizes(reading))
    if sums:
        reading.bounds.at_most(*sums)
        return True
    if found := _PRODUCT_SUM.fullmatch(sentence):
        one, other = found["one"], found["other"] or found["one"]
        reading.told.whole.append(f"{one}*{other} <= {found['bound']}")
        return True
    if reading.tests and (found := _LENGTH_SUM.fullmatch(sentence)):
        words = [draft for draft in reading.drafts() if draft.kind == "word"]
        for draft in words:
            draft.own.at_most(f"|{draft.name}|", found["bound"])
        return bool(words)
    return reading.waiting is None and bool(reading.blocks) and bool(_IS_DESCRIBED.fullmatch(sentence))


def is_told(text: str, reading: Reading) -> bool:
    """Whether a sentence, its bounds taken out, only says what values stand for."""
    return remarks.is_comment(text) or further_remarks.is_passed_over(text, {draft.name for draft in reading.drafts()})


def _sizes(reading: Reading) -> tuple[str, ...]:
    """Numbers of one test case, whose sum over all of them may be spoken of without saying so."""
    if not reading.tests:
        return ()
    return tuple(
        item.name for block in reading.blocks if block.count is None for item in block.items if item.kind == "number"
    )
