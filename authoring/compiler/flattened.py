"""Repairs what copying took from a statement: exponents, indices, entities, invisible characters.

``1 ≤ ai ≤ 105`` was ``1 ≤ a_i ≤ 10^5``. An exponent is raised only where the statement shows that it lost its
exponents: no power of ten is written properly anywhere in it, and the number stands where a bound or a modulus stands.
A statement that shows both is left alone. Which bounds were raised is checked on the samples like any other bound.
"""

from __future__ import annotations

import html
import re

_POWER = r"10(?:[2-9]|1[0-8])(?![\d.,]?\d)"
_BEFORE = re.compile(
    rf"(?P<before>(?:[≤<≥>]|<=|>=|=<)\s*-?\s*|\d\s*[·⋅×*]\s*|\b(?:exceeds?|than|modulo|mod|up to|at most|equal "
    rf"to|exceeding"
    rf"|by(?= {_POWER} \+ [79])|from -?\d+ to|and)\s+-?\s*)(?P<power>{_POWER})"
)
_AFTER = re.compile(rf"(?P<minus>-\s?)(?P<power>{_POWER})(?=\s*(?:≤|<=))|\b(?P<modulus>{_POWER})(?=\s*\+\s*[79]\b)")
_PROPER = re.compile(r"10\s*(?:\^|\*\*|<sup>)|10[⁰¹²³⁴⁵⁶⁷⁸⁹]")
_SMALL = re.compile(r"\b10 - (\d)\b")
_INVISIBLE = re.compile("[\u200b\ufeff\u00ad\u2060]")
_LETTERS = "a-hk-zA-HK-Z"
_INDEXED = re.compile(
    rf"(?<![A-Za-z0-9_^{{\\.'’])(?P<name>[{_LETTERS}])(?P<index>i, ?j|ij|[ijknmq]|\d{{1,2}})(?![A-Za-z0-9_(]|"
    rf"['’](?!s\b))"
)
_NESTED = re.compile(r"(?<![A-Za-z0-9_^{\\.'’])(?P<name>[a-z])(?P<inner>[a-z])(?P<index>[ijk]|\d)(?![A-Za-z0-9_(])")
"""``axj`` of ``a_{x_j}``, where both letters have indices elsewhere."""
_WORDS = frozenset(
    [
        "hi",
        "ok",
        "am",
        "an",
        "An",
        "Am",
        "Ok",
        "Hi",
        "on",
        "in",
        "In",
        "On",
        "en",
        "un",
        "km",
        "cm",
        "mm",
        "dm",
        "gm",
        "vk",
        "OK",
        "Oi",
        "oi",
        "Mr",
    ]
)
_NAMES_TOO = frozenset(["in", "on", "at", "it", "am"])
_PAIR = re.compile(r"(?<![\w^{\\.'’?/])([a-z])([klmnpqrstx])(?![\w(^'’])")
PAIRS_THAT_ARE_WORDS = frozenset(
    [
        *("ab", "ad", "ah", "am", "an", "as", "at", "ax", "be", "by", "cm", "cs", "db", "de", "dm", "do"),
        *("dp", "eg", "en", "et", "ex", "go", "gp", "ha", "he", "hi", "id", "ie", "if", "in", "io", "is"),
        *("it", "kg", "km", "la", "le", "lo", "ma", "me", "mm", "mr", "ms", "my", "nd", "no", "of", "oh"),
        *("ok", "on", "op", "or", "ox", "pa", "pi", "pm", "rd", "sh", "so", "st", "th", "to", "up", "us"),
        *("vs", "we"),
    ]
)
"""Two letters that stand beside each other for another reason than being two names."""


def without_invisible(text: str) -> str:
    """The text without marks of zero width that copying left; any other invisible character stays."""
    return _INVISIBLE.sub("", text)


def repaired(text: str) -> str:
    """The statement with its exponents and indices back."""
    text = without_invisible(html.unescape(text) if "&" in text else text).replace("\u00a0", " ").replace("⋅", "·")
    if not _PROPER.search(text):
        text = _powers(text)
    text = re.sub(r"(?<=[≤<,] )hi(?= ?[≤<,])|(?<=, )hi(?= \()|\bhi(?= [≤<])", "h_i", text)
    return _indices(text)


def lost_exponents(text: str) -> bool:
    """Whether repairing raised an exponent."""
    return not _PROPER.search(text) and _powers(text) != text


def _powers(text: str) -> str:
    def raised(found: re.Match[str]) -> str:
        return f"{found['before']}10^{found['power'][2:]}"

    def raised_after(found: re.Match[str]) -> str:
        power = found["power"] or found["modulus"]
        return f"{found['minus'] or ''}10^{power[2:]}"

    text = _SMALL.sub(r"10^-\1", text)
    return _AFTER.sub(raised_after, _BEFORE.sub(raised, text))


def _indices(text: str) -> str:
    """``ai`` and ``a1, a2, ..., an`` become ``a_i`` and ``a_1, a_2, ..., a_n``.

    Only letters that stand with an index of the kind ``i``, ``j`` or a number somewhere are touched.
    """
    found = {(match["name"], match["index"]) for match in _INDEXED.finditer(text)}
    lettered = {name for name, index in found if index[0] in "ij" and f"{name}{index}" not in _WORDS}
    first = {name for name, index in found if index == "1"}
    counted = first & {name for name, index in found if index in ("2", "0")}
    # More letters with numbers, and none with i, are the cells of a chess board.
    bases = lettered | (counted if lettered or len(counted) < 4 else set())

    def marked(match: re.Match[str]) -> str:
        name, index = match["name"], match["index"]
        if name not in bases or name + index in _WORDS:
            return match[0]
        if index == "ij" and {(name, "i"), (name, "1")} & found:  # of a list: one index, which has one
            return f"{name}_{{i_j}}"
        index = index.replace(" ", "").replace(",", "")
        return f"{name}_{index}" if len(index) == 1 or index.isdecimal() else f"{name}_{{{','.join(index)}}}"

    text = _NESTED.sub(
        lambda match: (
            f"{match['name']}_{{{match['inner']}_{match['index']}}}"
            if match["name"] in bases and match["inner"] in bases
            else match[0]
        ),
        _INDEXED.sub(marked, text),
    )
    text = re.sub(
        r"(?<=[…,.] )([A-Za-z])([nmkqtlrN])(?![A-Za-z0-9_'’])",
        lambda match: f"{match[1]}_{match[2]}" if match[1] in bases and match[0] not in _NAMES_TOO else match[0],
        text,
    )
    alone = set(re.findall(r"(?:(?<![\w^{\\.'’])|(?<=_))[a-z](?![\w'’])", text))
    return _PAIR.sub(
        lambda match: (
            f"{match[1]}_{match[2]}"
            if match[1] in bases and match[2] in alone and match[0] not in PAIRS_THAT_ARE_WORDS
            else match[0]
        ),
        text,
    )
