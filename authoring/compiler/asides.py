"""What stands among bounds and is none: “m is even”, “all p_i are different”, ``n + m ≠ 0``, ``a_1 < a_2 < … < a_n``.

Each is taken out of the text and becomes a sentence of its own, or a condition, to be looked at when all lines are
known.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from authoring.compiler.phrases import NAME

_END = r"(?=\s*(?:$|[,;)]|and\b))"
_START = r"(?:^|(?<=[,;(])|(?<=[,;(] )|(?<= and ))"
_SAID = re.compile(
    rf"{_START}(?:where )?(?P<said>(?:both )?(?:all )?(?:the )?{NAME}(?: and {NAME})? (?:is|are) (?:all"
    rf" )?(?:pairwise )?(?:an? )?"
    rf"(?:even|odd|prime|distinct|different|divisible by \w{{1,12}})(?: numbers?| integers?)?){_END}"
)
_SUM = r"(?P<list>[A-Za-z])_1 ?\+ ?(?:(?P=list)_2 ?\+ ?)?…,? ?\+ ?(?P=list)_?[A-Za-z]"
_SIGMA = re.compile(r"(?:∑|\\sum|Σ)(?: ?_\{ ?[ij] ?= ?1 ?\})?(?: ?\^ ?\{? ?[a-z] ?\}?)? ?([A-Za-z])_[ij]\b")
_UNEQUAL = re.compile(rf"{_START}(?P<one>[A-Za-z][\w+* -]{{0,20}}?) ?≠ ?(?P<other>[A-Za-z0-9][\w+*-]{{0,9}}){_END}")
_EQUAL = re.compile(rf"{_START}(?P<one>{NAME}) ?= ?(?P<other>\d{{1,10}}|{NAME}){_END}")
_BELOW_SUM = re.compile(rf"{_START}(?P<low>\w{{1,12}} ?≤ ?)(?P<one>{NAME}) ?≤ ?sum\((?P<list>[A-Za-z])\){_END}")
_EQUAL_SUM = re.compile(rf"{_START}sum\((?P<list>[A-Za-z])\) ?= ?(?P<other>[\w+* -]{{1,12}}?){_END}")
_MEMBER = re.compile(rf"{_START}(?P<one>{NAME}) ?(?:∈|\\in) ?\\?\{{ ?(?P<low>-?\d) ?, ?(?P<high>-?\d) ?\\?\}}{_END}")
_EITHER = re.compile(rf"{_START}(?P<one>{NAME}) ?= ?(?P<low>-?\d) or (?P=one) ?= ?(?P<high>-?\d){_END}")
_MODULO = re.compile(rf"{_START}(?P<one>{NAME}) mod (?P<by>\d{{1,9}}|{NAME}) ?= ?0{_END}")
_RISING = re.compile(
    r"(?P<list>[A-Za-z])_1 ?(?P<sign>[≤<≥>]) ?(?:(?P=list)_2 ?(?P=sign) ?)?…,? ?(?P=sign) ?(?P=list)(?:_\w|[a-z])\b"
)
_LENGTH_WORDS = re.compile(
    r",? where \|(?P<name>[A-Za-z])\| (?:denotes|is|means|stands for) the length of (?:the )?(?:string )?(?P=name)$"
)


@dataclass
class Asides:
    """What was taken out.

    Attributes:
        sentences: To be understood like any other, after all lines.
        unequal: Pairs of which the two sides differ; names or expressions as written.
        equal_sums: Lists with what the sum of each has to be.
        below_sums: Numbers that are at most the sum of a list.
        orders: Lists with the sign that stands between neighbours.
    """

    sentences: list[str] = field(default_factory=list)
    unequal: list[tuple[str, str]] = field(default_factory=list)
    equal_sums: list[tuple[str, str]] = field(default_factory=list)
    below_sums: list[tuple[str, str]] = field(default_factory=list)
    orders: list[tuple[str, str]] = field(default_factory=list)

    def taken(self, text: str) -> str:
        """The text with its asides taken out, and with equations as chains."""
        text = _LENGTH_WORDS.sub("", text)
        text = _RISING.sub(self._rising, text)
        text = re.sub(_SUM, r"sum(\g<list>)", text)
        text = _SIGMA.sub(r"sum(\1)", text)
        text = _SAID.sub(self._said, text)
        text = _MODULO.sub(self._modulo, text)
        text = _BELOW_SUM.sub(self._below_sum, text)
        text = _EQUAL_SUM.sub(self._equal_sum, text)
        text = _UNEQUAL.sub(self._unequal, text)
        text = _EITHER.sub(_range, text)
        text = _MEMBER.sub(_range, text)
        text = _EQUAL.sub(lambda found: f"{found['other']} ≤ {found['one']} ≤ {found['other']}", text)
        return re.sub(r"(?:\s*[,;]|\s+and)+(?=\s*(?:$|[,;]))", "", text).strip(" ,;")

    def _said(self, found: re.Match[str]) -> str:
        said = re.sub(r"^(?:both|the) ", "", found["said"])
        pair = re.fullmatch(rf"({NAME}) and ({NAME}) are (even|odd|prime)", said)
        self.sentences += [f"{pair[1]} is {pair[3]}", f"{pair[2]} is {pair[3]}"] if pair else [said]
        return ""

    def _modulo(self, found: re.Match[str]) -> str:
        self.sentences.append(f"{found['one']} is divisible by {found['by']}")
        return ""

    def _unequal(self, found: re.Match[str]) -> str:
        self.unequal.append((found["one"].strip(), found["other"].strip()))
        return ""

    def _below_sum(self, found: re.Match[str]) -> str:
        self.below_sums.append((found["one"], found["list"]))
        return f"{found['low']}{found['one']}"

    def _equal_sum(self, found: re.Match[str]) -> str:
        self.equal_sums.append((found["list"], found["other"].strip()))
        return ""

    def _rising(self, found: re.Match[str]) -> str:
        self.orders.append((found["list"], found["sign"]))
        around = found.string[: found.start()].rstrip()[-1:], found.string[found.end() :].lstrip()[:1]
        if not set("".join(around)) & set("≤<≥>"):
            return ""
        return f"{found['list']}_i"


def _range(found: re.Match[str]) -> str:
    low, high = int(found["low"]), int(found["high"])
    return f"{low} ≤ {found['one']} ≤ {high}" if high == low + 1 else found[0]
