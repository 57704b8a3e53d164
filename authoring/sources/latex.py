r"""Statements in LaTeX as Markdown: what contest packages use, and a note for what is left as it was written.

Formulas stay LaTeX between dollar signs. Nothing is included from other files and no macro is expanded.
"""

from __future__ import annotations

import re

_COMMENT = re.compile(r"(?<!\\)%[^\n]*")
_MATH = re.compile(r"(\$\$.*?\$\$|(?<!\\)\$[^$]*?(?<!\\)\$)", re.DOTALL)
# What stands between a beginning and its end may not hold another beginning: then no text makes a search start over.
_VERBATIM = re.compile(
    r"\\begin\{(verbatim|lstlisting)\}(?:\[[^\]\n]*\])?((?:(?!\\begin\{(?:verbatim|lstlisting)\}).)*?)\\end\{\1\}",
    re.DOTALL,
)
_PICTURE = re.compile(r"\\(?:includegraphics|illustration)\s*(?:\[[^\]]*\])?\s*\{[^{}]*\}(?:\s*\{[^{}]*\})*", re.DOTALL)
_SECTION = re.compile(r"\\(?:sub)*section\*?\s*\{([^{}]*)\}")
_STYLES = (
    (re.compile(r"\\(?:emph|textit|textsl)\s*\{([^{}]*)\}"), r"*\1*"),
    (re.compile(r"\\(?:textbf|bf)\s*\{([^{}]*)\}"), r"**\1**"),
    (re.compile(r"\\(?:texttt|t|verb|code)\s*\{([^{}]*)\}"), r"`\1`"),
    (re.compile(r"\\verb\*?(\W)(.*?)\1"), r"`\2`"),
    (re.compile(r"\\url\s*\{([^{}]*)\}"), r"\1"),
    (re.compile(r"\\href\s*\{([^{}]*)\}\s*\{([^{}]*)\}"), r"\2 (\1)"),
    (re.compile(r"\\(?:textrm|textsc|text|mbox|underline|footnotesize|small)\s*\{([^{}]*)\}"), r"\1"),
    (re.compile(r"\{\\(?:em|it|bf|tt|sf)\s+([^{}]*)\}"), r"\1"),
)
_WORDS = (
    (re.compile(r"\\(?:ldots|dots)\b(?:\{\})?"), "..."),
    (re.compile(r"\\(?:noindent|medskip|bigskip|smallskip|newpage|pagebreak|par|centering|hfill|vfill)\b\s?"), ""),
    (re.compile(r"\\(?:vspace|hspace|label|index)\*?\s*\{[^{}]*\}"), ""),
    (
        re.compile(
            r"\\(?:begin|end)\{(?:itemize|enumerate|center|quote|figure|description|document)\*?\}(?:\[[^\]]*\])?"
        ),
        "",
    ),
    (re.compile(r"(?<![ \t])[ \t]*\\item\b[ \t]*"), "- "),
    (re.compile(r"\\\\(?:\[[^\]]*\])?"), "\n"),
    (re.compile(r"(?<!\\)~"), " "),
    (re.compile(r"---"), "—"),
    (re.compile(r"--"), "–"),
    (re.compile(r"``|''"), '"'),
    (re.compile(r"\\([%&#_{}$])"), r"\1"),
)
_TABLE = re.compile(
    r"\\begin\{tabular\*?\}\s*\{(?:[^{}]|\{[^{}]*\})*\}((?:(?!\\begin\{tabular).)*?)\\end\{tabular\*?\}", re.DOTALL
)
_RULE = re.compile(r"\\(?:hline|toprule|midrule|bottomrule)\b|\\cline\s*\{[^{}]*\}")
_LEFT = re.compile(r"\\[A-Za-z]+")


def to_markdown(latex: str) -> tuple[str, tuple[str, ...]]:
    """The statement as Markdown, and notes on what was left."""
    notes: list[str] = []
    kept: list[str] = []

    def keep(text: str) -> str:
        kept.append(text)
        return f"\ue000{len(kept) - 1}\ue001"

    text = latex.replace("\ue000", "").replace("\ue001", "")
    text = _VERBATIM.sub(lambda found: keep(f"\n```\n{found[2].strip(chr(10))}\n```\n"), text)
    text = _COMMENT.sub("", text)
    text = re.sub(r"\\\(((?:(?!\\\().)*?)\\\)", r"$\1$", text, flags=re.DOTALL)
    text = re.sub(r"\\\[((?:(?!\\\[).)*?)\\\]", r"$$\1$$", text, flags=re.DOTALL)
    text = _MATH.sub(lambda found: keep(found[1]), text)
    if pictures := len(_PICTURE.findall(text)):
        notes.append(f"{pictures} {'picture' if pictures == 1 else 'pictures'} left out, marked [picture]")
    text = _PICTURE.sub("[picture]", text)
    text = _SECTION.sub(lambda found: f"\n\n## {found[1].strip()}\n\n", text)
    text = _TABLE.sub(lambda found: _table(found[1]), text)
    for _ in range(3):  # styles stand inside one another
        for pattern, replacement in _STYLES:
            text = pattern.sub(replacement, text)
    for pattern, replacement in _WORDS:
        text = pattern.sub(replacement, text)
    left = sorted(set(_LEFT.findall(text)))
    if left:
        notes.append(f"LaTeX left as it was written: {', '.join(left[:8])}")
    text = re.sub("\ue000(\\d+)\ue001", lambda found: kept[int(found[1])], text)
    lines = [line.strip() if not line.startswith("```") else line for line in text.split("\n")]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip() + "\n", tuple(notes)


def _table(inside: str) -> str:
    """A simple table as Markdown, its first row as the head; cells over several columns stay one cell."""
    rows = [row.strip() for row in re.split(r"\\\\(?:\[[^\]]*\])?", _RULE.sub("", inside))]
    cells = [[" ".join(cell.split()) for cell in re.split(r"(?<!\\)&", row)] for row in rows if row]
    if not cells:
        return ""
    wide = max(len(row) for row in cells)
    lines = ["| " + " | ".join([*row, *[""] * (wide - len(row))]) + " |" for row in cells]
    return "\n\n" + "\n".join([lines[0], "|" + " - |" * wide, *lines[1:]]) + "\n\n"
