"""``examples.toml`` of a compiled task: right answers, wrong ones named for their mistake, and malformed ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from authoring.compiler.shape import Shape


@dataclass(frozen=True, slots=True)
class Known:
    """A case and what the reference prints for it. ``payload`` is JSON text where the case is a sample."""

    printed: str
    level: int = 1
    seed: int = 0
    payload: str = ""


def examples_file(shape: Shape, samples: Sequence[Known], cases: Sequence[Known]) -> str:
    """The file's text.

    Args:
        shape: The form of an answer.
        samples: The brief's samples, one test case each.
        cases: Generated cases, one of each level.
    """
    import tomli_w

    accept, reject = [], []
    for number, known in enumerate(samples, 1):
        accept.append(_entry(f"sample {number}", known, f"<answer>{_answer(shape, known)}</answer>"))
    for known in cases:
        thought = f"Worked through step by step.\n\n<answer>\n{_answer(shape, known)}\n</answer>"
        accept.append(_entry(f"level {known.level}", known, thought))
    for known in (*samples[:1], *cases[::2]):
        for name, text in _mistakes(shape, known.printed.split(), cases):
            reject.append(_entry(name, known, f"<answer>{text}</answer>"))
    right = cases[0].printed.strip()
    malformed = [
        {"name": "no delimiters", "response": f"The answer is {right}"},
        {"name": "never closed", "response": f"<answer>{right}"},
        {"name": "empty", "response": "<answer> </answer>"},
        *_malformed(shape, right),
    ]
    return tomli_w.dumps({"accept": accept, "reject": reject, "malformed": malformed}, multiline_strings=False)


def _answer(shape: Shape, known: Known) -> str:
    return " ".join(known.printed.split()) if shape.kind in ("integers", "strings") else known.printed.strip()


def _entry(name: str, known: Known, response: str) -> Mapping[str, Any]:
    where: dict[str, Any] = {"payload": known.payload} if known.payload else {"level": known.level, "seed": known.seed}
    return {"name": name, **where, "response": response}


def _mistakes(shape: Shape, right: list[str], cases: Sequence[Known]) -> list[tuple[str, str]]:
    """Wrong answers of the right form; what happens to be right is left out."""
    cell = "\n" if shape.kind == "grid" else " "
    found: list[tuple[str, list[str]]] = []
    if shape.kind in ("integer", "integers"):
        found.append(("one too many", [*right[:-1], str(int(right[-1]) + 1)]))
        found.append(("the sign turned", [str(-int(right[0])), *right[1:]]))
    if shape.kind == "decimal":
        found.append(("one too many", [str(float(right[0]) + 1)]))
        found.append(("just outside the tolerance", [f"{float(right[0]) + 3 * shape.tolerance:.15f}"]))
        found.append(("one half of it", [str(float(right[0]) / 2 - 1)]))
    if shape.kind == "choice":
        found += [("the other choice", [choice]) for choice in shape.choices]
    if shape.kind in ("integers", "strings"):
        found.append(("the last one missing", right[:-1]))
        found.append(("in reverse order", right[::-1]))
        found.append(("the first one twice", [right[0], *right]))
    if shape.kind == "string":
        found.append(("the last character missing", [right[0][:-1]]))
        found.append(("read backwards", [right[0][::-1]]))
        found.append(("the first character twice", [right[0][0] + right[0]]))
    if shape.kind == "grid":
        other = next((symbol for symbol in shape.symbols if symbol != right[0][0]), shape.symbols[0])
        found.append(("the first cell changed", [other + right[0][1:], *right[1:]]))
        found.append(("the last row missing", right[:-1]))
        found.append(("upside down", right[::-1]))
    found += [("the answer of another case", known.printed.split()) for known in cases[:1]]
    if shape.tolerance:
        found = [one for one in found if abs(float(one[1][0]) - float(right[0])) > 2 * shape.tolerance]
    return [(name, cell.join(parts)) for name, parts in found if parts != right and all(parts) and parts]


def _malformed(shape: Shape, right: str) -> list[Mapping[str, str]]:
    if shape.kind == "integer":
        return [
            {"name": "a word", "response": "<answer>seven</answer>"},
            {"name": "two answers", "response": f"<answer>{right} or {int(right) + 1}</answer>"},
            {"name": "a decimal", "response": f"<answer>{right}.0</answer>"},
        ]
    if shape.kind == "decimal":
        return [
            {"name": "a word", "response": "<answer>one half</answer>"},
            {"name": "a fraction", "response": "<answer>1/2</answer>"},
            {"name": "two numbers", "response": f"<answer>{right} 2.5</answer>"},
        ]
    if shape.kind == "integers":
        return [
            {"name": "a word among them", "response": f"<answer>{right.split()[0]} and more</answer>"},
            {"name": "a decimal among them", "response": "<answer>1 2.5</answer>"},
        ]
    if shape.kind == "choice":
        return [{"name": "both", "response": f"<answer>{' or '.join(shape.choices)}</answer>"}]
    if shape.kind == "string":
        return [{"name": "a sentence", "response": f"<answer>it is {right}</answer>"}]
    if shape.kind == "grid":
        return [
            {"name": "a foreign symbol", "response": f"<answer>{right[:-1]}§</answer>"},
            {"name": "rows of different lengths", "response": f"<answer>{right}{shape.symbols[0]}</answer>"},
        ]
    return []
