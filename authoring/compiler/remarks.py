"""Sentences of an Input section that add no line and narrow nothing: legends, permissions, tasks, remarks on input.

A sentence is passed over only where it is of a known kind and holds no word that could narrow the input. What gives
leave (“loops are allowed”, “points may coincide”) widens what is allowed, and a generator need not use it.
"""

from __future__ import annotations

import re

from authoring.compiler.descriptions import PROMISE, is_naming, narrows

_COMMENT_NOT = re.compile(
    r"\b(?:guarantee\w*|lines?|contain\w*|consist\w*|exists?|at least|at most|exactly|only|no|without|cannot|"
    r"can't|must|never|"
    r"always|given|first|second|third|last|next|follow\w*|every|all|both|satisf\w*|limit\w*|exceed\w*|total|sum|length|"
    r"characters? (?:is|are)|integers? (?:is|are)|range|up to|bounded|none|neither|nor|input)\b|[≤<≥>≠]|\d{2,}",
    re.IGNORECASE,
)
_HARMLESS_TOO = re.compile(
    r"(?:please,? )?(?:do not|don't|it is (?:recommended|preferred|advised)|prefer|use) .*(?:%lld|cin|cout|"
    r"scanf|printf|stream|output techniques).*|"
    r"note:? since the size of the input.*|"
    r"(?:the |all )*(?:numbers|integers|values|strings|words|elements|names)(?: (?:in|on) (?:the |each |a )"
    r"*(?:lines?|input))? (?:are )?separated (?:by|with) "
    r"(?:exactly |a |single |one )*(?:white)?spaces?(?: characters?)?|"
    r"(?:it is guaranteed that )?(?:some|the|these|those|different|several)? ?(?:of )?(?:the )?(?:numbers|"
    r"integers|values|elements|strings|words|points|segments|cards|pairs|names)"
    r"(?: (?:among|in|of) (?:all |the )*[a-z_ ]+)? (?:can|may|might|could) (?:coincide|be equal|be the same|"
    r"repeat|overlap|be identical|be similar|intersect)[^.]*|"
    r"(?:the )?(?:rows|columns|vertices|nodes|cities|players|elements|cells|people|positions|stations|houses|"
    r"matrix rows|planets|rooms|students|points)\b[^.≤<]*\b(?:numbered|indexed|enumerated)\b[^.≤<]*|"
    r"(?:consider|assume|let|suppose) [^.≤<]*\bnumbered\b[^.≤<]*",
    re.IGNORECASE,
)


_COMMENT = re.compile(
    r"(?:they|these|this|that|it|this (?:string|number|integer|line|sequence|array)|the (?:description|letters|i-th"
    r" (?:character|letter|symbol|number|integer|value|"
    r"element)|\w+"
    r" sequence)) (?:(?:are|is) (?:the|his|her|their|its)|mean|means|describes?|denotes?|determines?|gives?|defines?"
    r"|represents?|corresponds?|shows?|stands?)\b",
    re.IGNORECASE,
)

