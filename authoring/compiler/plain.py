r"""One notation for what statements write in LaTeX, HTML, Unicode or ASCII.

``$1 \le a_{i} \leq 10^{5}$``, ``1<=a<sub>i</sub><=10**5`` and ``1 ≤ aᵢ ≤ 10⁵`` all become ``1 ≤ a_i ≤ 100000``.
Comparison signs are ``≤ < ≥ >``, dots of omission ``…``, a symbol in quotes ``«#»`` (in code marks too, unless it is a
letter or a digit, which may be a variable), a long dash ``—``.
"""

from __future__ import annotations

import html
import re

_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
_SUBSCRIPTS = str.maketrans("₀₁₂₃₄₅₆₇₈₉ᵢⱼₖₙₘ₊₋", "0123456789ijknm+-")
_POWER = re.compile(r"(?<![\w.^])(\d{1,6})\s*(?:\^|\*\*)\s*\{?\s*(\d{1,2})(?:\s*\})?")
_LATEX = (
    (r"\\(?:leqslant|leq|le)(?![A-Za-z])", "≤"),
    (r"\\(?:geqslant|geq|ge)(?![A-Za-z])", "≥"),
    (r"\\lt(?![A-Za-z])", "<"),
    (r"\\gt(?![A-Za-z])", ">"),
    (r"\\(?:neq|ne)(?![A-Za-z])", "≠"),
    (r"\\(?:ldots|cdots|dots)(?![A-Za-z])", "…"),
    (r"\\(?:cdot|times)(?![A-Za-z])", "·"),
    (r"\\(?:text|mathrm|mathtt|texttt|textit|textbf|operatorname|mathit)\s*\{([^{}]*)\}", r"\1"),
    (r"\\(?:left|right|displaystyle|,|;|:|!)(?![A-Za-z])", ""),
    (r"\\([#%&_{}$])", r"\1"),
    (r"\\[ ]", " "),
)
_SYMBOL = re.compile(r"`([^`\s\w])`|'([^'\s])'|\"([^\"\s])\"|‘([^’\s])’|“([^”\s])”|``([^`'\s])''|«([^»\s])»")


def plain(text: str) -> str:
    """The same text in the one notation; line breaks stay."""
    text = html.unescape(text).replace("\u00a0", " ").replace("\u2009", " ").replace("\u202f", " ").replace("~", " ")
    text = re.sub(r"<sub>\s*([^<>]{1,12}?)\s*</sub>", r"_{\1}", text, flags=re.IGNORECASE)
    text = re.sub(r"<sup>\s*([^<>]{1,12}?)\s*</sup>", r"^{\1}", text, flags=re.IGNORECASE)
    text = re.sub(r"</?(?:i|b|em|strong|code|tt|var|span|p|br)\s*/?>", "", text, flags=re.IGNORECASE)
    text = re.sub(r"[⁰¹²³⁴⁵⁶⁷⁸⁹⁻]+", lambda found: "^" + found[0].translate(_SUPERSCRIPTS), text)
    text = re.sub(r"[₀₁₂₃₄₅₆₇₈₉ᵢⱼₖₙₘ₊₋]+", lambda found: "_{" + found[0].translate(_SUBSCRIPTS) + "}", text)
    text = _SYMBOL.sub(lambda found: f"«{next(part for part in found.groups() if part)}»", text)
    for pattern, replacement in _LATEX:
        text = re.sub(pattern, replacement, text)
    text = text.replace("<=", "≤").replace("=<", "≤").replace(">=", "≥").replace("⩽", "≤").replace("⩾", "≥")
    text = re.sub(r"\.\s?\.\s?\.(?:\s?\.)?|⋯", "…", text)
    text = re.sub(r",\s*…", ", …", text)
    text = _marks(text)
    text = _indices(text)
    text = _numbers(text)
    text = re.sub(r"\s*(?:---|–|—|\s--\s)\s*", " — ", text)
    text = re.sub(r"(?<=[a-z)»]) - (?=(?:the |an? |its |how |number |which |where )[a-z])", " — ", text)
    return re.sub(r"[ \t]+", " ", text)


def _marks(text: str) -> str:
    """Drop dollar signs, code marks and emphasis; a quoted or coded symbol is ``«…»`` by now."""
    text = re.sub(r"\${1,3}", "", text)
    text = re.sub(r"`([^`\n]*)`", r"\1", text)
    text = re.sub(r"\*\*([^*\n]+)\*\*", r"\1", text)
    text = re.sub(r"(?<![\w*»])\*(?=\S)([^*\n]+?)(?<=\S)\*(?![\w*«])", r"\1", text)
    return re.sub(r"(?<![\w_»])_(?=\S)([^_\n]+?)(?<=\S)_(?![\w_«])", r"\1", text)


def _indices(text: str) -> str:
    """``a_{i}`` and ``a[i]`` become ``a_i``; ``a_{i,j}`` and ``a_{i, j}`` become ``a_ij``."""
    text = re.sub(r"\b([A-Za-z])_\{\s*(\w{1,3})\s*\}", r"\1_\2", text)
    text = re.sub(r"\b([A-Za-z])_\{\s*(\w)\s*,?\s*(\w)\s*\}", r"\1_\2\3", text)
    text = re.sub(r"\b([A-Za-z])_\{\s*n\s*-\s*1\s*\}", r"\1_m1", text)
    return re.sub(r"\b([A-Za-z])\[([ijkn0-9]{1,2})\]", r"\1_\2", text)


def _numbers(text: str) -> str:
    """Powers and products of constants become plain numbers."""
    text = re.sub(r"(?<=\d)\{,\}(?=\d{3})", "", text)
    text = re.sub(r"(?<![\w.,])(\d{1,3}(?: \d{3})+)(?![\w.,]?\d)", lambda found: found[1].replace(" ", ""), text)
    text = re.sub(r"(?<![\w.,])(\d{1,3}(?:,\d{3})+)(?![\w,]|\.\d)", lambda found: found[1].replace(",", ""), text)
    text = re.sub(r"(?<![\w.])(\d)[eE](\d{1,2})(?!\w)", r"\1·10^\2", text)
    text = _POWER.sub(lambda found: str(int(found[1]) ** int(found[2])), text)
    previous = ""
    while previous != text:
        previous = text
        text = re.sub(
            r"(?<![\w.)])(\d{1,25})\s*(?:[·×]|(?<!\*)\*(?!\*))\s*(\d{1,25})(?![\w(])",
            lambda found: str(int(found[1]) * int(found[2])),
            text,
        )
    return text.replace("×", "·").replace("−", "-")


def output_sentences(text: str) -> list[str]:
    """What an output section says, sentence by sentence; a semicolon ends one too."""
    return re.split(r"(?<=[.!?;])\s+", text)
