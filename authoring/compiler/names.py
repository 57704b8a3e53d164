"""Names of several letters, such as ``cost_i`` and ``pos``, become single letters that are free.

Only the reading of the input needs them: a prompt shows the statement's own names. What counts as a name stands beside
a sign of comparison and in the list of what a line holds, and is no English word.
"""

from __future__ import annotations

import re

from authoring.compiler.plain import plain

_BOUNDED = re.compile(
    r"(?:[≤<≥>,] ?)\|?(?P<after>[A-Za-z]{2,6})(?P<index>_\{?[ijk]\}?|[ijk](?=[ ,)≤<]))?(?=\|? ?[,)≤<≥>])"
    r"|(?P<before>[A-Za-z]{2,6})(?P<mark>_\{?[ijk]\}?)?(?=\|? ?[≤<≥>])"
)
_WORDS = frozenset(
    [
        "and",
        "or",
        "min",
        "max",
        "mod",
        "sum",
        "len",
        "log",
        "where",
        "for",
        "all",
        "each",
        "the",
        "is",
        "are",
        "be",
        "of",
        "in",
        "on",
        "to",
        "by",
        "at",
        "as",
        "if",
        "it",
        "its",
        "no",
        "not",
        "an",
        "if",
        "so",
        "such",
        "that",
        "both",
        "with",
        "from",
        "there",
        "their",
        "then",
        "than",
        "one",
        "two",
        "you",
        "has",
        "have",
        "can",
        "may",
        "will",
        "must",
        "any",
        "i.e",
        "inclusive",
        "gcd",
        "lcm",
        "xor",
    ]
)
_LETTERS = "abcdefghklmnopqrstuvwxyz"


_TOLD_APART = re.compile(r"(?<![A-Za-z_])([A-Za-z])_\{?([a-hopru-z])\}?(?![A-Za-z0-9_])")


def without_told_apart(*texts: str) -> tuple[str, ...]:
    """``t_a`` and ``t_b``, or ``s_x`` and ``s_y``, are two numbers and no list: each becomes a letter that is free."""
    whole = " ".join(plain(text) for text in texts)
    found = set(_TOLD_APART.findall(whole))
    several = sorted(
        (base, index) for base, index in found if len({one for letter, one in found if letter == base}) > 1
    )
    taken = set(re.findall(r"(?<![A-Za-z])[A-Za-z](?![A-Za-z])", whole))
    new: dict[tuple[str, str], str] = {}
    for base, index in several:
        free = next((letter for letter in index + _LETTERS if letter not in taken and letter not in "ij"), "")
        if not free or not _is_listed(f"{base}_{index}", whole):
            return texts
        taken.add(free)
        new[base, index] = free
    return tuple(
        _TOLD_APART.sub(lambda match: new.get((match[1], match[2]), match[0]), text) if new else text for text in texts
    )


_BARS = re.compile(r"\b(?:integers?|numbers?),?:? (\|[A-Za-z]\|(?:(?:, | and |, and )\|[A-Za-z]\|)*)")


def lengths_as_numbers(*texts: str) -> tuple[tuple[str, ...], dict[str, str]]:
    """“two integers |S| and |T|”: the lengths are read as numbers of their own. Also which word has which length."""
    whole = " ".join(plain(text) for text in texts)
    words = list(dict.fromkeys(re.findall(r"\|([A-Za-z])\|", " ".join(_BARS.findall(whole)))))
    taken = set(re.findall(r"(?<![A-Za-z])[A-Za-z](?![A-Za-z])", whole))
    new: dict[str, str] = {}
    for word in words:
        free = next((letter for letter in "nmk" + _LETTERS if letter not in taken and letter not in "ij"), "")
        if not free:
            return texts, {}
        taken.add(free)
        new[word] = free
    made = tuple(
        re.sub(r"\$?\|([A-Za-z])\|\$?", lambda found: new.get(found[1], found[0]), text) if new else text
        for text in texts
    )
    return made, new


def short_names(*texts: str) -> tuple[str, ...]:
    """The texts, in plain notation where a name was shortened; as they came where none was."""
    texts = without_told_apart(*texts)
    whole = " ".join(plain(text) for text in texts)
    found: dict[str, str] = {}
    for match in _BOUNDED.finditer(whole):
        word = match["after"] or match["before"]
        if word.lower() not in _WORDS and _is_listed(word, whole):
            found.setdefault(word, "")
    if not found:
        return texts
    taken = set(re.findall(r"(?<![A-Za-z])[A-Za-z](?![A-Za-z])", whole))
    for word in found:
        free = next((letter for letter in word.lower() + _LETTERS if letter not in taken and letter not in "ij"), "")
        if not free:
            return texts
        taken.add(free)
        found[word] = free
    names = "|".join(sorted(found, key=len, reverse=True))
    pattern = re.compile(rf"(?<![A-Za-z\\])(?P<name>{names})(?P<index>_\{{?[ijk]\}}?|[ijk])?(?![A-Za-z])")
    return tuple(
        pattern.sub(
            lambda match: found[match["name"]] + (f"_{match['index'].strip('_{}')}" if match["index"] else ""), text
        )
        for text in texts
    )


def _is_listed(word: str, whole: str) -> bool:
    """Whether it stands in a list of numbers or words: behind “integers”, “string”, a comma or “and”."""
    return (
        re.search(
            rf"(?:integers?|numbers?|strings?|words?|values?)\b[^.≤<]{{0,60}}?(?<![A-Za-z]){word}(?:_\{{?[ijk]\}}?"
            rf"|[ijk])?(?![A-Za-z])",
            whole,
        )
        is not None
    )