_LEAVE = re.compile(
    r"(?:it is guaranteed that )?(?:note that |please note that )?(?P<who>[a-z_,|' -]{1,120}?) (?:can|may|might|could) "
    r"(?:also |even |possibly )?(?:be (?:equal|the same|identical|similar|not connected|disconnected|repeated|multiple"
    r"|located (?:at|in) the same)|(?:have|contain) (?:multiple edges|self-loops|loops|cycles|the same|same|equal)"
    r"|exceed the length|coincide"
    r"|repeat|intersect|overlap|touch|be (?:listed|given|mentioned|launched|used|described|chosen|included)"
    r" (?:more than"
    r" once|multiple times|several times|many times)|appear (?:more than once|multiple times|several times|many times)"
    r"|occur (?:more than once|multiple times|several times|many times))\b(?P<what>[a-z_,|' -]{0,160})",
    re.IGNORECASE,
)
"""Of what is equal, or comes twice: a range or an alphabet (“can be zero or one”) is not given leave to, but set."""
_ALLOWED = re.compile(
    r"(?:it is guaranteed that )?(?:note that )?(?P<who>[a-z, -]{1,100}?) (?:is|are) (?:also )?allowed(?P<what>[a-z"
    r" -]{0,40})"
    r"|(?:it is guaranteed that )?there (?:can|may|might|could) be (?P<there>[a-z, -]{1,120})"
    r"|it is (?:possible|allowed) (?:that|to) (?P<possible>[a-z, -]{1,120})",
    re.IGNORECASE,
)
_NO_LIMIT = re.compile(
    r"(?:it is guaranteed that )?there (?:is|are) no (?:limits?|restrictions?|constraints?|bounds?) on [a-z_,"
    r" -]{1,100}",
    re.IGNORECASE,
)
_BUT = re.compile(
    r"\b(?:only|no|none|or|but|must|if|cannot|can't|not(?! connected)|never|guarantee\w*|unless|except|however"
    r"|always|at most"
    r"|at least|exactly"
    r"|should|except|without)\b",
    re.IGNORECASE,
)
_ANY_ORDER = re.compile(
    r"(?:it is guaranteed that )?(?:the )?[a-z' -]{1,60} (?:is|are) (?:given|listed|written|described|numbered)?"
    r" ?in (?:an? )?(?:arbitrary|any|no particular|random)"
    r" order",
    re.IGNORECASE,
)
_TASK = re.compile(
    r"(?:you|your task is|for each [a-z]+,? you) (?:need to|have to|must|should|are asked to|to|are to|will have to"
    r"|need) (?:check|find|determine|answer|tell|print|calculate|compute"
    r"|count|process|perform|output)\b[^≤<≥>]{0,160}",
    re.IGNORECASE,
)
_EXAMPLE = re.compile(
    r"(?:for (?:example|instance)|see (?:also )?(?:the )?(?:notes?|samples?|examples?|sections?)|recall that each"
    r" box)\b[^≤<≥>]{0,240}|"
    r"(?:please )?have a look at [a-z ,]{1,80}|(?:please )?(?:see|refer to) [a-z ,]{1,80} for (?:better |further "
    r"|more |a )?(?:explanations?|understanding|clarification|details)",
    re.IGNORECASE,
)
_IF_SYMBOL = re.compile(
    r"(?:if|when) (?:a |an |the |this |some |it )?[a-z0-9_' -]{0,60}?(?:is|equals|is equal to|contains|holds"
    r"|shows)(?: to)? ?(?:«.»|\d{1,2}|zero|one|two),? ?(?:then )?(?P<then>[a-z' -]{3,120})",
    re.IGNORECASE,
)
_SYMBOL_MEANS = re.compile(
    r"(?:the )?(?:characters?|symbols?|letters?|digits?)? ?(?:«.»|\d)(?:,? (?:and|or) (?:«.»|\d))* (?:corresponds?"
    r" to|means?|denotes?|represents?|marks?|stands? for|shows?|describes?)"
    r" (?:that )?(?P<then>[a-z' -]{3,100})",
    re.IGNORECASE,
)
_OTHERWISE = re.compile(
    r"otherwise,? (?:it|this (?:number|value|character|symbol)|the (?:cell|character|number|value|integer))"
    r" (?:represents|means|denotes|is|shows|describes) (?P<then>[a-z' -]{3,100})(?:— an integer from \d to [a-z0-9]+)?",
    re.IGNORECASE,
)
_ARRANGED = re.compile(
    r"(?:the )?(?:letters|characters|numbers|digits|first of them|first (?:letter|character|number|line))(?: of the"
    r" \w+)? (?:give|gives|contains?|determines?|describes?|shows?|can be thought of as) (?P<then>[a-z0-9_',:"
    r" -]{3,260})",
    re.IGNORECASE,
)
_FORMAT = re.compile(
    r"each test ?case is described as follows|(?:the )?descriptions? of (?:each|every|the) test ?cases? (?:consists"
    r" of|contains|takes) (?:one|two|three|four|several) lines"
    r"|(?:in )?(?:each|every) line,? (?:the )?(?:integers|numbers|values) are separated by (?:a |one |single )*spaces?"
    r"|(?:the )?(?:integers|numbers|values|words|strings) (?:in|on) (?:each|every|one|a|the) lines? (?:are|must be)"
    r" separated by (?:a |one |single )*(?:white)?spaces?"
    r"|(?:the )?(?:string|text|line|word) (?:contains no|does not contain(?: any)?|has no) spaces"
    r"|(?:the )?[a-z ]{3,40} ranges are inclusive"
    r"|specifically",
    re.IGNORECASE,
)
_NUMBERED = re.compile(
    r"(?:it is guaranteed that )?(?:(?:you can |you may |we |we will |let us |please )?(?:consider|assume|let|suppose"
    r")(?: that)?,? )?(?P<what>[^.≤<≥>()«]{1,100}?) (?:are|is|be) (?P<how>(?:numbered|indexed|enumerated|labell?ed)\b"
    r"[^.≤<≥>()«]{0,120})",
    re.IGNORECASE,
)
_NOT_NUMBERED = re.compile(
    r"\b(?:lines?|contain\w*|guarantee\w*|order(?:ed)? (?:of|by)|\w*increasing|\w*decreasing|sorted|ascending"
    r"|descending|such|so that|if|next|follow\w*|given|string|distance|degree|parents?|child\w*|less|greater)\b",
    re.IGNORECASE,
)
_ROOT = re.compile(
    r"(?:the )?(?:root(?: (?:of the tree|vertex|node))? (?:is|has)(?: the)?|tree is rooted (?:at|in)(?: the)?"
    r"|(?:vertex|node)"
    r")(?: (?:vertex|node|number|vertex number|node number|index))?(?: with)?(?: (?:the )?(?:number|index))? 1(?:"
    r" is the"
    r" root(?: of the tree)?)?",
    re.IGNORECASE,
)
_EQUAL_THINGS = re.compile(
    r"(?:(?:,| and|, and|;|, while)? ?(?:scraps |beads |cells |stones |blocks )?(?:having )?(?:the )?(?:equal|same"
    r"|identical"
    r"|different|distinct) [a-z]+(?: (?:always|correspond to|denote|mean|means|represent|stand for|share|have|are of))+"
    r" (?:the )?(?:equal|same|identical|different|distinct) [a-z]+)+",
    re.IGNORECASE,
)
_NOT_NECESSARILY = re.compile(
    r"(?:it is guaranteed that )?(?:note that )?(?:the |these |all )?[a-z_' ]{1,60} (?:is|are) not necessarily [a-z]+"
    r"|(?:it is guaranteed that )?(?:the )?(?:lengths?|sizes?) of [a-z ]{1,40} (?:can|may) (?:differ|be different)",
    re.IGNORECASE,
)
_TWO_WAYS = re.compile(
    r"(?:all )?(?:the )?(?:roads|edges|paths|streets|tunnels|corridors) are (?:bidirectional|two-way|undirected)"
    r"|(?:all )?(?:the )?(?:numbers|integers|values)(?: (?:on|in) (?:all|each|every|the) (?:lines?|input))? (?:are"
    r"|is) separated by"
    r" (?:a |one |single )*spaces?"
    r"|because of (?:the )?large input,? reading [a-z ]{1,60}"
    r"|the input (?:data )?(?:contains|consists of) (?:several|multiple) tests"
    r"|(?:the )?(?:operations|queries|commands|moves) are (?:given|listed|written) in (?:the )?order (?:of (?:their )?"
    r"(?:execution|application|appearance|processing|performing)"
    r"|(?:in which |that )?(?:they|you|we|he|she|it) [a-z ]{0,40}\b(?:perform|execute|appl|process|ma[dk]e|do"
    r"|answer|ask)"
    r"[a-z]*)",
    re.IGNORECASE,
)
_MAY_BE = re.compile(
    r"it is possible that [a-z0-9_' ,]{3,160}|[a-z]_ij?'s are specified even for [a-z"
    r" ,']{3,120}",
    re.IGNORECASE,
)
_VALUE_MEANS = re.compile(
    r"(?:a |the )?value of \d means that [a-z' -]{3,60}?(?:,? and (?:a |the )?value of \d (?:means )?that [a-z'"
    r" -]{3,60})?",
    re.IGNORECASE,
)
_NUMBER_MEANS = re.compile(
    r"[a-z]_i (?:is|equals|equals to|is equal to) \d (?:if|when) (?P<then>[a-z0-9_' -]{3,80})(?:,? (?:and|otherwise)"
    r" [a-z0-9_' -]{3,80})?",
    re.IGNORECASE,
)
_EACH_MEANS = re.compile(
    r"(?:here,? )?(?:the )?(?:i-th|j-th|k-th) (?:character|letter|symbol|digit|number|integer|value|element|of"
    r" them)(?: (?:of"
    r"|in) (?:the |this )?[a-z]+(?: [a-z])?)? (?:is|denotes|describes|represents|means|stands for|shows|gives"
    r"|corresponds to"
    r"|tells) (?P<then>[a-z][a-z0-9_' ,-]{3,160})",
    re.IGNORECASE,
)
_NO_PROMISE = re.compile(
    r"(?:it is guaranteed that )?(?:note that )?it is not guaranteed that\b",
    re.IGNORECASE,
)
_NO_BLANKS = re.compile(
    r"(?:the )?(?:first|second|third|fourth|last|next)? ?(?:line|string|text|word)s? (?:contains? no|does not contain"
    r"|do not contain|has no|have no) (?:any )?spaces"
    r"|(?:it is guaranteed that )?(?:they|the [a-z]+) (?:don't|do not) (?:have|need) to be (?:distinct|different"
    r"|sorted)"
    r"|(?:the )?(?:string|line|text) (?:contains?|consists?)(?: of)? no other characters apart from the newline[a-z ]*",
    re.IGNORECASE,
)
_EACH_NOT = re.compile(
    r"\b(?:reverse\w*|copy|copies|mirror\w*|inverse|opposite|complement\w*|next|previous)\b", re.IGNORECASE
)
_C_WORDS = re.compile(
    r".{0,200}(?:%lld|%i64d|\bcin\b|\bcout\b|\bscanf\b|\bprintf\b|\bstreams?\b|\bstringstream\b|specifi(?:c)?at"
    r"|specifier|fast input|fast (?:i/o|io)|bufferedreader).{0,200}",
    re.IGNORECASE,
)


