"""Whether a scorer reads what its own prompt shows: the example of an answer, and right answers written like it."""

from __future__ import annotations

import re

from sandbox.audit.foreign.texts import forms_of, from_prompts, seen
from sandbox.audit.foreign.trial import Trial

_PLAIN = re.compile(r"[\d\s,.;:()\[\]\-]+")
_COUNTED = {
    **dict(zip("\u4e00\u4e8c\u4e09\u56db\u4e94\u516d\u4e03\u516b\u4e5d", range(1, 10), strict=True)), "\u4e24": 2,
    **dict(zip(("one", "two", "three", "four", "five", "six", "seven", "eight", "nine"), range(1, 10), strict=True)),
}  # fmt: skip
_NUMBER = r"(\d|[\u4e00\u4e8c\u4e24\u4e09\u56db\u4e94\u516d\u4e03\u516b\u4e5d])"
_PLACES = re.compile(
    rf"\u4fdd\u7559(?:\u5230)?(?:\u5c0f\u6570\u70b9\u540e)?\s*{_NUMBER}\s*\u4f4d|\u5c0f\u6570\u70b9\u540e\s*{_NUMBER}\s*\u4f4d|"
    r"\b(\d|one|two|three|four|five|six|seven|eight|nine) (?:decimal|digits? after)",
    re.IGNORECASE,
)
"""To how many places an answer is to be rounded, in English or Chinese."""
LEAST, TRIED, SOME = 4, 10, 2
NOTHING = ("", " ", "\n", "[]", "0", "0\n", "none", "None", "empty", "-", '""')


def examples_read(trial: Trial) -> None:
    """The prompt's example of an answer must be read, and right answers written in its way must be right."""
    questions = [str(item["question"]) for item in trial.made if item]
    forms = [form for form in forms_of(questions) if form != "§"][:1]
    if not forms:
        return
    _rows_kept(trial, questions, forms[0])
    shown = [
        text for text in from_prompts(questions[:6], forms)[:2] if _PLAIN.fullmatch(text) and re.search(r"\d", text)
    ]
    if not shown:
        return
    response = forms[0].replace("§", shown[0])
    told = trial.first.deeper("reads", trial.name, response=response)
    if isinstance(told, dict) and told.get("read") is False:
        message = f"the prompt's own example of an answer is not read: {shown[0][:60]!r}"
        trial.find("foreign.format_not_read", message, 0, response, str(told.get("why", ""))[:200])
        return
    _written_like(trial, shown[0])


def _rows_kept(trial: Trial, questions: list[str], form: str) -> None:
    """Rows of one length in the prompt's example, blanks counted, must not become rows of different lengths."""
    for text in from_prompts(questions[:6], [form], strip=False)[:2]:
        rows = text.strip("\n").split("\n")
        sizes = {len(row) for row in rows}
        filled = {len(row.replace(" ", "")) for row in rows}
        if len(rows) < 3 or len(sizes) != 1 or len(filled) == 1 or ", " in text:
            continue
        told = trial.first.deeper("reads", trial.name, response=form.replace("§", text))
        read = told.get("sizes") if isinstance(told, dict) else None
        if isinstance(read, list) and len(read) == len(rows) and len(set(read)) > 1:
            message = f"blanks of the prompt's own example are lost: rows of {len(rows[0])} become {sorted(set(read))}"
            trial.find("foreign.format_not_read", message, 0, form.replace("§", text), str(read)[:100])
            return


def _written_like(trial: Trial, example: str) -> None:
    look = _look(example)
    chosen = {n: text for n, text in trial.right.items() if _look(text) not in (look, "one", "other")}
    if look in ("one", "other") or len(chosen) < LEAST or len(chosen) * 2 < len(trial.right):
        return
    texts = {n: _rendered(text, look, example) for n, text in list(chosen.items())[:TRIED]}
    asked = [(n, trial.put(text)) for n, text in texts.items()]
    scored = trial.ask(asked)
    if all(item.value is not None and item.value < 1.0 for item in scored):
        message = f"right answers written like the prompt's example {example[:40]!r} are rejected, {len(asked)} of them"
        trial.find("foreign.format_not_read", message, asked[0][0], asked[0][1], f"score {scored[0].value:g}")


def rounded_as_asked(trial: Trial) -> None:
    """Right answers rounded to as many places as the prompt asks for must be right."""
    question = next((str(item["question"]) for item in trial.made if item), "")
    found = _PLACES.search(question)
    if not found:
        return
    word = next(group for group in found.groups() if group)
    places = int(word) if word.isdecimal() else _COUNTED[word.lower()]
    longer = {n: text for n, text in trial.right.items() if re.fullmatch(rf"-?\d+\.\d{{{places + 1},}}", text.strip())}
    asked = [(n, trial.put(f"{float(text):.{places}f}")) for n, text in list(longer.items())[:TRIED]]
    lost = [
        (pair, item) for pair, item in zip(asked, trial.ask(asked), strict=True) if item.known and item.value != 1.0
    ]
    if len(lost) >= LEAST and len(lost) * 2 > len(asked):
        message = (
            f"right answers rounded to {places} places, as the prompt asks, are rejected, {len(lost)} of {len(asked)}"
        )
        trial.find("foreign.format_not_read", message, *lost[0][0], seen(lost[0][1]))


def nothing_read(trial: Trial) -> None:
    """Where nothing is the right answer, some way of writing nothing must be right.

    That is: the stored answer is an empty list or text in some cases, or the reference code, believed in the others,
    prints nothing.
    """
    blank = sorted({*trial.blank, *_stored_empty(trial)} - set(trial.right))[:TRIED]
    if len(blank) < SOME or not trial.right:
        return
    asked = [(n, trial.put(text)) for n in blank for text in NOTHING]
    scored = trial.ask(asked)
    lost = {n for (n, _), item in zip(asked, scored, strict=True) if item.known}
    lost -= {n for (n, _), item in zip(asked, scored, strict=True) if item.value == 1.0 or not item.known}
    if len(lost) == len(blank):
        message = f"nothing is the right answer of {len(lost)} cases, and no way of writing nothing scores 1"
        trial.find("foreign.nothing_rejected", message, blank[0], asked[0][1], seen(scored[0]))


def _stored_empty(trial: Trial) -> list[int]:
    stored = trial.result.figures.get("stored_answer")
    if not isinstance(stored, dict) or not isinstance(stored["path"], list):
        return []
    values = {n: item.get("payload") for n, item in enumerate(trial.made) if item}
    for name in stored["path"]:
        values = {n: value.get(name) if isinstance(value, dict) else None for n, value in values.items()}
    return [n for n, value in values.items() if value in ("", [])]


def _look(text: str) -> str:
    """``one`` word, a flat ``list`` in brackets, ``lines``, ``commas`` or ``spaces``; else ``other``."""
    plain = text.strip()
    if re.fullmatch(r"-?[\w.]+", plain):
        return "one"
    if re.fullmatch(r"\[[^\[\]()]*\]|\([^\[\]()]*\)", plain):
        return "list"
    if re.search(r"[\[\](){}:;\"']", plain):
        return "other"
    lines = plain.splitlines()
    if len(lines) > 1:
        return "lines" if all(len(line.split()) == 1 for line in lines) else "other"
    return "commas" if "," in plain else "spaces"


def _rendered(text: str, look: str, example: str) -> str:
    words = re.findall(r"-?[\w.]+", text)
    if look == "list":
        return example.strip()[0] + ", ".join(words) + example.strip()[-1]
    return {"lines": "\n", "commas": ", ", "spaces": " "}[look].join(words)
