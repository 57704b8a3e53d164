"""Rows of reasoning-style files: a question and its answer, perhaps with choices and answers known to be wrong.

One row is one worked example of a kind of question: an author is asked for a family of them. The answer stands beside
the question as a sample; wrong answers are kept as what must be rejected, in the language ``answer``.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

from authoring.sources import cleaning, naming
from authoring.sources.defaults import Defaults
from authoring.sources.foreign import Found, brief_of
from bootcamp_kit.brief import UNKNOWN_LICENCE, Brief, Sample, Solution
from bootcamp_kit.errors import UsageError

KIND = "question_answer"
LANGUAGE = "answer"
_QUESTION, _ANSWER = ("question", "problem", "prompt"), ("answer", "final_answer", "solution_answer")
_WRONG = ("wrong_answers", "incorrect_answers", "distractors")
_CHOICES = ("choices", "options")
_NAMES = ("id", "name", "task_id")
_MAX_WRONG_CHARS = 2_000


def is_row(raw: Mapping[str, Any]) -> bool:
    """Whether a JSON object has this form."""
    return any(key in raw for key in _QUESTION) and any(key in raw for key in _ANSWER)


def read(raw: Mapping[str, Any], defaults: Defaults, *, where: str) -> Brief:
    """One row.

    Raises:
        UsageError: names the line, and the key.
    """
    question, answer = (_first(raw, keys, where) for keys in (_QUESTION, _ANSWER))
    answer = answer.rpartition("####")[2].strip()  # what stands before it is the reasoning
    if not question.strip() or not answer:
        raise UsageError(f"brief {where}", "an empty question or answer", "fill it in")
    wrong = [item for item in _listed(raw, _WRONG, where) if item.strip() != answer]
    choices = _listed(raw, _CHOICES, where)
    text = question.strip() + "\n"
    if choices:
        text += "\n## Choices\n\n" + "\n".join(f"- {choice.strip()}" for choice in choices) + "\n"
        wrong += [choice for choice in choices if answer in choices and choice.strip() != answer]
    cleaned = cleaning.clean(text)
    named = next((raw[key] for key in _NAMES if isinstance(raw.get(key), str | int) and str(raw[key]).strip()), None)
    name = str(named) if named is not None else hashlib.sha256(question.encode()).hexdigest()[:12]
    key = "licence" if "licence" in raw else "license"
    return brief_of(
        Found(
            kind=KIND,
            name=naming.title(str(raw.get("source") or defaults.name or name), name),
            id=naming.task_id("qa", name),
            title=naming.title(question[:80].strip(), name),
            text=cleaned.text,
            samples=(Sample(question.strip() + "\n", answer + "\n"),),
            wrong=tuple(Solution(LANGUAGE, item.strip()) for item in wrong if 0 < len(item) <= _MAX_WRONG_CHARS),
            licence=_first(raw, (key,), where, default=UNKNOWN_LICENCE) or UNKNOWN_LICENCE,
            url=_first(raw, ("url",), where, default=""),
            tags=("reasoning",),
            notes=cleaned.notes,
        ),
        defaults,
        where=where,
    )


def _first(raw: Mapping[str, Any], keys: tuple[str, ...], where: str, default: str | None = None) -> str:
    key = next((key for key in keys if key in raw), keys[0])
    value = raw.get(key, default)
    if isinstance(value, int | float) and not isinstance(value, bool):
        value = str(value)
    if not isinstance(value, str):
        raise UsageError(f"brief {where}, key {key!r}", "not text", "write it as one string")
    return value.replace("\r\n", "\n").replace("\r", "\n")


def _listed(raw: Mapping[str, Any], keys: tuple[str, ...], where: str) -> list[str]:
    key = next((key for key in keys if raw.get(key) is not None), "")
    value = raw[key] if key else []
    if isinstance(value, dict):  # {"text": [...], "label": [...]}
        value = value.get("text", [])
    if not isinstance(value, list) or not all(isinstance(item, str | int | float) for item in value):
        raise UsageError(f"brief {where}, key {key!r}", "not a list of answers", "write it as a list of strings")
    return [str(item) for item in value[:50]]
