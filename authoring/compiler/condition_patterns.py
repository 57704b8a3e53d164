"""The patterns of :mod:`authoring.compiler.condition_phrases`: sentences that set a condition on the whole input."""

from __future__ import annotations

import re

from authoring.compiler.phrases import NAME

EXPR = r"[A-Za-z0-9_]{1,20}(?: ?[-+*·] ?[A-Za-z0-9_]{1,20})?"
MOST = (
    r"(?:does not exceed|do not exceed|doesn't exceed|will not exceed|is at most|is not greater than|is not more than"
    r"|is no more than|is less than or equal to|not exceeding|(?:is )?≤)"
)
LEAST = r"(?:is at least|is not less than|is no less than|is greater than or equal to|(?:is )?≥)"
SAME = r"(?:is equal to|equals|is exactly|=)"
SUM = re.compile(
    rf"(?:the )?(?:total )?sum of (?:all |the )*(?:values of |numbers |integers |values"
    rf" )?(?P<name>{NAME})(?:'s)?(?: values)?"
    rf"(?: for all i)? (?:(?P<most>{MOST})|(?P<least>{LEAST})|(?P<same>{SAME})) (?P<bound>{EXPR})",
    re.IGNORECASE,
)
LENGTHS = re.compile(
    rf"(?:the )?(?:total length|sum of (?:the )?lengths|total sum of lengths) of (?:all )?(?:the )?(?:given )?"
    rf"(?:strings?|words?|names|(?P<name>{NAME}))(?: (?P<also>{NAME}))?(?: in the input)? {MOST} (?P<bound>\d+)"
    rf"(?: characters| letters| symbols)?",
    re.IGNORECASE,
)
PRIME = re.compile(
    rf"(?:the )?(?:number |integer )?(?P<name>{NAME}) (?:is|be) (?:always )?(?:an? )?prime(?: number| integer)?",
    re.IGNORECASE,
)
PALINDROME = re.compile(rf"(?:the )?(?:string |word )?(?P<name>{NAME}) (?:is|be) a palindrome", re.IGNORECASE)
NO_LEADING = re.compile(
    rf"(?:the )?(?:number |integer |string )?(?P<name>{NAME}|number|numbers|integers?) (?:(?:doesn't|does not|do"
    rf" not|don't|has"
    r"|have|is given|in its binary representation|contains?|will|start with|without|no|any|,) ?)+leading zero(?:e?s)?",
    re.IGNORECASE,
)
FIRST = re.compile(
    r"(?:the )?first (?:digit|character|symbol)(?: of (?:the )?(?:string |number )?(?P<name>[a-z]))? (?:is not"
    r"|isn't) «(?P<what>.)»",
    re.IGNORECASE,
)
LAST = re.compile(
    r"(?:the )?last (?:digit|character|symbol)(?: of (?:the )?(?:string |number )?(?P<name>[a-z]))? (?:is not"
    r"|isn't) «(?P<what>.)»",
    re.IGNORECASE,
)
HOLDS = re.compile(
    rf"(?:the )?(?:string |word |number )?(?P<name>{NAME}) contains at least one «(?P<what>.)»", re.IGNORECASE
)
ALL_OF = re.compile(
    rf"(?:each|every) (?:number|integer|value|colou?r|one)? ?(?:from|between) 1 (?:to|and) (?P<most>{EXPR})"
    rf" (?:occurs|appears"
    rf"|is present|is met|is mentioned|comes|is used|is contained) (?:(?P<least>at least once)|exactly once)"
    rf"(?: (?:in|among) (?:the |this |all )?(?:sequence|array|list|permutation|integers|numbers|values|input)?(?:"
    rf" ?(?P<name>{NAME}))?)?",
    re.IGNORECASE,
)
SOME_MORE = re.compile(
    rf"(?:at least one (?:of (?:the )?)?(?:numbers|integers|values|elements)?(?: ?(?P<name>{NAME}))?|(?:the )?sum"
    rf" of (?P<sum>{NAME}))"
    r" is (?:positive|non-?zero|greater than (?:0|zero)|not (?:equal to )?(?:0|zero))",
    re.IGNORECASE,
)
SOME_STORY = re.compile(
    r"at least one [a-z]+(?: of)? is (?:non-?empty|not empty|riding|present|alive)(?: in [a-z"
    r" ]{1,30})?",
    re.IGNORECASE,
)
DIVISIBLE = re.compile(
    rf"(?P<what>{EXPR}(?: ?[-+] ?\w{{1,20}})?) (?:is|be) (?:always )?(?:divisible by|a multiple of)"
    rf" (?P<by>{NAME}|\d+)",
    re.IGNORECASE,
)
POWER = re.compile(
    rf"(?P<what>{EXPR}(?: ?[-+] ?\w{{1,20}})?) (?:is|be) (?:always )?(?:(?:a )?(?:non-?negative )?(?:integer"
    rf" )?power of (?:2|two)"
    r"|of (?:the )?form 2\^[a-z](?: for some (?:non-?negative |positive )?integer [a-z])?(?:,? so that [a-z ]{1,60})?)",
    re.IGNORECASE,
)
ROW_ORDER = re.compile(
    r"(?:[a-z ]+ )?(?:are|is) (?:given|listed|sorted|ordered|written)?,? ?(?:in )?(?:the )?(?:order of )?"
    rf"(?P<how>strictly increasing|strict increasing|increasing|strictly ascending|ascending|non-?decreasing)(?:"
    rf" order)?"
    rf"(?: (?:of|by) (?:the )?(?:values of |coordinates? )?| )(?P<name>{NAME})",
    re.IGNORECASE,
)
COLUMN_DISTINCT = re.compile(
    rf"(?:all (?:the )?(?:values |numbers |integers )?(?:of )?(?P<name>{NAME})(?:'s)? are (?:pairwise |all"
    rf" )*(?:distinct|different|unique)"
    rf"|(?:there are )?no (?:two|pair of) indices i ≠ j such that (?P<other>{NAME}) = {NAME})",
    re.IGNORECASE,
)
NO_TWO = re.compile(
    rf"no two [a-z]+ have the same (?P<names>{NAME}(?:(?:,| and|, and) {NAME})+)(?: at the same time)?", re.IGNORECASE
)
POINTS = re.compile(r"all rows are distinct", re.IGNORECASE)
POSITIONS = re.compile(r"all positions are distinct", re.IGNORECASE)
TIME_ORDER = re.compile(
    r"(?:the )?[a-z]+ are (?:given|listed) in (?:a |the )?(?:chronological|non-decreasing|increasing) order(?: of"
    r" (?:their )?"
    r"[a-z ]{0,20}times?)?(?:,? and (?:they )?[a-z ]{0,30}distinct [a-z]+)?(?:,? and the current time is 0)?",
    re.IGNORECASE,
)
NOT_FIRST = re.compile(r"(?:there is |there are )?no [a-z]+ in the first cell", re.IGNORECASE)
OF_TYPE = re.compile(
    r"there (?:exists|is) at least one (?:query|operation|request) of (?:type (?P<number>[1-9])|the"
    r" (?P<word>first|second|third)"
    r" type)",
    re.IGNORECASE,
)
ALL_DIFFER = re.compile(
    r"no two [a-z ]{3,60}, that is, (?P<one>[a-z])_i ≠ (?P=one)_j, (?P=one)_i ≠ (?P<other>[a-z])_j,"
    r" (?P=other)_i ≠ (?P=one)_j,"
    r" (?P=other)_i ≠ (?P=other)_j for all i, j",
    re.IGNORECASE,
)
