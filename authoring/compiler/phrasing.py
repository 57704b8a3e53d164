"""Many ways to say one thing become the one that the grammar reads; nothing that narrows the input is dropped."""

from __future__ import annotations

import re

from authoring.compiler.phrasing_details import DETAILS
from authoring.compiler.phrasing_first import FIRST
from authoring.compiler.phrasing_further import FURTHER
from authoring.compiler.phrasing_sentences import SENTENCES
from authoring.compiler.phrasing_values import VALUES, Rewrite

_LINE = r"(?:input )?lines?"
_BEFORE: tuple[Rewrite, ...] = (
    # White space and marks.
    (r"\s+([,;])", r"\1"),
    (r",(?=[A-Za-z])", ", "),
    (r"(?<=[a-z0-9])\((?=\s*-?\d+\s*[≤<])", " ("),
    (
        r"^(?:also|note that|please note that|notice that|in addition,?|moreover,?|besides,?|it is also "
        r"guaranteed that)"
        r" (?:it is guaranteed that )?",
        "it is guaranteed that ",
    ),
    (r"\bit's\b", "it is"),
    (r"\bguaranteed,? that,?\b", "guaranteed that"),
    (r"([a-z])_i(?:, [a-z]_i)* ≤ \1_(?:i ?\+ ?1|\{ ?i ?\+ ?1 ?\})(?: for[^)]*)?", r"\1 rises"),
    (r"([a-z])_i < \1_(?:i ?\+ ?1|\{ ?i ?\+ ?1 ?\})(?: for[^)]*)?", r"\1 strictly rises"),
    (r"^(.*)\(([^()]*?)[,;]? ?\b[a-z] (rises|strictly rises)\)(.*)$", r"\1(\2)\4 [\3]"),
    (r"\(\)", ""),
    (r"\[(?:strictly )?rises\] \[(non-decreasing|increasing|strictly increasing)\]", r"[\1]"),
    (
        r"^(?:then |next |after that,? )?(?:there )?(?:are |follow )?(?:the )?(?:descriptions? of )?(?:the )"
        r"?[tTqk] (?:test cases?|tests|cases|test case descriptions|descriptions of (?:the )?test cases?|"
        r"independent test cases?) follows?$",
        "then test cases follow",
    ),
    (
        r"^it is followed by (?:the )?(?:[tTqk] )?(?:descriptions of )?(?:the )?(?:[tTqk] )?(?:descriptions of )"
        r"?(?:the )?test cases?$",
        "then test cases follow",
    ),
    (
        r"^(?:the )?(?:next|following) (?:[2-9]? ?[·*]? ?[tTqk] )?lines? (?:contains?|describes?) (?:the |a )"
        r"?(?:descriptions? of )?(?:the |[tTqk] )*(?:test cases?|tests?|cases)(?: descriptions?)?$",
        "then test cases follow",
    ),
    (
        r"^each test (?:contains|consists of) (?:one or more|multiple|several) (?:test cases|input sets|data "
        r"sets)$",
        "each test contains multiple test cases",
    ),
    (
        r"^(?:the )?(?:first|next|second|third|last) (?:one )?lines? of each (?:query|case|data set|set|dataset)\b",
        lambda found: found[0].rpartition(" ")[0] + " test case",
    ),
    (r"^first of line of input", "the first line"),
    (r"\bcontainsing\b", "containing"),
    (
        r"^(it is guaranteed that the given graph is simple) \([^()]*\)$",
        "it is guaranteed that the graph has no loops and no multiple edges",
    ),
    (
        r"^it is guaranteed that the given graph is simple$",
        "it is guaranteed that the graph has no loops and no multiple edges",
    ),
    (
        r"^(?:it|this string|the word|the line) (consists|contains)(?: only)? (?:of )?(?:only )?",
        "the string consists of ",
    ),
    (
        r"^both (?:of the )?(?:strings|words|lines) (?:are non-?empty,? )?(?:contain|consist)(?: only)?(?: of)?(?: "
        r"only)? ",
        "strings consist of ",
    ),
    (r"^([a-z]) contains (?:only )?(lowercase|uppercase|digits|«)", r"\1 consists of \2"),
    (r"(?:uppercase|lowercase) English letters («.»)", r"\1"),
    (
        r"^the i-th (?:character|letter|symbol)(?: of (?:the |this )?\w+)? is («.») if [^«]*,? (?:or|and) («.») if "
        r"[^«]*$",
        r"each character is \1 or \2",
    ),
    (r"^in the first line you(?:'re| are) given", "the first line contains"),
    (r"^the first line in each test case", "the first line of each test case"),
    (r"^(?:then )?(?:there )?followed (\S+) lines, each line contains", r"each of the next \1 lines contains"),
    (r"^in the (first|second|third|next) line(?: of input)?, you be given", r"the \1 line contains"),
    (r"^(?:the )?total sum of (\w+) is at most (\d+)$", r"the sum of \1 over all test cases does not exceed \2"),
    (
        r"\bsum of (?:the )?(\w+) (?:by|in|across|among|through) (?:all )?(?:the )?(?:a single file|test cases|"
        r"tests) (?:doesn't|does not) exceed (\d+)",
        r"the sum of \1 over all test cases does not exceed \2",
    ),
    (r"the the sum", "the sum"),
    (
        r"^(?:it is guaranteed that )?(?:all )?(?:the |of the |these |given )*(?:positions|coordinates)(?: of"
        r" (?:all )?(?:the )?[a-z ]+)?"
        r" are (?:all )?(?:pairwise )?(?:distinct|different)$",
        "all positions are distinct",
    ),
    (
        r"^(?:it is guaranteed that )?no two [a-z]+ (?:have|share|stand (?:at|on)|are (?:at|in|located at)) the same "
        r"(?:position|coordinates?|location|place|point|cell)$",
        "all positions are distinct",
    ),
    (
        r"^(?:it is guaranteed that )?(?:all )?(?:the |of the |these |given )*(?:points|pairs|segments|chips|"
        r"IP addresses|strings|names|words|roads) are (?:all )?(?:pairwise )?(?:distinct|different|located in "
        r"different (?:squares|cells|points|positions))$",
        "all rows are distinct",
    ),
    (
        r"^(?:it is guaranteed that )?no two (?:points|chips|segments|rows|pairs|strings|names) (?:coincide|are "
        r"equal|are the same|are identical)$",
        "all rows are distinct",
    ),
    (
        r"^in the (first|second|third|next) line(?: of (?:the )?input)?,? you(?:'re| are| be| will be) given",
        r"the \1 line contains",
    ),
    (r"\bof (?:the )?input data\b", "of the input"),
    (r"^the (\w+) line in each test case", r"the \1 line of each test case"),
    (r"\bbetween (-?\w+) to (\w+)", r"between \1 and \2"),
    (r" from the (?:English|Latin) alphabet\b", ""),
    (r"\b(contains) space[- ]separated (integers|numbers) (?=[a-z],)", r"\1 the \2 "),
    (r"\b(integers [a-z](?:, [a-z])* and [a-z]) (?=the (?:length|number|size))", r"\1 — "),
    # Which line.
    (rf"^(?:the )?(first|only) and (?:the )?(?:only|last|single) {_LINE}", r"the first line"),
    (
        r"^(?:in )?(?:the )?(first|second|third|fourth|fifth|next|last|only|following|single) (?:input |single |"
        r"one )?lines? (?:of input |of the input )?(?:you (?:will be|are) given|you will get|there (?:is|are|will "
        r"be)|features|comprises|begins with|starts with|carries|specifies|consists)\b(?: of)?",
        r"the \1 line contains",
    ),
    (
        r"^(?:in |on )?(?:the )?(first|second|third|fourth|fifth|next|last|only|following|single) (?:input )"
        r"?lines? (of (?:the )?(?:each )?(?:input(?: data| file)?|file|test(?: case)?|description of each test "
        r"case|description of the test case|each test case description|case|testcase) )?(?:contains?|consists? of|"
        r"has|have|gives?)\b(?!ing)",
        r"the \1 line \2contains",
    ),
    (r"\bof the description of (?:each|the|every) test case\b", "of each test case"),
    (r"\bof (?:each|the) test case(?:'s)? description\b", "of each test case"),
    (r"\bline for each test case\b", "line of each test case"),
    (r"\btestcases?\b", "test case"),
    (
        r"^each test case (?:begins|starts) with (?:a|one|a single) line (?:containing|that contains|with|which "
        r"contains)",
        "the first line of each test case contains",
    ),
    (
        r"^(?:the )?input (?:data )?(?:contains|consists of|is|has) (?:a |the |one )?(?:single |only |one )line(?: "
        r"of input)?[ ,]*(?:which |that )?(?:containing|contains?|with|consists of|consisting of)",
        "the only line contains",
    ),
    (
        r"^(?:the )?(?:input|input data|input file) (?:contains|consists of|is) (?:only )?(?=(?:a |an |one |two |"
        r"three |four |single |the )*(?:single |positive |non-negative )?(?:integer|number|string|natural))",
        "the only line contains ",
    ),
    (
        r"^(?:the )?i-th (?:one )?of (?:the )?(?:next |following |remaining )?(?!these|them|following)(\S+) lines",
        r"each of the next \1 lines",
    ),
    (
        r"^(?:each|every) of (?:the )?(?:next|following|subsequent|remaining|last) \((\S+ [-+] \d+)\) lines",
        r"each of the next \1 lines",
    ),
    (r"\bwill (contain|be|have|consist)\b", r"\1"),
    (r"\b(contains?|consists? of) (?:also|only|exactly|just) ", r"\1 "),
)
_AFTER: tuple[Rewrite, ...] = (
    # Rows.
    (
        r"^(?:then |the )?(?:next|following|then) (\S+(?: [-+] \d+)?) (lines|rows)(?: of (?:the )?(?:input|each "
        r"test case))?(?:,? each)? (?:contains?|consists? of|have|has|are|describes?|gives?|lists?|hold)",
        r"the next \1 \2 contain",
    ),
    (
        r"^(?:after that,? |then,? )?(\S+) lines follow(?:,? |: )(?:each (?:of (?:them|which) )?(?:line )?)"
        r"(?:containing|contains?|consists? of|describes?|with|begins with)",
        r"each of the next \1 lines contains",
    ),
    (
        r"^(?:then |after that )?(?:there )?(?:follow|are|come) (\S+) lines,? (?:each )?(?:containing|with|"
        r"contain)",
        r"each of the next \1 lines contains",
    ),
    (r"^(?:then )?follow (\S+) lines,? (?:each )?(?:containing|with)", r"each of the next \1 lines contains"),
    (r"^(\S+) (?:lines|queries) follow$", r"then \1 lines follow"),
    (
        r"^(?:the )?i-th (?:of (?:these|them|the following|the next) )?(?:\S+ )?(?:lines?|of them|of these lines|"
        r"from these lines)(?: of (?:them|these))? (?:contains?|consists? of|describes?|has)",
        "each line contains",
    ),
    (r"^then (\S+) lines follow$", r"then \1 lines follow"),
)
_COMPILED = [
    (re.compile(pattern, re.IGNORECASE), to)
    for pattern, to in (*FURTHER, *FIRST, *DETAILS, *_BEFORE, *SENTENCES, *VALUES, *_AFTER)
]