_BY_WHAT = re.compile(
    r"\b(?:numbered|indexed|enumerated|labell?ed)\b.*\b(?:by (?!(?:the )?(?:[a-z]+ ){0,3}(?:integers|numbers)\b)|along"
    r"|according|nearest|closest|farthest|furthest|oldest|youngest|tallest|shortest|heaviest|lightest|smallest|largest"
    r"|earliest|latest|as they (?:stand|lie|come|go)"
    r"|in (?:the )?order (?:of|in which|that|they) (?!(?:the |their )?(?:input|appearance)|(?:they )?(?:are|were) given"
    r"|(?:they )?appear|(?:they )?come in))",
    re.IGNORECASE,
)
"""What things are numbered by: values of theirs that are read then stand in that order."""
_LEAVE_FOR = re.compile(
    r"\b(?:can|may|might|could|possible)\b.*\b(?:ends?|endpoints?|borders?|corners?|once|twice|thrice|(?:two|three|\d+)"
    r" times|but|only|then|side by side|neighbou?r\w*|adjacent|consecutive\w*|exactly|at most|unless|except"
    r"|however|when"
    r"|if|though|although|while|never)\b",
    re.IGNORECASE,
)
"""Leave that is given for some cases alone forbids the others. “More than once” is none."""


def _sets_more(text: str) -> bool:
    """Whether what looks like a remark sets an order, or gives leave for some cases alone."""
    if _BY_WHAT.search(text):
        return True
    plain_leave = re.sub(r"\bmore than (?:once|twice)\b", "", text)
    of_leave = _MAY_BE.fullmatch(text) or _LEAVE.fullmatch(text) or _HARMLESS_TOO.fullmatch(text)
    return bool(of_leave and not _C_WORDS.fullmatch(text) and _LEAVE_FOR.search(plain_leave))


