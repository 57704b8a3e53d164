"""Rewrites that come before all others: slips of copying and of the pen, and words that say nothing of a value."""

from __future__ import annotations

from authoring.compiler.phrasing_values import Rewrite

_N = r"[A-Za-z](?:_\w{1,2})?"
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
    # Beginnings that say nothing.
    (r"^(?:furthermore|in this problem|here|additionally|in the input|obviously|of course),? (?=\w)", ""),
    (r"\bthe string contains of\b", "the string consists of"),
    (r",? (?:the )?(?:two|three)? ?integers as described above", ""),
    (r"^each the next\b", "each of the next"),
    (r"^the [jk]-th (?=(?:one )?of (?:these|them|the (?:next|following))\b|line\b)", "the i-th "),
    (r"^the (only|first|second|third) line describing each test ?case", r"the \1 line of each test case"),
    (r"\bcontains? (?:one )?(?:edge|road|query)(?: each)? in (?:the )?form (?=[a-z]_i)", "contains the integers "),
    (r"\bcontain the values of (?:the )?constants [a-z] and [a-z] for queries", "describe the queries"),
    (r"\(([a-z]) ?·? ?\(\1 ?- ?1\)\) ?/ ?\(2\)", r"\1*\1//2 - \1//2"),
    (r"\b([a-z]) ?·? ?\(\1 ?- ?1\) ?/ ?2\b", r"\1*\1//2 - \1//2"),
    (
        r"\b(sum of [a-z]) (doesn't|does not|do not) exceed (\d+) (over|across|among|in|for) all test"
        r" ?cases$",
        r"\1 over all test cases \2 exceed \3",
    ),
    (
        r"\b(consisting of «0» and «1»),? representing (?!.*\b(?:exactly|at least|at most|no|only|every|all|never"
        r"|adjacent"
        r"|consecutive|equal|same|different)\b).*$",
        r"\1",
    ),
    (r"\b([a-z])_0, \1_1, (?:\1_2, )?…, \1_\{?([a-z])(?: ?- ?1\b|_m1)\}?", r"\1_0, \1_1, …, \1_\2"),
    (r"\b([a-z])_0, \1_1, (?:\1_2, )?…, \1_m1\b", r"\1"),
    (r"^the second one (?=contains)", "the second line "),
    (r"^a single integer ([a-z] \()", r"the only line contains a single integer \1"),
    (r"… (?=[a-z]_[a-z]\b)", "…, "),
    (r"\b([a-z])_1, (?:\1_2, )?…, \1_?[ij]([a-z])\b", r"\1_1, …, \1_\2"),
    (
        r"\bcontains? (?:an? )?integer sequence ([a-z])_1, (?:\1_2, )?…, \1_([a-z])\b",
        r"contains \2 integers \1_1,"
        r" …, \1_\2",
    ),
    (r"\b([a-z])\^2\b", r"\1*\1"),
    (
        r"\btwo (?:distinct|different) (?:space[- ]separated )?integers ([a-z](?:_i)?) and"
        r" ([a-z](?:_i)?)\b",
        r"two integers \1 and \2 (\1 ≠ \2)",
    ),
    (
        r"^(.*\bcontains) ([a-z]) integers (.*), that are (?:all )?(?:pairwise )?distinct$",
        r"\1 \2 distinct integers \3",
    ),
    (
        r"^(?:it is guaranteed that )?there (?:are|is) no (?:two|multiple|more than one) [a-z]+"
        r" (?:connecting|between) the same (?:pair of )?[a-z]+$",
        "the graph contains no multiple edges",
    ),
    (r", where \|([A-Za-z])\| (?:denotes|is|means) the length of (?:the )?(?:string )?\1(?=\))", ""),
    (r"\bcomprised of (.{1,30}) only\b", r"consisting of \1"),
    (r"\bconsisting of characters, where each of the characters is (?:either )?", "consisting of characters "),
    (
        r"\b(upper|lower)case and (lower|upper)case (?:English|Latin) letters(?: only)?",
        r"\1case English letters and"
        r" \2case English letters",
    ),
    (
        r"\b((?:string|word) [a-z]), (?:its|whose) length is from (\d+) to (\d+)(?: characters|"
        r" letters)?",
        r"\1 of length between \2 and \3",
    ),
    (
        r"^(each (?:character|cell|symbol) is (?:either )?«.»(?:(?:,| or|, or) «.»)+),? (?:—|— ?denoting"
        r"|representing|denoting) [a-z' -]{3,100}(?:,? respectively)?$",
        r"\1",
    ),
    (r"^(?:the )?(?:next|following) lines? contains? a description of [a-z] test ?cases$", "then test cases follow"),
    (r"\b(contains? [a-z]) numbers 0 or 1\b", r"\1 integers (between 0 and 1)"),
    (r"\bwhich consists of ([a-z]) letters, each\b", r"of length \1 consisting of letters, each"),
    (
        r"\bconsisting of letters, each being equal (?:to )?either (\w), or (\w), or (\w), or (\w)\. k-th letter"
        r" stands for .*$",
        r"consisting of «\1», «\2», «\3» or «\4»",
    ),
    (
        r"^each (?:set|test|case) is given by (?:one|a) (?:non-?empty )?string of the characters (?=«)",
        "the only line of each test case contains a string consisting of ",
    ),
    (r"\b(?:is )?in (?:the )?cell \(1, ?1\)", "in the first cell"),
    (
        r"^(?:it is guaranteed that )?no two [a-z]+ (?:have|are labell?ed with|hold) the same (?:number|value"
        r"|height|weight|age|price)$",
        "all values are distinct",
    ),
    (
        r"\b(integers|numbers)(?: each)?:? the j-th (?:number|integer) (?:on|in) the i-th (?:line|row) ([a-z])_ij"
        r" (\([^()]*\)) is the (?:number|value) (?:written )?"
        r"in the cell with coordinates \(i, ?j\)$",
        r"\1 \2 \3",
    ),
    (r"\bthe characters in the set \{?(«.»(?:, «.»)+)\}?", r"characters \1"),
    (
        r"^(.*\b[a-z] integers [a-z]_1, [^()]{1,40}?) in (?:the )?(increasing|non-decreasing|decreasing"
        r"|non-increasing|ascending) order"
        r"( \([^()]*\))?(?: —.*)?$",
        r"\1\3 [\2]",
    ),
    (
        r"^(?:the )?length of (?:both|all|each)(?: of)?(?: the)? (?:strings?|words?) (?:equals|is|is equal to|equals"
        r" to) ([a-z])$",
        r"lengths of strings are \1",
    ),
    (r"\bcharacters,? where each of (?:the|these) characters is (?:either )?", "characters, each "),
    (r" \(also equal to [a-z ]{1,40}\)", ""),
    (
        r"^each test ?case (?:starts|begins) with (?=(?:two|three|four|an?|one) (?!line|single line))",
        "the first line of each test case contains ",
    ),
    (r"\b2\^([a-z]) integers ([a-z])_0, \2_1, …, \2_\{?2\^\1 ?- ?1\}?", r"2^\1 integers \2"),
    (r"\bconsisting (?:only )?of zeros and ones\b", "consisting of «0» and «1»"),
    (
        r"\b(?:contains?|describes?) (?:the |a )?(?:description of )?(?:an?|the) [a-z -]{2,30} (?:as|with|by|using)"
        r" (?=(?:two|three|four) (?:[a-z-]+ )?integers)",
        "contains ",
    ),
    (r"\bsum of values ([a-z])\b", r"sum of \1"),
    (r", (?:the )?elements of (?:the |an? )?(?:sequence|array|list)$", ""),
    (r"\bof the length ([a-z])\b", r"of length \1"),
    (r" \(respectively\)", ""),
    (r"\ba single integer corresponding to (?:the )?(?=number of test ?cases)", "the "),
    (
        r"^after that,? there are two strings ([a-z]) and ([a-z]),? ",
        r"the next two lines contain the strings \1"
        r" and \2, ",
    ),
    (
        r"\bthat only consists of 0 and 1,? representing (?!.*\b(?:exactly|at least|at most|no|only|every|all|never"
        r"|adjacent"
        r"|consecutive|equal|same|different)\b).*$",
        "consisting of «0» and «1»",
    ),
)
