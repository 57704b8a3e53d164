"""Sentences that add no line: harmless ones, sums over test cases, and attributes of what was read before."""

from __future__ import annotations

import re
from collections.abc import Sequence

from authoring.compiler import phrases
from authoring.compiler.alphabets import NotUnderstood, alphabet
from authoring.compiler.descriptions import PROMISE, is_noun_phrase
from authoring.compiler.phrases import NAME, Draft

_TEST = r"(?:test ?cases?|tests?|data ?sets?|scenarios?)"
_LINES = r"(?:a single|one|two|three|four|five|several|exactly \w+|\w+(?: ?\+ ?\w+)?) lines?"
_HARMLESS = re.compile(
    rf"each test (?:consists of|contains) (?:multiple|several) {_TEST}|"
    rf"(?:the )?input (?:consists of|contains) (?:a single|one|multiple|several|exactly one|only one|{NAME}) {_TEST}"
    rf"|(?:then |next |after that,? )?(?:the )?(?:descriptions? of )?(?:the )?(?:{NAME} )?{_TEST}(?: descriptions?)?"
    rf" follows?"
    rf"|then (?:follow )?(?:{NAME} )?{_TEST}(?: follow)?"
    rf"|each {_TEST} (?:consists of|contains|is described by|is given (?:on|in|as)|takes|spans|has) {_LINES}"
    rf"|(?:the )?(?:input|format|{_TEST}) (?:is|are|consists of)(?: given)? (?:as follows|in the following format"
    rf"|{_LINES})"
    r"|all (?:the )?(?:values|numbers|inputs?)(?: in (?:the )?input(?: file)?)? are integers"
    r"|(?:the )?(?:numbers|values|integers) (?:on (?:a|each|the) line )?are separated by (?:single |one )?spaces?"
    r"|there are no (?:leading |trailing |extra )*(?:or trailing )?spaces(?: (?:in|between) (?:the )?\w+)?"
    r"|(?:the )?input is (?:given|read) (?:from|via|on) (?:the )?standard input",
    re.IGNORECASE,
)
_SUM = re.compile(
    rf"(?:it is (?:also )?guaranteed that )?the (?:sum|total) of (?:all |the )*(?:values of"
    rf" )?(?P<name>\|?{NAME}\|?)(?: values?)? "
    rf"(?:over|across|for|in|among|through) (?:all )?(?:the )?{_TEST}(?: in one input)? "
    r"(?:does not exceed|doesn't exceed|do not exceed|is at most|will not exceed|is not greater than|≤) (?P<bound>\d+)",
    re.IGNORECASE,
)
_QUANTIFIER = re.compile(
    r",? (?:for|where) (?:each|all|every|any)? ?(?:valid )?[ij](?: from 1 to \w+)?$|,? (?:for|where) (?:each |all "
    r"|every )?1 ≤ [ij](?:, [ij])? ≤ \w+$"
    r"|,? for (?:each|every|all) (?:test ?cases?|tests?|quer(?:y|ies)|rows?|lines?|elements?|values?)$"
)
_SUBJECT = (
    rf"(?:all |each |the |every |given )*(?:(?:elements|values|integers|numbers|array|sequence|list)(?: (?:of|in)"
    rf" (?:the )?(?:array|sequence|list))?"
    rf"(?: (?P<name>{NAME}))?|(?P<bare>{NAME}))"
)
_DISTINCT = re.compile(
    rf"{_SUBJECT} (?:are|is) (?:all )?(?:pairwise |mutually )?(?:distinct|different|unique)", re.IGNORECASE
)
_ORDER = re.compile(
    rf"{_SUBJECT} (?:are|is) (?:given |sorted |listed |ordered |written )*(?:in )?(?P<how>strictly increasing"
    rf"|increasing|non-?decreasing|ascending"
    r"|strictly decreasing|decreasing|non-?increasing|descending)(?: order)?",
    re.IGNORECASE,
)
_WITHIN = re.compile(
    r"(?:that )?(?:these |the |all |of |their )*(?:numbers|integers|values|coordinates)(?: are integers?(?: and|,))?"
    r" (?:do not|don't|does not) exceed (?P<most>\d+) (?:in|by) (?:the )?(?:absolute value|modulus|absolute values)",
    re.IGNORECASE,
)
_EACH_LENGTH = re.compile(
    r"(?:and )?(?:(?:their|its|the) lengths?|(?:the )?lengths? of (?:each|every|all|both)(?: of)?(?: the)?"
    r" (?:strings?|words?|names?|of them))"
    r" (?:(?:does not|doesn't|do not|don't) exceed|(?:is|are) at most|(?:is|are) not (?:greater|more|longer) than)"
    r" (?P<most>\d+)(?: characters| letters| symbols)?",
    re.IGNORECASE,
)
_POSITIVE_MOST = re.compile(
    r"(?:all )?(?:the )?(?:numbers|integers|values) are positive integers,? (?:and )?(?:each of (?:them|which)"
    r"|they) (?:doesn't|does"
    r" not|don't|do not) exceed (?P<most>\d+)"
    r"|all (?:the )?[a-z]+ are (?:natural|positive integer) numbers not exceeding (?P<also>\d+)",
    re.IGNORECASE,
)
_EACH_EXACT = re.compile(r"lengths of strings are (?P<count>[a-z])", re.IGNORECASE)
_EACH_SPAN = re.compile(r"lengths of strings run from (?P<low>\d+) … (?P<high>\d+)", re.IGNORECASE)
_EACH_LEAST = re.compile(
    r"(?:the )?length of (?:each|every) (?:word|string|name) is (?:more or equal than|at least"
    r"|not less than) (?:1|one)",
    re.IGNORECASE,
)
_ORDERS = {
    "strictly increasing": "increasing",
    "increasing": "increasing",
    "nondecreasing": "nondecreasing",
    "strictly decreasing": "decreasing",
    "decreasing": "decreasing",
    "nonincreasing": "nonincreasing",
}
_CHARACTERS = re.compile(
    rf"(?:(?:each|every|all)(?: of the)? (?:characters?|symbols?|cells?|letters?)(?: (?:of|in) (?:the )?(?:string"
    rf"|word|grid|row|map)s?(?: {NAME})?)? (?:is|are)"
    rf"|(?:the |each |every |all )*(?:strings?|words?|grid|map|board|rows?)(?: {NAME})? (?:consists?|contains?|is"
    rf" made up)(?: only| solely| entirely)?(?: of)?"
    rf"|(?P<bare>{NAME}) consists?(?: only| solely)?(?: of)?) (?P<alphabet>.+)",
    re.IGNORECASE,
)
_LENGTH = re.compile(
    rf"(?:the )?length of (?:the |each )*(?:string|word)?s? ?(?P<name>{NAME})? ?(?:is at most|does not"
    rf" exceed|doesn't exceed|is not"
    rf" greater than|is no more than) (?P<most>\d+)(?: characters)?",
    re.IGNORECASE,
)
_SYMBOL_IS = r"(?:an? |the )?(?:character |symbol |letter |cell )?«.»"
_MEANING = r"(?!the |your |his |her )[a-z' -]{2,40}"
_LEGEND = re.compile(
    rf"(?:here,? |where |in (?:the|this) (?:grid|map|board),? )?{_SYMBOL_IS} (?:means|denotes|marks|stands for"
    rf"|represents"
    rf"|is|for) {_MEANING}(?:(?:,| and|, and|, while|;) {_SYMBOL_IS} (?:(?:means|denotes|marks|stands for|represents|is"
    rf"|for) )?{_MEANING})*",
    re.IGNORECASE,
)
"""A definite meaning, as in “«S» is the start”, would say that there is exactly one."""
_ONCE = re.compile(
    rf"(?:each|every) (?:integer|number|value) from 1 to {NAME} (?:occurs|appears) exactly once(?: in (?:the )?\w*(?:"
    rf" ?{NAME})?)?",
    re.IGNORECASE,
)
_LENGTH_IS = re.compile(
    rf"(?:the )?length of (?:the |this |each )*(?:string|word)?s? ?(?P<name>{NAME})? ?(?:is|equals)(?: equal)?(?: to)? "
    r"(?:(?:from|between) (?P<low>\d+) (?:to|and) (?P<high>\d+)(?:,? inclusive(?:ly)?)?|(?P<exact>[a-z]))"
    r"(?: characters| letters| symbols)?(?:,? inclusive(?:ly)?)?",
    re.IGNORECASE,
)
_NAMING = re.compile(
    rf"the [ij]-th (?:of (?:them|these|these (?:numbers|integers|values))|(?:integer|number|value|element)(?: (?:in"
    rf"|of|on) [a-z -]+)?),? "
    rf"(?:is|denotes|gives|equals) (?P<name>{NAME})(?:,? (?:—|the) (?P<tail>[a-z -]+))?",
    re.IGNORECASE,
)
_IS_PERMUTATION = re.compile(
    rf"(?:it is guaranteed that )?{_SUBJECT} (?:is|are|forms?|form) a permutation(?: of (?:the )?(?:integers "
    rf"|numbers )?"
    rf"(?:from )?1(?: to|,? ?…,?|, 2,? ?…,?) {NAME})?",
    re.IGNORECASE,
)