def is_remark(sentence: str) -> bool:
    """A permission, a task, an example, the form of lines: nothing that a generator has to keep."""
    text = sentence.strip(" :,.")
    if _sets_more(text):
        return False
    if _FORMAT.fullmatch(text) or _ANY_ORDER.fullmatch(text) or _EXAMPLE.fullmatch(text) or _NO_LIMIT.fullmatch(text):
        return True
    if _NO_PROMISE.match(text) or _NO_BLANKS.fullmatch(text):
        return True
    if _OTHERWISE.fullmatch(text) and _is_legend(text):
        return True
    if _TWO_WAYS.fullmatch(text) or _MAY_BE.fullmatch(text):
        return True
    if _VALUE_MEANS.fullmatch(text) and not (narrows(text) or _LEGEND_NOT.search(text.lower())):
        return True
    if (found := _NUMBER_MEANS.fullmatch(text)) and not (
        narrows(text[found.start("then") :]) or _LEGEND_NOT.search(text.lower())
    ):
        return True
    if _ROOT.fullmatch(text) or _EQUAL_THINGS.fullmatch(text) or _NOT_NECESSARILY.fullmatch(text):
        return True
    if (found := _NUMBERED.fullmatch(text)) and not _NOT_NUMBERED.search(text):
        return not narrows(re.sub(r"\bdistinct (?=integers|numbers)", "", f"{found['what']} {found['how']}"))
    if _C_WORDS.fullmatch(text) and not re.search(r"[≤<≥>]|guarantee", text):
        return True
    if _TASK.fullmatch(text):
        return not re.search(r"guarantee|\balways\b|\bsuch that\b", text)
    found = _LEAVE.fullmatch(text) or _ALLOWED.fullmatch(text)
    return bool(found) and not _BUT.search(re.sub(r"^it is guaranteed that ", "", text, flags=re.IGNORECASE))


