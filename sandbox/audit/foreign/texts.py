"""The texts that foreign tasks are tried on: constants, oddities, marked words, changes of right answers."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

from bootcamp_kit.answers import CLOSE, OPEN
from bootcamp_kit.card import AnswerFormat
from sandbox.audit.foreign.asking import Answered
from sandbox.checks.mutants import mutants
from sandbox.checks.structure import DECIMAL, INTEGER, delimited, read_shape

CONSTANTS = (
    "0", "1", "-1", "2", "nan", "inf", "1e309", "yes", "no", "Yes", "No", "YES", "NO", "True", "False", "true", "false",
    "None", "null", "[]", "{}", '""', "()", "[[]]", "A", "B", "impossible", "IMPOSSIBLE", "infeasible", "First",
    "Second", "banana", "the", "a", "?", ".", "x", "0 0", "1 2 3", "[0]", "\\boxed{}", "0.5", "100", "10",
    *map(str, range(3, 10)), "12", "15", "20", "50", "1 1", "-1 -1", "0 0 0", "1 1 1", "[1]", "[-1]", "[1, 1]",
)  # fmt: skip
ODD = (
    "", " ", "\n", "\0", "²", "①", "٣", "½", "−5", "[" * 3000, "9" * 5000, "1e999", '{"a": [1, null]}', "[null]",
    "a" * 20_000, ",,,", "-", "%s%n{0}", "\U0001f0a1", "[[1], [[2]]]", "1/0",
    "None\nNone", "<answer>",
)  # fmt: skip
NONSENSE = ("zzqx banana qqv", "I do not know what to answer here.")
MARK, NUMBER_MARK = "zqmarked", "726183945"
MARKED = (
    MARK, f"{MARK}(1)", f"[{MARK}]", f"{MARK} = 1", f"{MARK}\n{MARK}", f"{MARK} + 1", f"({MARK}, 1)",
    f"{{'a': {MARK}}}", f"x + {MARK}", f"{MARK} {MARK}",
)  # fmt: skip
NUMBER_MARKED = (NUMBER_MARK, f"{NUMBER_MARK} + 0", f"[{NUMBER_MARK}]", f"({NUMBER_MARK}) * 1", f"{NUMBER_MARK} = 1")


def missing(problem: str) -> bool:
    """Whether the sandbox lacks something: no fault of the task."""
    return (
        problem.startswith(("ModuleNotFoundError", "ImportError", "FileNotFoundError"))
        or "No module named" in problem
        or "writable" in problem
        or "Read-only file system" in problem
    )


def seen(item: Answered) -> str:
    """What an answer earned, in words."""
    return item.problem if item.value is None else f"score {item.value:g}"


def common(right: dict[int, str]) -> list[str]:
    """The answers of a few cases: on every other case they are constants too."""
    return [text for text, _ in Counter(right.values()).most_common(8) if len(text) < 2_000]


def changed(text: str) -> Iterator[tuple[str, str, str]]:
    """(shape, kind, text) of typed changes of one right answer."""
    plain = text.strip()
    name = "integer" if INTEGER.fullmatch(plain) else "decimal" if DECIMAL.fullmatch(plain) else "text"
    kind = AnswerFormat(kind=name, format="as asked", example=f"{OPEN}x{CLOSE}")
    cut = delimited(f"{OPEN}{text}{CLOSE}")
    if cut is None:
        return
    shape = read_shape(cut.content, kind).kind
    for mutant in mutants(f"{OPEN}{text}{CLOSE}", kind):
        content = delimited(mutant.response)
        if mutant.group in ("value", "form") and content is not None and content.content.strip() != text.strip():
            yield shape, mutant.kind, content.content


def wrong_for(text: str) -> str:
    """Some other answer than this right one."""
    return next((changed for _, kind, changed in changed(text) if kind != "empty"), "zqx")


def forms_of(questions: list[str]) -> list[str]:
    """How answers are to be written, as far as the prompts say; ``§`` is the answer."""
    found = []
    for opening, closing in (
        ("[answer]", "[/answer]"),
        ("<answer>", "</answer>"),
        ("\\boxed{", "}"),
        ("[[", "]]"),
        ("```json\n", "\n```"),
        ("```\n", "\n```"),
    ):
        if opening == "[[" and not any(re.search(r"\[\[[^\[\]]*\]\]", text) for text in questions):
            continue  # a matrix
        if any(opening.strip() in text for text in questions):
            found.append(f"{opening}§{closing}")
    return found[:2] or ["§", "[answer]§[/answer]"]


_QUOTED = re.compile(r"[\"“'‘`「]([^\"”'’`」\n]{1,40})[\"”'’`」]")


def from_prompts(questions: list[str], forms: list[str], *, strip: bool = True) -> list[str]:
    """Whole answers that the prompts themselves name: in quotation marks in all of them, or in the asked-for form."""
    if not questions:
        return []
    quoted = [text for text in dict.fromkeys(_QUOTED.findall(questions[0])) if all(text in q for q in questions)]
    shown: list[str] = []
    for form in forms:
        opening, _, closing = form.partition("§")
        if opening.strip() and closing.strip():
            first = re.escape(opening.strip())
            pattern = f"{first}((?:(?!{first}).){{1,300}}?){re.escape(closing.strip())}"
            texts = re.findall(pattern, questions[0], re.DOTALL)
            shown += [text.strip() if strip else text for text in texts]
    return [text for text in dict.fromkeys([*shown[:6], *quoted[:16]]) if text.strip()]


def paths(payload: Any, depth: int = 2) -> Iterator[tuple[str, ...]]:
    """Where a stored answer may lie in a payload; telling names first."""
    if isinstance(payload, dict):
        names = sorted(
            payload, key=lambda name: not re.search("answer|solution|result|expected|target|correct", str(name))
        )
        for name in names[:24]:
            yield (str(name),)
            if depth > 1 and isinstance(payload[name], dict):
                yield from ((str(name), *rest) for rest in paths(payload[name], depth - 1))


LOOKS = ("as data", "one line", "lines", "commas", "named")
"""How a stored value may be written as an answer."""


def at(payload: Any, path: tuple[str, ...], look: str = "as data") -> str | None:
    """The value there as text; None where there is none, it has no such look, or it is very long."""
    for name in path:
        if not isinstance(payload, dict) or name not in payload:
            return None
        payload = payload[name]
    text = _looking(payload, look)
    return text if text is not None and len(text) < 5_000 else None


def _looking(value: Any, look: str) -> str | None:
    if look == "as data":
        return value if isinstance(value, str) else json.dumps(value)
    if look == "named":
        return {True: "YES", False: "NO"}.get(value) if isinstance(value, bool) else None
    if not isinstance(value, list) or not value:
        return None
    rows = [" ".join(map(str, item)) if isinstance(item, list) else str(item) for item in value]
    return {"one line": " ", "lines": "\n", "commas": ", "}[look].join(rows)