def is_harmless(sentence: str, tests: str | None) -> bool:
    """Whether a sentence says nothing that must be kept."""
    if re.fullmatch(r"each test ?case .* lines?", sentence, re.IGNORECASE) and not tests:
        return False
    return bool(_HARMLESS.fullmatch(sentence.strip(" :")))


_SUM_OF_ONE = re.compile(
    rf"(?:it is (?:also )?guaranteed that )?the (?:sum|total) of (?:all |the )*(?:values of )?(?P<name>{NAME})"
    r" (?:does not exceed|doesn't exceed|do not exceed|is at most|will not exceed|is not greater than|≤)"
    r" (?P<bound>\d+)",
    re.IGNORECASE,
)


def sum_bound(sentence: str, sizes: Sequence[str] = ()) -> tuple[str, str] | None:
    """Variable and bound of “the sum of n over all test cases does not exceed 1000”: it bounds each n too.

    ``sizes`` are the single numbers of one test case: the sum of one of those can only be over all test cases.
    """
    if found := _SUM.fullmatch(sentence):
        return found["name"], found["bound"]
    found = _SUM_OF_ONE.fullmatch(sentence)
    return (found["name"], found["bound"]) if found and found["name"] in sizes else None


def without_quantifier(text: str) -> str:
    """Drop “for each i”, “for all 1 ≤ i ≤ n” behind a bound, and “inclusive”."""
    text = re.sub(r",? (?:both )?inclusive(?:ly)?$", "", text.strip())
    return _QUANTIFIER.sub("", text)


