"""Rewrites of what stands on a line: several values, lists, strings; see :mod:`authoring.compiler.phrasing`."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeAlias

Rewrite: TypeAlias = tuple[str, str | Callable[[re.Match[str]], str]]
"""A pattern and what takes its place."""
_N = r"[A-Za-z](?:_\w{1,2})?"
_INTEGERS = r"(?:integers?|integer numbers?|integer values?|numbers?|values?)"
VALUES: tuple[Rewrite, ...] = (
    # Several values.
    (
        r"\b(contains?|containing|is) (?:the |single |one )?(?:single )?(integer|number) (?=[A-Za-z](?:_\w)?\b)",
        r"\1 an \2 ",
    ),
    (
        r"\b([2-9]) (?=(?:[\w-]+ )?(?:integers|numbers))",
        lambda found: {
            "2": "two ",
            "3": "three ",
            "4": "four ",
            "5": "five ",
            "6": "six ",
            "7": "seven ",
            "8": "eight ",
            "9": "nine ",
        }[found[1]],
    ),
    (r"\bintegers each\b:?", "integers"),
    (
        rf"\b(pairs?|triples?) of (?:space-separated |distinct )?{_INTEGERS}\b",
        lambda found: {"p": "two integers", "t": "three integers"}[found[1][0]],
    ),
    (r"\b(?:a|the) two integers\b", "two integers"),
    (r"\b(?:a|the) three integers\b", "three integers"),
    (r"\bspace[- ]separated (two|three|four|five|six) ", r"\1 "),
    (
        rf"\b(one|two|three|four|five|six|seven|[2-9]|a single|an?|single|the) ((?:[\w-]+ ){{0,3}}?)(integers?|"
        rf"integer numbers?|integer values?|numbers?|values?)(?: each)?(?: on it)?(?:,| —|:|,? namely|,? separated "
        rf"by (?:a |one |single )?(?:white)?spaces?:?,?)? ({_N}(?=$|,| and| \(|[ ,]*—| —|:))",
        r"\1 \2\3 \4",
    ),
    (
        rf"\b(contains?|containing|with|of) (?:the )?(integers|integer numbers|numbers) ({_N})(?=$|,| and| \(| —)",
        lambda found: f"{found[1]} the integers {found[3]}",
    ),
    # Lists.
    (
        r"\b(?:a|an|the) (?:list|sequence|array|row|series) (?:of|containing|that contains|consisting of|, "
        r"consisting of|with) (?=\(?(?:n|m|k|\w+ ?[-+] ?\d|\w) )",
        "",
    ),
    (r"\b(?:a|an|the) (?:list|sequence|array|row|series), consisting of ", ""),
    (
        r"\b(?:a|an|the) (non-decreasing|non-increasing|increasing|decreasing|strictly increasing|sorted) "
        r"(?:sequence|list|array),? (?:consisting of|of|containing) (\S+) ((?:distinct )?integers)(.*)$",
        r"\2 \3\4 [\1]",
    ),
    (r"\(([a-z](?: [-+] |[-+])\d+)\) (?=(?:[\w-]+ )?(?:integers|numbers|lines))", r"\1 "),
    (r"\b([a-z]) ?- ?1 (?=integers|numbers|lines|space|positive|distinct)", r"\1-1 "),
    (r"\b(\S+) pairwise distinct\b", r"\1 distinct"),
    (r"\b([a-zA-Z]) digits ([a-z]_1)", r"\1 integers \2"),
    (r"(integers|numbers)(?: —| -|:|,) (?=[a-z]_1,)", r"\1 "),
    (r"\b([A-Za-z]) (integers|numbers) ([a-z])_[ij](?=$|,| \(| —)", r"\1 \2 \3_1, …, \3_\1"),
    (r"(…,? [a-z]_[a-z]) [a-z]$", r"\1"),
    (r"\b(?:the|a) sequence of (?:the )?integers ([a-z])_1, \1_2, …, \1_([a-z])\b", r"\2 integers \1_1, …, \1_\2"),
    (
        r"^(the \w+ line(?: of [a-z ]+)? contains) (?:integers )?([a-z])_1, \2_2, …, \2_([a-z])\b",
        r"\1 \3 integers \2_1, …, \2_\3",
    ),
    (
        r"\b(\d?[a-z]) ?- ?1 (?:space[- ]separated )?integers ([a-z])_1, \2_2, …, \2_(?:m1|\{ ?[a-z] ?- ?1 ?\})",
        r"\1-1 integers \2",
    ),
    (
        r"\b(\d)([a-z]) (?:space[- ]separated )?integers ([a-z])_1, \3_2, …, \3_(?:\d[a-z]|\{ ?\d[a-z] ?\})",
        r"\1*\2 integers \3",
    ),
    (r"(integers|numbers) ([a-z])_\{?1,? ?1\}?, \2_\{?1,? ?2\}?,? …, \2_\{?1,? ?([a-z])\}?", r"\1 \2"),
    (r"(integers|numbers),? (?:the )?permutation ([a-z])_1", r"\1 \2_1"),
    (r"\b(integers|numbers|letters|characters) each\b", r"\1"),
    (r"^(the \w+(?: \S+)? lines? contain) (.*) each(?=$|,| \()", r"\1 \2"),
    (r"\b([a-z])_i ([a-z])_i ([a-z])_i(?= |$)", r"\1_i, \2_i, \3_i"),
    (r"\b([a-z]) digits$", r"a string of length \1 consisting of digits"),
    (r"\bthe (?:message|text|word|sequence|pattern) ([a-z]) of length ([a-z]) ", r"a string \1 of length \2 "),
    (
        r",? (?:which )?consist(?:ing|s) (?:only )?of (?:exactly )?([a-z](?: [-+] \d+)?) (?=characters|lowercase|"
        r"uppercase|digits|symbols|letters)",
        r" of length \1 consisting of ",
    ),
    (r", containing digits only", r" consisting of digits"),
    (r" \((?:each|every one|all) of (?:which|them) (?:is|are) ((?:either )?«[^()]*)\)", r", each \1"),
    (
        r"^it is guaranteed that all (?:of )?(?:the )?([a-z])_i are (?:pairwise )?(distinct|different)$",
        r"all \1 are distinct",
    ),
    (
        r"^(?:all|the) (?:numbers |integers |values |elements )?([a-z])_i(?:'s)? are (?:pairwise )?(distinct|"
        r"different)$",
        r"all \1 are distinct",
    ),
    (
        r"\b([a-z]) (?:space[- ]separated |positive |non-negative |single space separated )*(integers|numbers)(?:,|"
        r":)? (?:where )?the i-th (?:of (?:which|them|these)|number|integer|one)(?: of (?:which|them))? (?:is|"
        r"represents|denotes|equals|means|stands for|—) ([a-z])_i\b",
        r"\1 \2 \3_1, …, \3_\1",
    ),
    (
        r"\b(?:a )?(?:sequence|string|list) of ([a-z]) (?:letters|characters|symbols) («)",
        r"a string of length "
        r"\1, each \2",
    ),
    (r"\b([a-z]) ((?:lowercase|uppercase) English letters)", r"a string of length \1 consisting of \2"),
    (
        r"\b([a-z]) lowercase characters of [A-Z]\w+'s string",
        r"a string of length \1 consisting of lowercase "
        r"English letters",
    ),
    (r"^(.*\bcontains?) (an? \w+ [a-z]_i.*|two integers .*|an? integer .*) each$", r"\1 \2"),
    (r"\bstrings ([a-z])_1, \1_2, …, \1_[a-z](.*), one per line$", r"a string \1\2"),
    # Strings.
    (r"\bnon-?empty string", "string"),
    (r"\b(contains?|is) (?:the |a |one )*(?:only |single )?(string|word)\b", r"\1 a \2"),
    (
        r"^(the (?:first|second|third|next|only|last) line(?: of [a-z ]+?)?) is (a string|an? (?:\w+ )?integer)",
        r"\1 contains \2",
    ),
    (r"\(«a»(?:-|—| — |…)«z»\)", ""),
    (
        r"\b(?:small|lowercase|lower case|lower-case|little) (?:letters of (?:the )?(?:English|Latin)(?: alphabet)"
        r"?|(?:English|Latin|Roman) (?:alphabet )?(?:letters|characters)|letters|Latin alphabet letters|English "
        r"alphabet letters)",
        "lowercase English letters",
    ),
    (
        r"\b(?:capital|uppercase|upper case|upper-case|large|big) (?:letters of (?:the )?(?:English|Latin)(?: "
        r"alphabet)?|(?:English|Latin|Roman) (?:alphabet )?(?:letters|characters)|letters)",
        "uppercase English letters",
    ),
    (
        r"\b(?:that|which) (?:only )?(?:consists?|contains?)(?: only)?(?: of)?(?: only)? (?=lowercase|uppercase|"
        r"digits|characters|«)",
        "consisting of ",
    ),
    (r"\bmade up of (?=lowercase|uppercase)", "consisting of "),
    (r"(string(?: [a-z])?),? of (?=lowercase|uppercase|digits)", r"\1 consisting of "),
    (
        r",? (?:whose|with(?: a)?|the|its|and its) length (?:does not|doesn't) exceed (\d+)(?: characters)?$",
        r", of length at most \1",
    ),
    (
        r",? (?:whose|with(?: a)?|the|its|and its) length (?:is )?(?:at most|not (?:more|greater|longer) than|no "
        r"more than) (\d+)(?: characters)?$",
        r", of length at most \1",
    ),
    (
        r"\bconsisting of (?:no more than|at most|not more than) (\d+) (lowercase.*|uppercase.*)$",
        r"consisting of \2, of length at most \1",
    ),
    (r"^(.*string(?: [a-z])?)(,? consisting of .*), of length at most (\d+)$", r"\1 of length at most \3\2"),
    (r"\b([a-z]) (?:two|three) integers\b", lambda found: found[0][2:]),
    (
        r"^(the \w+ line(?: of [a-z ]+)? contains) (?:a |the )?sequence of distinct integers ([a-z])_1, \2_2, …, "
        r"\2_([a-z])\b",
        r"\1 \3 distinct integers \2_1, …, \2_\3",
    ),
    (
        r"\b(\d?[a-z]) integers ([a-z])_1(?:, \2_2)?,? …, \2_\w+ ?(\([^()]*\))? ?(?:—|:|,)? ?(?:the |an? |given |"
        r"initial |first |second )*permutation\b.*$",
        r"the permutation \2 of length \1 \3",
    ),
    (r"\bN (?=lines)", "n "),
    (r"\b([a-z])_1 … \1_([a-z])\b", r"\1_1, …, \1_\2"),
    (r"\b(integers|numbers) - (?=[a-z](?:,| and) )", r"\1 "),
    (
        r"\b(\d)([a-z]) (?:space[- ]separated )?integers ([a-z])_1(?:, \3_2)?,? …, \3_(?:\d[a-z]|\{ ?\d[a-z] ?\})",
        r"\1*\2 integers \3",
    ),
    (
        r"\b([a-z]) ?- ?1 (?:space[- ]separated )?integers ([a-z])_1(?:, \2_2)?,? …, \2_(?:m1|\{ ?[a-z] ?- ?1 ?\})",
        r"\1-1 integers \2",
    ),
    (r"\b([a-z]) (integers|numbers) (?:representing |— )?([a-z])_ij\b", r"\1 \2 \3"),
    (
        r"\b(\d?[a-z]) integers ([a-z])_1(?:, \2_2)?,? …, \2_\w+ ?(\([^()]*\))? ?(?:—|:|,) (?:the )?elements of "
        r"(?:the )?(?:first |second |given )?permutation$",
        r"the permutation \2 of length \1 \3",
    ),
    (r" each(?= —)", ""),
    (r"\b(?:that|which) also (?:only )?consists? of", "consisting of"),
    (r"(?:lowercase|uppercase) English letters from («.») to («.»)", r"\1 to \2"),
    (
        r"\(?(-?\d+) ([<≤]) ([a-z])_1 ([<≤]) \3_2 \4 … \4 \3_\w ([<≤]) (-?\d+)\)?$",
        lambda found: (
            f"({found[1]} {found[2]} {found[3]}_i {found[5]} {found[6]}) "
            f"[{'strictly rises' if found[4] == '<' else 'rises'}]"
        ),
    ),
    (r"\b([a-z]) ((?:lowercase|uppercase) English letters)", r"a string of length \1 consisting of \2"),
    (r"\b(two|three|four|five) (?:integer numbers|space separated integers)\b", r"\1 integers"),
    (
        r"(integers|numbers) ([a-z](?:_\w)?(?:, [a-z](?:_\w)?)*(?:,? and [a-z](?:_\w)?)?), separated by (?:a |"
        r"single )?spaces?",
        r"\1 \2",
    ),
    (
        r", (?=(?:favou?rite|running|number of|amount of|the number|the size|the length|integers? (?:denoting|"
        r"representing)|d_i is))",
        " — ",
    ),
    (r"\bthe number of slot to describe$", "— the number of the slot"),
    (r", where number ([a-z])_i stands for", r", where \1_i stands for"),
)