_JOINED = re.compile(
    r"(?:,|;|:)? (?:and )?(?=the (?:second|third|fourth|next|last) line (?:contains|of each))"
    r"|(?:,|;|:) (?=(?:the )?i-th (?:line|of (?:them|these|which)|of these lines)\b[^,]{0,20} (?:contains?|"
    r"consists? of) )"
    r"|(?<=distinct|ifferent) and (?=that the coordinates )|(?<=letters) and (?=their length)"
    r"|,? and (?=that no (?:\(unordered\) )?pair )"
    r"|(?<=distinct) and (?=all [a-z]_i are (?:distinct|different))"
    r"|(?<=cell) and (?=no [a-z]+ is in (?:the )?cell)"
    r"|(?<=letters), (?=the length of [a-z] is )|(?<=letters) and has (?=length (?:from|between) )"
    r"|, (?=[a-z]_i is (?:the )?[a-z' -]{3,60} \([^()]*≤)"
    r"|(?<=have length [a-z]) and (?=contain (?:only )?(?:lowercase|uppercase|digits))"
    r"|(?<=inclusive),? and (?=contains (?:only )?characters)"
    r"|,? and (?=no [a-z]+ is friends with itself)|(?<=\d), (?=the string contains only )"
    r"|(?<=\d),? and (?=(?:the )?(?:total )?(?:sum|total|total value) of (?:values )?[a-z] )",
    re.IGNORECASE,
)


def divided(sentence: str) -> list[str]:
    """Two statements about lines in one sentence are two sentences."""
    return [part for part in _JOINED.split(sentence) if part.strip()]


_TWO_INDICES = re.compile(
    r"\b([A-Za-z])_?(?:([1-9])[ij]|[ij]([1-9])|\{(?:([1-9]), ?[ij]|[ij], ?([1-9]))\})(?![A-Za-z0-9_])"
)


def canonical(sentence: str) -> str:
    """The sentence in the wording the grammar knows."""
    sentence = _TWO_INDICES.sub(
        lambda found: f"{found[1]}_{next(index for index in found.groups()[1:] if index)}", " ".join(sentence.split())
    )
    for pattern, to in _COMPILED:
        sentence = pattern.sub(to, sentence)
    return " ".join(sentence.split()).strip(" ,")