def apply(text: str, drafts: list[Draft], last: list[Draft], *, outside_rows: list[Draft]) -> bool:
    """Set an attribute of an item that was read before.

    What is said of all values of a matrix is not said of each row, so orders and distinctness need ``outside_rows``.

    Raises:
        NotUnderstood: the attribute is known, the item it speaks of is not.
    """
    bare = re.sub(
        r"^(?:it is (?:also )?guaranteed that|note that|in addition,?|moreover,?) ", "", text, flags=re.IGNORECASE
    )
    if _LEGEND.fullmatch(bare):
        return not PROMISE.search(bare.lower())
    if found := _CHARACTERS.fullmatch(bare):
        targets = [draft for draft in drafts if draft.kind == "word" and draft.alphabet is None]
        told = alphabet(found["alphabet"])
        known = [set(draft.alphabet or "") for draft in drafts if draft.kind == "word"]
        if not targets and not (known and all(one <= set(told) for one in known)):
            raise NotUnderstood(text)
        for draft in targets:
            draft.alphabet = told
        return True
    if (found := _NAMING.fullmatch(bare)) and (
        not found["tail"] or is_noun_phrase(found["tail"]) or is_noun_phrase(f"the {found['tail']}")
    ):
        for draft in _targets(None, None, drafts, last, "numbers", text):
            draft.name = _renamed(draft, found["name"], text)
        return True
    if found := _WITHIN.fullmatch(bare):
        numbers = [draft for draft in last if draft.kind != "word"]
        if not numbers:
            raise NotUnderstood(text)
        for draft in numbers:
            draft.own.at_most(f"-{found['most']}", draft.name)
            draft.own.at_most(draft.name, found["most"])
        return True
    if found := _POSITIVE_MOST.fullmatch(bare):
        numbers = [draft for draft in last if draft.kind != "word"]
        if not numbers:
            raise NotUnderstood(text)
        for draft in numbers:
            draft.own.at_most("1", draft.name)
            draft.own.at_most(draft.name, found["most"] or found["also"])
        return True
    if _EACH_LEAST.fullmatch(bare):
        return True  # no word is empty
    if found := _EACH_EXACT.fullmatch(bare):
        words = [draft for draft in drafts if draft.kind == "word" and draft.count in (None, found["count"])]
        if not words:
            raise NotUnderstood(text)
        for draft in words:
            draft.count = found["count"]
        return True
    if found := _EACH_SPAN.fullmatch(bare):
        words = [draft for draft in drafts if draft.kind == "word"]
        if not words:
            raise NotUnderstood(text)
        for draft in words:
            draft.own.at_most(found["low"], f"|{draft.name}|")
            draft.own.at_most(f"|{draft.name}|", found["high"])
        return True
    if found := _EACH_LENGTH.fullmatch(bare):
        words = [draft for draft in drafts if draft.kind == "word"]
        if not words:
            raise NotUnderstood(text)
        for draft in words:
            draft.own.at_most(f"|{draft.name}|", found["most"])
        return True
    if found := _LENGTH.fullmatch(bare):
        for draft in _targets(found["name"], None, drafts, last, "word", text):
            draft.own.at_most(f"|{draft.name}|", found["most"])
        return True
    if found := _LENGTH_IS.fullmatch(bare):
        for draft in _targets(found["name"], None, drafts, last, "word", text):
            if found["exact"]:
                draft.count = found["exact"]
            else:
                draft.own.at_most(found["low"], f"|{draft.name}|")
                draft.own.at_most(f"|{draft.name}|", found["high"])
        return True
    single = [draft for draft in last if any(draft is other for other in outside_rows)]
    if found := _IS_PERMUTATION.fullmatch(bare):
        for draft in _targets(found["name"], found["bare"], outside_rows, single, "numbers", text):
            _permutation(draft)
        return True
    if _ONCE.fullmatch(bare):
        for draft in _targets(None, None, outside_rows, single, "numbers", text):
            _permutation(draft)
        return True
    if found := _DISTINCT.fullmatch(bare):
        for draft in _targets(found["name"], found["bare"], outside_rows, single, "numbers", text):
            draft.distinct = True
        return True
    if found := _ORDER.fullmatch(bare):
        how = (
            found["how"]
            .lower()
            .replace("-", "")
            .replace("descending", "nonincreasing")
            .replace("ascending", "nondecreasing")
        )
        for draft in _targets(found["name"], found["bare"], outside_rows, single, "numbers", text):
            draft.order = _ORDERS[how]
        return True
    return False


def _renamed(draft: Draft, name: str, text: str) -> str:
    if draft.name not in ("values", phrases.bare(name)):
        raise NotUnderstood(text)
    for side in (draft.own.low, draft.own.high):
        if draft.name in side:
            side[phrases.bare(name)] = side.pop(draft.name)
    return phrases.bare(name)


def _permutation(draft: Draft) -> None:
    if draft.count is None:
        raise NotUnderstood(f"the permutation {draft.name}")
    draft.permutation = True
    draft.own.at_most("1", draft.name)
    draft.own.at_most(draft.name, draft.count)


def _targets(
    name: str | None, bare: str | None, drafts: list[Draft], last: list[Draft], kind: str, text: str
) -> list[Draft]:
    """The one item a sentence speaks of: the named one, or the only one of its kind in the sentence before."""
    spoken = name or bare
    wanted = phrases.bare(spoken) if spoken else None
    pool = drafts if wanted else [draft for draft in last if draft.kind == kind]
    found = [draft for draft in pool if draft.kind == kind and wanted in (None, draft.name)]
    if len(found) != 1:
        raise NotUnderstood(text)
    return found
