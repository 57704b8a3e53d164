"""Rewrites of what is said of characters, lengths, pairs and sums; they come behind the first ones."""

from __future__ import annotations

from authoring.compiler.phrasing_values import Rewrite

_N = r"[A-Za-z](?:_\w{1,2})?"
_GIVEN = r"(?:is |are |be |was |were )?(?:mentioned|listed|given|present|included|described|written|counted)"
DETAILS: tuple[Rewrite, ...] = (
    # Which characters.
    (
        r"^(?:it is guaranteed that )?(?:(?:all|both|each|every|the|two|three|four|of|given|these) )*(?:names?"
        r"|strings?|words?"
        r"|texts?|messages?|passwords?)(?: [a-z](?:_i)?(?: and [a-z])?)? (?:only )?(?:consists?|contains?|is"
        r" composed|are composed"
        r")(?: only| solely)?(?: of)?(?: only)? (?=lowercase|uppercase|English|small|digits|latin)",
        "strings consist of ",
    ),
    (r"^(?:it is guaranteed that )?[a-z]_i only (?:contains?|consists? of) (?=«)", "strings consist of "),
    (
        r"^(?:every|each) (?:character|letter|symbol) of (?:the )?(?:string |word )?[a-z] (?:is|be|will be)"
        r" (?=either|«)",
        "each character is ",
    ),
    (
        r"^(?:it is guaranteed that )?(?:the )?sum of (?:all )?(?:the )?(?:\|([a-z])_i\||lengths of (?:all )?(?:the"
        r" )?(?:bracket sequences|passwords|messages|texts))",
        "the total length of all strings",
    ),
    (
        r"^(?:it is guaranteed that )?(?:the )?total length of (?:all )?(?:the |these |given )*(?:passwords|messages"
        r"|texts|lines|names|strings)\b",
        "the total length of all strings",
    ),
    (
        r"^(?:the )?length of (each|every) (word|string|name|line) (?:is |ranges )?(?:from|between) (\d+) (?:to|and)"
        r" (\d+)(?:,? inclusive(?:ly)?)?(?: characters| letters)?$",
        r"lengths of strings run from \3 … \4",
    ),
    (
        r"^length (?:from|between) (\d+) (?:to|and) (\d+)(?:,? inclusive(?:ly)?)?(?: characters|"
        r" letters)?$",
        r"lengths of strings run from \1 … \2",
    ),
    (r"\b(contains?|contain) the (?:words|strings|names)(?:,? one per line)?$", r"\1 a string"),
    # Absolute values.
    (
        r"^((?:all |the )*(?:numbers|integers|values|coordinates)(?: in this [a-z]+)?) (do not|don't) exceed (\d+)"
        r" (?:in|by) (?:their |its )?absolute values?$",
        r"the numbers do not exceed \3 in absolute value",
    ),
    (
        r"^(?:the )?(?:numbers|integers)(?: are positive integers)?,? (?:and )?each of (?:them|which) (?:doesn't|does"
        r" not) exceed (\d+) (?:in|by) absolute value$",
        r"the numbers do not exceed \1 in absolute value",
    ),
    # Numerals and names.
    (
        r"\b([2-9]) (?=(?:[\w-]+ )?(?:integers|numbers)\b)",
        lambda found: f"{('two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine')[int(found[1]) - 2]} ",
    ),
    (rf"\b(integers|numbers),?:? [\"“]({_N}) ({_N})[\"”]", r"\1 \2, \3"),
    (rf"\b(integers|numbers),?:? [\"“]({_N}) ({_N}) ({_N})[\"”]", r"\1 \2, \3, \4"),
    (rf"\b(integers|numbers):? ({_N}) ({_N}) ({_N})(?= ?(?:$|\(| —|,))", r"\1 \2, \3, \4"),
    (rf"\b(integers|numbers):? ({_N}) ({_N}) ({_N}) ({_N})(?= ?(?:$|\(| —|,))", r"\1 \2, \3, \4, \5"),
    (r"\b(lengths? )of (?:the )?strings? ([A-Za-z]) and (?:the )?strings? ([A-Za-z])\b", r"\1of strings \2 and \3"),
    (
        r"\b(an? |one |the )(?:single )?integer \|([A-Za-z])\| (\([^()]*\)) — (?:the )?length of (?:the )?(?:string"
        r" )?\2$",
        r"\1integer n \3 — the length of \2",
    ),
    # Matrices.
    (
        r"\b(integers|numbers)(?: each)?(?:,|:| —)? (?:where )?(?:the )?j-th (?:integer|number|value|element|one)s?"
        r" (?:in|on|of) (?:the )?i-th"
        r" (?:line|row|of (?:these|them|those)(?: lines| rows)?) (?:is|denotes|stands for|equals|represents|shows"
        r"|describes)"
        r" (?:the j-th element (?:of|in) the i-th row of (?:the )?(?:matrix|array|table) )?([A-Za-z])(?:_ij)?\b(?!"
        r" (?:is|of))",
        r"\1 \2",
    ),
    (
        r"\b(integers|numbers)(?: each)?:? (?:the )?j-th (?:number|integer|value) (?:in|on|of) (?:the )?i-th (?:line"
        r"|row) ([a-z])_ij (\([^()]*\)) (?:is|denotes)"
        r" the (?:number|value|integer) (?:written )?in the cell(?: with coordinates)? ?(?:\([^()]*\))?$",
        r"\1 \2 \3",
    ),
    # Strings.
    (
        r"\b(string [a-z](?: ?\([^()]*\))?) — ((?:the |an? )?[a-z' ]{3,60}), (?:which |that )?(?:consists?"
        r"|consisting|contains?)"
        r"(?: only)? of (?:only )?",
        r"\1 consisting of ",
    ),
    (r"\b(?:that|which) (?:only )?consists? (?:only )?of 0 (?:and|or) 1\b", "consisting of «0» and «1»"),
    (
        r"\b(?:does not|doesn't) (?:contain|have) (?:any )?other (?:characters|symbols)(?: than| besides| except| but)"
        r" («.») (?:and|or) («.»)$",
        r"doesn't have any other characters besides \1 and \2",
    ),
    (
        r"^(?:it is guaranteed that )?(?:the )?(?:number|string|line) contains no spaces and only contains (?=digits"
        r"|lowercase|uppercase)",
        "the string consists of ",
    ),
    (
        r"\bcontains? either an? («.») ?(?:\([^()]*\) )?or an? («.») ?(?:\([^()]*\))?(?:,? specifying"
        r" [a-z' ]+)?",
        r"contains a string of length 1, each \1 or \2",
    ),
    (r"\b(?:sequence of )?characters,? each of which can (?:either )?be ", "characters, each "),
    (r"\b(string(?: [a-z])?) with only (lowercase|uppercase|digits)", r"\1 consisting of \2"),
    (
        r"\bstring consisting of (digits|lowercase English letters) and has length equal to ([a-z])\b",
        r"string of"
        r" length \2 consisting of \1",
    ),
    (r"\bstring of (digits) and has length equal to ([a-z])\b", r"string of length \2 consisting of \1"),
    (
        r"^every (word|name|string) consists of no more than (\d+) and no less than (\d+) ((?:lower"
        r"|upper)case)",
        r"length of each \1 is between \3 and \2 and it consists of \4",
    ),
    (
        r"^after that,? there are two strings ([a-z]) and ([a-z]) of length",
        r"the next two lines contain the strings"
        r" \1 and \2 of length",
    ),
    (r"\b(?:the )?(?:movements protocol|protocol|commands|moves),? of length", "a string of length"),
    (r"\binteger ([a-z]), \1 — (?=the )", r"integer \1 — "),
    (r", \w+_i — is (?=the )", ", where a_i is "),
    (r"\beach integer from 1 to ([a-z]) occurs exactly once among ([a-z])_i$", r"\2 is a permutation"),
    (
        r"\b(the \w+ line(?: of (?:the )?input)? contains) the permutation ([a-z]) of length ([a-z]),"
        r" inclusive",
        r"\1 the permutation \2 of length \3",
    ),
    # Orders.
    (
        r"\b([b-z]) distinct integers ([a-z])_?i in (?:the )?(ascending|increasing) order",
        r"\1 distinct integers"
        r" \2_i [increasing]",
    ),
    (r"^(.*)( \[increasing\])( \([^()]*)(?:, \w_?i < \w_?i ?\+ ?1)(\)) —? ?.*$", r"\1\3\4 [increasing]"),
    (
        r"^it is guaranteed that all ([a-z])_i are distinct and sorted in increasing order$",
        r"it is guaranteed that"
        r" the values are given in increasing order of \1_i",
    ),
    (
        r"^it is guaranteed that the condition ([a-z])_i ≤ \1_\{? ?i ?\+ ?1 ?\}? \(1 ≤ i < [a-z]\) will be"
        r" satisfied$",
        r"it is guaranteed that the values are given in non-decreasing order of \1_i",
    ),
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
        r"\b(contains?|containing) (?:the )?permutation ([a-z]) as ([a-z]) distinct (?:integers|numbers) from 1 to"
        r" \3(?:,? inclusive)?",
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
    (r"\b(string(?: [a-z](?:_i)?)?), with length at most (\d+)(?: letters| characters)?", r"\1 of length at most \2"),
)
