"""More sentences of an Input section that narrow nothing: what is said of names that are not read, and of the story.

Each kind is told by its whole wording; a word that could set a condition keeps it from being passed over.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from authoring.compiler.descriptions import is_naming, narrows

_NOT_READ = re.compile(
    r"(?:we|you) know that all (?:numbers|integers) (?P<names>[a-z](?:, [a-z])*(?:,? and [a-z])?) are"
    r" (?:positive|natural)"
    r" (?:integers|numbers)",
    re.IGNORECASE,
)
_FORMED = re.compile(
    r"(?:the )?[a-z]+ (?P<name>[a-z]) is formed by concatenating [a-z] copies of [a-z](?: together)?"
    r"|that is,? (?P<length>[a-z]) = \|[a-z]\| ?[·*] ?[a-z]",
    re.IGNORECASE,
)
_ENDS_DENOTE = re.compile(
    r"(?:the )?(?:numbers|integers|values) [a-z](?:_\w)? and [a-z](?:_\w)? (?:denote|represent|are)"
    r" (?P<what>the [a-z ]{3,100})",
    re.IGNORECASE,
)
_OF_EACH = re.compile(r"(?P<name>[a-z])_[ij] (?:is|denotes) (?P<what>the [a-z' -]{3,80})", re.IGNORECASE)
_KINDS = re.compile(
    r"(?:each|every) (?:colou?r|letter|character|symbol|type) corresponds to (?:exactly )?(?:a|one) (?:single"
    r" )?(?:colou?r"
    r"|letter|character|symbol|type)"
    r"|the (?:schedule|description|list|name|price) of (?:the )?[a-z' -]{3,50} i-th [a-z]+ is"
    r" (?:described|given|written) in"
    r" the i-th of these lines"
    r"|the letters give the [a-z' ]{3,30} in the order in which they are arranged on the line: the first letter"
    r" gives the"
    r" colou?r of the leftmost [a-z]+, the second gives the colou?r of the second [a-z]+ from the left(?: etc)?"
    r"|(?:it is guaranteed that )?(?:note that )?the order in which (?:the )?[a-z]+ appear in the input"
    r" (?:doesn't|does not) matter"
    r"|in this case,? you can use each [a-z ]{3,60}"
    r"|(?:it is guaranteed that )?you(?:r|'re)? are given a constraint that bounds? the product of these two"
    r" integers(?:,"
    r" i\. ?e\.?)?"
    r"|the given pairs describe simple paths, because between every pair of [a-z]+ there is only one simple path"
    r"|more specifically, [a-z]\([^()]{1,40}\) = [a-z]_[a-z], if [a-z] = \\overline\{[^{}]{1,40}\} in binary"
    r"|if [a-z] = \\overline\{[^{}]{1,40}\} in binary,? then this means to set [a-z]\([^()]{1,40}\) → [a-z]"
    r"|(?:it is guaranteed that )?since in this subtask [a-z] = [a-z], this means that [a-z] is a permutation"
    r" of integers 1"
    r" through [a-z]"
    r"|(?:it is guaranteed that )?the operations are given in the order in which the [a-z]+ made them and the"
    r" [a-z]+ wants"
    r" to make them in the same order"
    r"|[a-z]+ can start (?:from|with) (?:the )?digit «0»"
    r"|a pair [a-z](?:_i)?,? [a-z](?:_i)? means,? that there is a one-?way road which goes from [a-z](?:_i)? to"
    r" [a-z](?:_i)?"
    r"|that means that the fool number [^≤]{3,120}"
    r"|(?:it is guaranteed that )?(?:an? )?[a-z ]{3,30} (?:may|can) appear in the input (?:multiple times|more"
    r" than once)"
    r"|the number of elements in the table|in particular|namely|finally",
    re.IGNORECASE,
)
_STATES = re.compile(
    r"(?:[a-z]+ [a-z]+ (?:have|has) [a-z](?:_\w)? ?= ?\d)(?:, [a-z]+ (?:have|has) [a-z](?:_\w)? ?= ?\d)*", re.IGNORECASE
)
"""“Gray vertices have a_v=0, white have a_v=1”: what numbers mean whose bounds are told."""


def is_passed_over(text: str, names: Collection[str]) -> bool:
    """Whether the sentence sets no condition on what is read.

    Args:
        text: The sentence, in canonical wording.
        names: What has been read so far.
    """
    text = text.strip(" :,.")
    if _KINDS.fullmatch(text) or _STATES.fullmatch(text):
        return True
    if found := _NOT_READ.fullmatch(text):
        return not set(re.findall(r"\b[a-z]\b", found["names"])) & set(names)
    if found := _FORMED.fullmatch(text):
        return (found["name"] or found["length"]) not in names
    if found := _OF_EACH.fullmatch(text):
        return found["name"] in names and is_naming(found["what"]) and not narrows(found["what"])
    found = _ENDS_DENOTE.fullmatch(text)
    return found is not None and is_naming(found["what"]) and not narrows(found["what"])
