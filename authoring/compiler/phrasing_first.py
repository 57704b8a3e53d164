"""Rewrites that come before all others: slips of copying and of the pen, and words that say nothing of a value."""

from __future__ import annotations

from authoring.compiler.phrasing_values import Rewrite

_N = r"[A-Za-z](?:_\w{1,2})?"
_GIVEN = r"(?:is |are |be |was |were )?(?:mentioned|listed|given|present|included|described|written|counted)"
FIRST: tuple[Rewrite, ...] = (
    # Copying.
    ("\u0456", "i"),
    (r"\bith\b", "i-th"),
    (r"\bjth\b", "j-th"),
    (r"\b([A-Za-z]) — ?1 (?=lines|integers|numbers|space)", r"\1-1 "),
    (r"\b([A-Za-z]) ?- ?(\d) (?=lines|integers|numbers|space)", r"\1-\2 "),
    (r"\b([a-z])_([1-9])1, \1_\2(?:2), …, \1_\2[a-z]\b", r"\1_\2"),
    (r"\b([b-z]) integer (?=[a-z]_[ij1])", r"\1 integers "),
    (
        r"\b(contains?|contain|has) (?:a|one|a single|the) integer \((-?\d+ ≤ )([a-z])( ≤ [^()]{1,20})\)",
        r"\1 an integer \3 (\2\3\4)",
    ),
    (rf"\b(integers? {_N}(?:, {_N})*(?:,? and {_N})? \([^()]*\)) (?=the (?:length|number|size)\b)", r"\1 — "),
    (r"\beach of next\b", "each of the next"),
    (
        r"^each of (?:the )?([a-z]|\d+|three|four|five|two|six) lines(?: of (?:the )?input)?\b",
        r"each of the next \1 lines",
    ),
    (r"\(?(?:,? ?)without (?:the )?quot(?:es|ation marks)\)?", ""),
    (r"\b(letters|characters) [a-z]_?1 ?[a-z]_?2 ?… ?[a-z]_[a-z](?: as a string)?", r"\1"),
    (r" for (?:the )?i-th [a-z]+$", ""),
    # How values are divided on a line.
    (
        r"(?<! are)(?<! is),? (?:all |which are |that are )?(?<! be )(?:separated?|divided|split) (?:by|with) (?:a "
        r"|an |one |single |exactly )*"
        r"(?:white ?)?spaces?(?: characters?)?(?=$|[,;:()]| —| and | \()",
        "",
    ),
    (r"\b(contains?|contain) a single line of ", r"\1 "),
    # A name and what it is, and then what is read.
    (
        r"\b(contains?|containing|describes?|is|are) (?:an? |the |one |some )?(?!string|word|integer|number"
        r"|sequence|list|array|permutation)"
        r"(?:first |second |third |i-th |single )?[a-z]+(?:[' ][a-z]+){0,5} — (?:non-?empty )?(?=(?:an? |the |one )?"
        r"(?:strings?|words?|binary strings?)\b)",
        r"\1 ",
    ),
    (r"\b(contains?|containing) (?:the )?strings ([a-z])_i\b", r"\1 a string \2_i"),
    (
        r"\b(contains?|containing) (?:the )?permutation ([a-z]) as ([a-z]) distinct (?:integers|numbers) from 1 to \3",
        r"\1 the permutation \2 of length \3",
    ),
    (r"\bcontains? an integers? (?=[a-z]_i\b)", "contains an integer "),
    # The same pair twice.
    (
        rf"^(?:it is guaranteed that )?(?:each|every|any) (?:unordered |ordered )?(?:pair|edge|road|connection|link|"
        rf"friendship|relation\w*|enmity|arc)(?: of (?:\w+ )?[a-z]+)? (?:{_GIVEN}|appears?|occurs?) (?:in (?:this"
        rf"|the|that) "
        rf"(?:list|input) )?(?:at most|exactly|no more than|only|not more than) once(?: in (?:this|the|that)"
        rf" (?:list|input))?$",
        "the graph contains no multiple edges",
    ),
    (
        rf"^(?:it is guaranteed that )?no (?:unordered )?(?:pair|edge|road)(?: of (?:\w+ )?[a-z]+)? (?:{_GIVEN}"
        rf"|appears?|"
        rf"occurs?) (?:in (?:this|the|that) (?:list|input) )?(?:twice|more than once|multiple times)(?: in (?:this|the|"
        rf"that) (?:list|input))?$",
        "the graph contains no multiple edges",
    ),
    (
        r"^(?:it is guaranteed that )?(?:the |this |given |these )*(?:description|roads|pairs|edges|graph"
        r"|connections) (?:always )?(?:form|forms|describe|describes|define|defines|is|are|represents?) (?:an? |the"
        r" )?(?:valid |correct |connected |undirected )*(?:spanning )?tree(?: structure)?$",
        "it is guaranteed that the graph is a tree",
    ),
    (
        r"^(?:it is guaranteed that )?no two [a-z]+ (?:are located|are|lie|stand|lies|is) (?:at|in|on) (?:the"
        r" )?(?:point with the )?same (?:coordinates?|cell|point|position|place|square)$",
        "all positions are distinct",
    ),
    (
        r"^(?:it is guaranteed that )?no two [a-z]+ (?:occupy|share) the same (?:location|cell|position|point|place"
        r"|square)$",
        "all positions are distinct",
    ),
    # Sums over test cases.
    (r"^(.{0,60}\b(?:sum|total)\b.{3,90}\d),? as well$", r"\1"),
    (r"\b(?:the )?total value of (?=[a-zA-Z] )", "the sum of "),
)
