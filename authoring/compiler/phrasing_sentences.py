"""Rewrites of whole sentences and of their beginnings; see :mod:`authoring.compiler.phrasing`."""

from __future__ import annotations

from authoring.compiler.phrasing_values import Rewrite

_N = r"[A-Za-z](?:_\w{1,2})?"
SENTENCES: tuple[Rewrite, ...] = (
    (
        r"\b(string|word)( [a-z])? of (?:exactly )?([a-z]) (?=lower|upper|digits|small|capital)",
        r"\1\2 of length \3"
        r" consisting of ",
    ),
    (r"^(strings?|words?|names?) only consist of ", r"\1 consist of "),
    (r"^(all|they|all of them) (?:only )?consist only of ", "strings consist of "),
    (
        r"^if [a-z' -]{3,60}, the i-th (?:character|symbol|letter|digit)(?: of the [a-z]+)? (?:equals|is) («.»|\d),?"
        r" otherwise,? it (?:equals|is) («.»|\d)$",
        lambda found: f"each character is «{found[1].strip('«»')}» or «{found[2].strip('«»')}»",
    ),
    (r"\b([a-z])_1, \1_2, …, \1_\{?[ij], ?([a-z])(?:_[ij])?\}?", r"\1_1, …, \1_\2"),
    (r"\b([a-z])_1, \1_2, …, \1_k, …, \1_?\{?([a-z])_?i\}?(?=\W|$)", r"\1_1, …, \1_\2"),
    (
        r"\b(contains?) (?:a |the )?description of the [a-z]+: the first integer in the line is"
        r" ([a-z])_i\b",
        r"\1 an integer \2_i",
    ),
    (
        r"^(.*integers) in (?:strictly )?(increasing|ascending|non-decreasing|decreasing) order"
        r" ([a-z]_1.*)$",
        r"\1 \3 [\2]",
    ),
    (
        r"\b(?:a )?string consisting of (digits|lowercase English letters|uppercase English letters) and has length"
        r" equal to ([a-z])\b",
        r"a string of length \2 consisting of \1",
    ),
    (
        r"^all ([a-z])_i's are distinct, they follow in the strictly increasing order$",
        r"\1 are sorted in strictly"
        r" increasing order",
    ),
    (r"\b(contain) names,? each name (?:of length|consists of exactly|consists of) ([a-z]) ", r"\1 \2 "),
    # Beginnings that say nothing.
    (r"^(?:furthermore|specifically|in this problem|here|additionally|in the input|obviously|of course),? (?=\w)", ""),
    (r"^it guaranteed that", "it is guaranteed that"),
    (r"^(.{1,80}?) (is|are) guaranteed to (?:be|form) ", r"it is guaranteed that \1 \2 "),
    (r"^(.{1,80}?) is guaranteed to not exceed ", r"it is guaranteed that \1 does not exceed "),
    (r"^it is guaranteed to be ", "it is guaranteed that it is "),
    (
        r"^for each test ?case,? (?:in )?the (only|first|second|third|next|single) line ",
        r"the \1 line of each test case ",
    ),
    (r"^the (\w+)(?: and \w+)? line in each test ?case\b", r"the \1 line of each test case"),
    (
        r"^(?:the )?(?:next|following) (?:[2-9]? ?[·*]? ?[tTqk] )?lines? (?:contains?|describes?) (?:the |a"
        r" )?(?:descriptions? of )?"
        r"(?:all )?(?:the |[tTqk] )*(?:test cases?|tests?|cases)(?: descriptions?)?(?: — (?:one|each) per (?:two"
        r"|three|four) lines)?$",
        "then test cases follow",
    ),
    (r"^the descriptions? of (?:the )?(?:[tTqk] )?test ?cases? follows?$", "then test cases follow"),
    # Sums over test cases.
    (
        r"^(it is guaranteed that )?(?:the )?(?:total )?(?:sum|total)(?: of)?(?: the| all)? (?:the )?(?:values of"
        r" )?([a-zA-Z]) (?:from|over|across|in|of|by|through|throughout|among)?"
        r" ?(?:all )?(?:the )?(?:given )?(?:a single file|test ?cases|tests|the test|a test|the input|one test"
        r"|cases) (?:is|are|does|do|will)?"
        r" ?(?:guaranteed )?(?:to )?(?:not exceed(?:ing)?|n't exceed|doesn't exceed|at most|less than or equal to"
        r"|no more than|not greater than|not more than|bounded by|≤) ?(\d+)$",
        r"it is guaranteed that the sum of \2 over all test cases does not exceed \3",
    ),
    (r"^(.{0,40}sum of [a-zA-Z] over all test cases) is ≤ (\d+)$", r"\1 does not exceed \2"),
    # Which line.
    (r"^(?:the )?\(?i ?\+ ?1\)?(?: ?-? ?(?:th|st))? line contains", "each line contains"),
    (r"^the input data consists (?:of|on) the only (?:string|line)", "the only line contains a string"),
    (r"^in (?:the )?next (\S+) lines,? ", r"the next \1 lines contain "),
    (
        r"^(\S+) lines of the [a-z]+ follow,? each line (?:describing|containing|contains) ",
        r"each of the next \1 lines contains ",
    ),
    (r"^(?:specifically,? )?the i-th (?:one )?among these is\b", "the i-th of them is"),
    (
        r"^each [a-z]+ is (?:given by|described by|represented by|given in the form of) (?:exactly )?(?=(?:one|a"
        r"|two|three) (?:string|integer|word))",
        "each line contains ",
    ),
    (r"(contains?) the first integer in the line is ([a-z])_i\b", r"\1 an integer \2_i"),
    # What stands there.
    (
        r"\bcontains? (?:the )?(?:description of (?:the )?)?i-th (?:query|event|segment|request|operation|edge|road"
        r"|plan),? (?:consisting of|as|given as|which consists of|—|:) ",
        "contains ",
    ),
    (
        r"\b(contains?|containing) (?:one |a )(?:query|event|segment|request|pair|couple|edge)(?:,)? (?:consisting"
        r" of|as|given as|which consists of|—|:) ",
        r"\1 ",
    ),
    (r"\bcontains? (?:a |one )(?:couple|pair) of integers\b", "contains two integers"),
    (
        r"\bcontains? (?:the )?(?:first |second )?(?:template|message|password|text|name|word|plate|movements"
        r" protocol|protocol|schedule|bracket sequence|sequence of moves|sequence of commands) (?:— )?(?=(?:a"
        r" string )?(?:consisting of|of length|containing))",
        "contains a string ",
    ),
    (r"\ba string a string\b", "a string"),
    (r"\bcontain names,? each name of length", "contain a string of length"),
    (
        r"\b(?:a )?bracket sequence ((?:[a-z] )?of length [a-z],?) (?:containing|consisting of) (?:symbols"
        r"|characters|brackets)",
        r"a string \1 consisting of",
    ),
    (r"^(.*)doesn't have any other characters besides («.» and «.»)$", r"each character is \2"),
    (
        r"\b(contains?) (?:space[- ]separated |the )?(?:sequence of )?(?:space[- ]separated )?integers ([a-z])_1,"
        r" (?:\2_2, )?…, \2_([a-z])\b",
        r"\1 \3 integers \2_1, …, \2_\3",
    ),
    (
        r"\bcontains? elements of (?:the )?(?:sequence|array) [a-z]: integer numbers ([a-z])_1, (?:\1_2, )?…,"
        r" \1_([a-z])\b",
        r"contains \2 integers \1_1, …, \1_\2",
    ),
    (r"\b([a-z]_([a-z])),? \w_i (?=—)", r"\1 "),
    (
        r"\b(integers|numbers),? each between (-?\w+) and (-?\w+)(?:,? inclusive(?:ly)?)?(?=,| —|$)",
        r"\1 (between \2 and \3)",
    ),
    (
        r"\bdistinct (integers [a-z]_1, [^—()]{1,40}(?:\([^()]*\))? ?—) (?:the |a |given )*permutation\b[a-z ,]*$",
        r"\1 the permutation",
    ),
    (
        r" — (?:the )?[a-z ]{1,60} in (?:strictly )?(increasing|ascending|non-decreasing|decreasing|non-increasing)"
        r" order$",
        r" [\1]",
    ),
    (r"\[ascending\]", "[non-decreasing]"),
    (
        rf"\b((?:two|three|four|five|six) (?:space[- ]separated )?(?:integers|numbers):? {_N}) ({_N})(?= |$"
        rf"|,)(?!,? and)",
        r"\1, \2",
    ),
    (rf"\b((?:four|five|six) integers {_N}, {_N}) ({_N}) ({_N})\b", r"\1, \2, \3"),
    (rf"\b((?:three|four|five|six) integers {_N}, {_N}) ({_N})\b", r"\1, \2"),
    (r"\b(integers|numbers) ([a-z](?:_\w)?)(?:,)? abd ([a-z])", r"\1 \2 and \3"),
    (r" (?:the only|only one|just one) (positive |non-negative )?integer (?=[a-z]\b)", r" a \1integer "),
    (r"\bcharacters (?:equal to|being) «", "characters, each «"),
    (r"\((?:i\. ?e\.,? |that is,? |i\.e\.,? )?it has exactly two divisors[^()]{0,40}\)", ""),
    (r"\(see (?:the )?(?:samples?|examples?|notes?|picture|figure)[^()]{0,40}\)", ""),
    (
        r"\((?:unordered|bidirectional|undirected|two-way|directed|both integers|integers|inclusive|possibly zero"
        r"|in this order)\)",
        "",
    ),
    (r"\((?:representing|denoting|meaning) (?:an? |the )?\w+\)", ""),
    # Facts about values.
    (
        r"^(?:the )?length of each (string|word|name) (?:is|does) (?:at most|not exceed|not more than) (?:six"
        r"|(\d+)) characters$",
        lambda found: f"length of each {found[1]} is at most {found[2] or 6}",
    ),
    (
        r"^(?:the )?(?:(?:string|word|sequence|line|text)'s length|length of (?:the |this )?(?:string|word|sequence"
        r"|line|text)) ranges from (\d+) to (\d+)(?:,? inclusive(?:ly)?)?$",
        r"the length of the string is between \1 and \2",
    ),
    (
        r"^(?:the )?(?:string|word|sequence|line|text)'s length (?:equals|is)(?: to)? ([a-z])$",
        r"the length of the string is \1",
    ),
    (
        r"^(?:it is guaranteed that )?(?:the )?line is not empty and (?:its|the) length does not exceed (\d+)"
        r" (?:symbols|characters)$",
        r"the length of the string is between 1 and \1",
    ),
    (
        r"^(?:the )?string ([a-z]) contains between (\d+) and (\d+) characters(?:, inclusive)?,? and contains"
        r" (?:only )?characters («.») and («.»)$",
        r"the string \1 consists of \4 and \5",
    ),
    (r"^no two [a-z]+ (?:connect|join) the same pair of [a-z]+$", "the graph contains no multiple edges"),
    (
        r"^it is guaranteed that no two [a-z]+ (?:connect|join) the same pair of [a-z]+$",
        "it is guaranteed that the graph contains no multiple edges",
    ),
    (
        r"^that also means that for every city there is no more than one road that connects the city to itself$",
        "the graph contains no loops",
    ),
    (
        r"^(?:each|every) such relationship (?:be|is) mentioned (?:exactly|at most) once$",
        "the graph contains no multiple edges",
    ),
    (
        r"^(?:it is guaranteed that )?no (?:unordered )?pair (?:occurs|is mentioned|appears|is listed|is given)?"
        r" ?(?:twice|more than once)(?: in this list)?$",
        "the graph contains no multiple edges",
    ),
    (
        r"^it is guaranteed that (?:these )?([a-z]) [a-z]+ and \1 ?- ?1 [a-z]+ form a tree$",
        "it is guaranteed that the graph is a tree",
    ),
    (
        r"^it is guaranteed that [a-z]+ (?:are|is) (?:placed|built|given|arranged) in such a way that (?:each"
        r"|every) pair of [a-z]+ (?:be|is|are|can be) connected by exactly one (?:simple )?path$",
        "it is guaranteed that the graph is a tree",
    ),
    (
        r"^(?:it is guaranteed that )?(?:there is|there exists) (?:exactly one|a unique) (?:simple )?path between"
        r" (?:any|every|each)(?: two| pair of)? [a-z]+$",
        "it is guaranteed that the graph is a tree",
    ),
    (
        r"^(?:it is guaranteed that )?if you don't consider (?:the )?directions? of (?:the )?roads,? there is a"
        r" unique path between every pair of [a-z ]+,? passing through each road at most once$",
        "it is guaranteed that the graph is a tree",
    ),
    (
        r"^it is guaranteed that all [a-z]+ are connected (?:via|by|with) [a-z]+$",
        "it is guaranteed that the graph is connected",
    ),
    (
        r"^it is guaranteed that the given (?:graphs?|edges?|pairs?|roads?) (?:be|is|are|forms?) a (?:correct "
        r"|valid )?tree$",
        "it is guaranteed that the graph is a tree",
    ),
    (r"^it is guaranteed that the given edges? forms? (?:a )?trees?$", "it is guaranteed that the graph is a tree"),
)
