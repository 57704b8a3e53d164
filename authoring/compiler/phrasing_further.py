"""Rewrites before all others: a value told behind its list, things in quotes, lines told by what they are of."""

from __future__ import annotations

import re

from authoring.compiler.descriptions import PROMISE, narrows
from authoring.compiler.phrasing_values import Rewrite

_N = r"[A-Za-z](?:_\w{1,2})?"
_STANDS = r"(?:stand|follow|go|lie|are (?:placed|arranged|standing|listed|written))"


def _without(found: re.Match[str]) -> str:
    """Nothing, if what stands there tells a story; itself, if it holds a word that may narrow the input."""
    what = found["what"].lower()
    return found[0] if narrows(what) or PROMISE.search(what) else ""


FURTHER: tuple[Rewrite, ...] = (
    (r"\b(it|that)'s\b(?= guaranteed| known| possible| never)", r"\1 is"),
    (r"^(?:and|finally,?) (?=(?:each of )?the (?:\w+ )?(?:next|last|fourth|third|fifth) )", ""),
    (r"\bconatins\b", "contains"),
    (r" \(i\. ?e\. the input with [^()]{3,60} is allowed\)$", ""),
    (r" \(where i ≠ j\)$", ""),
    (r"^the length of [a-z] (is (?:from|between) \d+ (?:to|and) \d+)$", r"the length of the string \1"),
    (r"^the first line of the output contains\b", "the first line contains"),
    # A list whose name stands behind what it is, or in its bound alone.
    (
        r"\b([a-zA-Z]) (integers|numbers) — ((?:the )?[a-z' ]{3,40}) ([a-z])_1, (?:\4_2, )?…, \4_\1\b( ?\([^()]*\))?$",
        r"\1 \2 \4_1, …, \4_\1\5 — \3",
    ),
    (
        r"\b([a-zA-Z]) (?:space[- ]separated )?(integers|numbers) \((-?\d+ ≤ )([a-z])_i( ≤ [\w·*^-]{1,20})\)(?= —|$)",
        r"\1 \2 \4_1, …, \4_\1 (\3\4_i\5)",
    ),
    (r"\b(integers [a-z]_1, …, [a-z]_[a-z]), [a-z]_i is (?=the )", r"\1, where a_i is "),
    (
        r"\bcontains (?:the )?space[- ]separated integers ([a-z])(?:_i)? and ([a-z])(?:_i)?\b",
        r"contains two integers \1_i and \2_i",
    ),
    (r"\b(?:a |the )?sequence of (?:space[- ]separated )?integers (?=[a-z]_1,)", "the integers "),
    (r"\btwo integers ([a-z])_i ([a-z])_i (?=—)", r"two integers \1_i and \2_i "),
    # Pairs in quotes.
    (
        rf"\bcontains? (?:the )?(?:descriptions? of )?[a-z ]{{3,40}} in (?:the )?(?:format|form|form of)"
        rf" [\"“]({_N}) ({_N})[\"”]",
        r"contain two integers \1, \2",
    ),
    (rf"\b(integers|numbers) each, [\"“]({_N}) ({_N})[\"”]", r"\1 \2, \3"),
    # Words.
    (r"\b(a|the) string [a-z]{4,12} (?=— |contains between )", r"\1 string s "),
    (r"^contain(?: only)? (?=(?:lowercase|uppercase|digits))", "strings consist of "),
    (
        r"\bcontain the strings of [a-z ]{3,30}, consisting only of (lowercase|uppercase) (English|Latin) letters, each"
        r" string's length is ([a-z])$",
        r"contain a string of length \3 consisting of \1 English letters",
    ),
    (r"\bconsisting of exactly (\d+) digits\b", r"a string of length \1 consisting of digits"),
    (r"\b(contains a single) [a-z]+, (?=a string of length)", r"contains "),
    (r" \((?:uppercase|lowercase) English [A-Za-z]\)", ""),
    (
        r"\b(?:one |a )bracket sequence — (?=a (?:non-?empty )?string)",
        "",
    ),
    (
        r"^(?:the )?[ij]-th (?:character|letter|symbol)(?: of (?:the )?(?:string )?[a-z])? (?:is|equals|is equal to)"
        r" (?:to )?([A-Z]) if [^«≤]{3,100},? and ([A-Z]) if [^«≤]{3,100}$",
        r"each character is «\1» or «\2»",
    ),
    (
        r"^each line (?:contains|consists of) (?:exactly )?([a-z] characters «.» or «.»), the j-th character of the"
        r" string equals to «.» if [a-z0-9' -]{3,80}, and «.»,? otherwise$",
        r"each line contains \1",
    ),
    (r" — the original string from which [a-z ]{3,60}$", ""),
    # What somebody did, in the order of reading.
    (
        rf" — (?!.*\b(?:coordinates?|positions?|distances?|locations?|places?|times?|moments?)\b)((?:the"
        rf" )?[a-z' ]{{3,50}}?)"
        rf" in (?:the )?order (?:in which )?they {_STANDS}(?: (?:along|in|on) (?:the |a )?[a-z]+)?(?: from left to"
        rf" right)?$",
        r" — \1",
    ),
    (
        r", (?:the )?i-th of (?:them|which) represents [A-Z][a-z]+'s order at the i-th minute: [a-z]_i [a-z ]{3,60}$",
        "",
    ),
    (
        r", each (?:of (?:whom|which) (?:is|describes)|describes|describing) (?P<what>(?:an? |the )(?:next"
        r" )?[a-z ]{3,60})$",
        _without,
    ),
    (r", which means that initially (?P<what>[^()≤<]{3,120})$", _without),
    (
        r", where ([a-z])_i denotes the i-th [a-z ]{3,40} or zero,? if there(?:'s| is) no [a-z]+ from i$",
        "",
    ),
    (r"^([a-z])_i \(\1_i ≤ i\) describes a road between cities \1_i and i ?\+ ?1$", r"1 ≤ \1_i ≤ i"),
    (r": (?:the )?(?:tree )?edges$", ""),
    (
        r" denoting the length of [a-z]_i, followed by ([a-z])_i integers ([a-z])_.{1,60}? (\([^()]*\)) denoting the"
        r" sequence \2_i$",
        r", followed by \1_i integers \2_1, …, \2_\1 \3",
    ),
    (r"\bdescribe one [a-z]+ each: the i-th among them contains\b", "contain"),
    (
        r", followed by a space, then by a lowercase English letter ([a-z])_i — [a-zA-Z' ]{3,60}$",
        r" and a string \1 of length 1 consisting of lowercase English letters",
    ),
    (r"\b((?:lowercase|uppercase) English letters) «[aA]» ?(?:-|—|…|to) ?«[zZ]»", r"\1"),
    (
        r"^(?:the )?string [a-z] contains between (\d+) and (\d+) characters(?:,? inclusive)?$",
        r"the length of the string is between \1 and \2",
    ),
    (r"^contains(?: only)? characters (?=«)", "strings consist of "),
    (r" of \"[A-Z][A-Za-z ]{1,40}\"$", ""),
    (r", they specify (?P<what>[^≤()]{3,240})$", _without),
    (r"\), here ([a-z]) and ([a-z]) are ", r"), where \1 and \2 are "),
    # Lines.
    (r"\bdescribe the pairs of adjacent [a-z ]{3,30}$", "describe the edges"),
    (r"^in particular, the i-th of them contains\b", "each line contains"),
    (
        r"^(?:each|every) [a-z]+ (?:is|are) described (?:by|as|with) (?:a group of )?(?:the"
        r" )?(?=(?:two|three|four|five)"
        r" (?:integers|numbers)\b)",
        "each line contains ",
    ),
    (
        r"^in (?:the )?next line, ([a-z]) (?:space[- ]separated )?integers (?:be|will be|are) given$",
        r"the next line contains \1 integers",
    ),
    (
        r"^in the (?:first and only|first|only|single) (?:string|line)(?:,| —) (?:the )?(?:numbers|integers) ([A-Za-z])"
        r" and ([A-Za-z]) are given — ",
        r"the only line contains two integers \1 and \2 — ",
    ),
    (r"\bthat describe [A-Z][a-z]+(?: and [A-Z][a-z]+)?'s (?:table|grid|map|field)$", "describing the grid"),
    (r"\bone of the following (?:two|three|four|five) characters: ", ""),
    (r"\bdenoting the numbers of two adjacent [a-z ]{3,30}$", "denoting an edge"),
    (r"^the j-th integers? in the i(?:-th)? of these lines stands? for ([a-z])_ij", r"the j-th integer is \1_j"),
    (
        r"(?P<low>[a-z] ≤ [A-Za-z] ≤ )(?P<sum>[a-z])\)(?P<told> — .*) where (?P=sum) ="
        r" (?P<terms>(?P<list>[a-z])_1 \+ (?P=list)_2"
        r" \+ … \+ (?P=list)_[a-z])$",
        r"\g<low>\g<terms>)\g<told>",
    ),
    # Trees and graphs.
    (r"^(.*\bthese edges) denote a tree$", r"\1 form a tree"),
    (
        r"^(?:it is guaranteed that )?for each (?:ordered )?pair of [a-z]+ \([a-z], ?[a-z]\) there (?:exists?|is) (?:no"
        r" more than|at most) one [a-z]+ (?:leading )?from [a-z] to [a-z]$",
        "the graph contains no multiple edges",
    ),
    (r"^no [a-z]+ is friends with itself$", "the graph contains no loops"),
    (
        r"^there (?:will )?(?:not be|is not|be no|are no) more than one [a-z]+ between (?:any )?two [a-z]+ in the same"
        r" direction$",
        "the graph contains no multiple edges",
    ),
    # Facts about values.
    (r"\((?:[a-z]+ )?(?:will )?be non-negative and (?:will |be )?not exceed (\d+)\)", r"(between 0 and \1)"),
    (
        r"^it is guaranteed that for all [ij] between 1 and ([a-z]) there is an index [a-z] such that"
        r" ([a-z])_[a-z] = [ij]$",
        r"it is guaranteed that each integer from 1 to \1 occurs at least once in \2",
    ),
    (
        r"^it is guaranteed that all integers in the pairs are distinct, that is, (?=every integer from 1 to )",
        "it is guaranteed that ",
    ),
    (
        r"^(?:all )?(?:the )?(?:elements|cells|squares) (?:in|of) the input are (?:pairwise )?(?:distinct|different)$",
        "all rows are distinct",
    ),
    (r"^it is guaranteed that all the promocodes are distinct$", "all rows are distinct"),
    (r"(?<=≤ )\\?\{ ?([a-z]) ?\\over (\d) ?\\?\}", r"\1//\2"),
)