def _is_legend(text: str) -> bool:
    """What a symbol or a number means, in words that set no condition."""
    parts = re.split(r",? and (?=«)", text)
    if len(parts) > 1 and all(_SYMBOL_MEANS.fullmatch(part) for part in parts):
        return all(_is_legend(part) for part in parts)
    for pattern in (_IF_SYMBOL, _SYMBOL_MEANS, _OTHERWISE, _ARRANGED):
        if found := pattern.fullmatch(text):
            then = found["then"].lower()
            return not (narrows(then) or _LEGEND_NOT.search(then))
    return False


_LEGEND_NOT = re.compile(
    r"\b(?:guarantee\w*|exactly|at least|at most|only|no|every|all|both|exists?|same|sum|total|length|lines?"
    r"|follow\w*|distinct|different|order(?:ed)? by|sorted)\b"
)


def is_comment(text: str) -> bool:
    """A sentence that adds no line and holds no word that could narrow the input."""
    text = text.strip(" :,")
    if _sets_more(text):
        return False
    if _HARMLESS_TOO.fullmatch(text) or _is_legend(text):
        return True
    if found := _EACH_MEANS.fullmatch(text):
        then = found["then"]
        return is_naming(then) and not (_LEGEND_NOT.search(then.lower()) or _EACH_NOT.search(then))
    return (
        not _COMMENT_NOT.search(text)
        and not PROMISE.search(text.lower())
        and not narrows(text)
        and bool(_COMMENT.match(text))
    )
