"""Prompt checks: the text is there, has a sane size, states the answer format, gives nothing away and hides nothing."""

from __future__ import annotations

import re

from bootcamp_kit.answers import OPEN
from bootcamp_kit.report import Finding, Witness
from sandbox.calls import Observation
from sandbox.checks.cheap import rendered
from sandbox.checks.check import Check, Judgement
from sandbox.checks.evidence import CaseEvidence, Evidence, Perturbed
from sandbox.checks.observed import describe, score_of
from sandbox.checks.policy import Policy
from sandbox.checks.structure import delimited

_UNPRINTABLE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
"""Control characters but for newline and tab, and what turns the reading direction of what stands around it."""


def _witness(case: CaseEvidence, expected: str) -> Witness:
    return Witness(
        "prompt", case.level, case.seed, expected=expected, seen=describe(case.prompt) if case.prompt else ""
    )


def faults(case: CaseEvidence, text: str, fixed: frozenset[str], most: int) -> list[tuple[str, str, str]]:
    """(code, message, expected) of everything wrong with one prompt; ``fixed`` answers stand in every prompt."""
    found = []
    if not text.strip():
        found.append(("prompt.empty", "the prompt is empty", "a text"))
    if len(text) > most:
        found.append(("prompt.too_long", f"a prompt of {len(text):,} characters", f"at most {most:,} characters"))
    if _UNPRINTABLE.search(text):
        found.append(("prompt.control_characters", "control characters in the prompt", "printable text"))
    right = delimited(case.right or "")
    if right and OPEN not in text:
        found.append(
            ("prompt.format_unstated", f"the prompt never mentions {OPEN}, the answer needs it", f"{OPEN} named")
        )
    if right and _plain(right.content) in _answers_in(text) - fixed:
        found.append(("prompt.leaks_answer", "the right answer stands in the prompt, in delimiters", "no right answer"))
    return found


def _plain(text: str) -> str:
    return " ".join(text.split())


def _same(left: str, right: str) -> bool:
    return _plain(left) == _plain(right)


def _answers_in(text: str) -> frozenset[str]:
    """All delimited answers that stand in a text."""
    found = set()
    while (cut := delimited(text)) is not None:
        found.add(_plain(cut.content))
        text = cut.before
    return frozenset(found)


def judge_text(evidence: Evidence, policy: Policy) -> Judgement:
    """Size, characters, answer format, leaks: the first case of each fault is the witness."""
    most = int(policy.threshold("prompt_characters"))
    findings: dict[str, Finding] = {}
    counts: dict[str, int] = {}
    texts = [(case, case.prompt_text) for case in evidence.cases if case.prompt_text is not None]
    example = delimited(evidence.task.answer.example)
    fixed = frozenset.intersection(*(_answers_in(text) for _, text in texts)) if len(texts) > 1 else frozenset[str]()
    fixed |= {_plain(example.content)} if example else set()
    for case, text in texts:
        for code, message, expected in faults(case, text, fixed, most):
            counts[code] = counts.get(code, 0) + 1
            if code not in findings:
                findings[code] = policy.finding(code, f"level {case.level}: {message}", _witness(case, expected))
    longest = max((len(text) for _, text in texts), default=0)
    return Judgement(tuple(findings.values()), {"longest": longest, "n": len(texts), "faults": dict(counts)})


def judge_determined(evidence: Evidence, policy: Policy) -> Judgement:
    """Two cases with the same prompt have the same right answer."""
    seen: dict[str, CaseEvidence] = {}
    clashes = []
    for case in evidence.right:
        if case.prompt_text is None or case.case is None:
            continue
        other = seen.setdefault(case.prompt_text, case)
        left, right = delimited(case.right or ""), delimited(other.right or "")
        if other is not case and left and right and not _same(left.content, right.content):
            clashes.append((case, other))
    figures = {"clashes": len(clashes), "prompts": len(seen), "n": len(evidence.right)}
    if not clashes or evidence.task.solutions != "unique":
        return Judgement((), figures)
    case, other = clashes[0]
    message = (
        f"the same prompt at level {case.level} seed {case.seed} and level {other.level} seed {other.seed}"
        " has two right answers: the text lacks what the answer depends on"
    )
    witness = _witness(case, "a prompt that fixes the answer")
    return Judgement((policy.finding("prompt.undetermined", message, witness),), figures)


def visible_fields(perturbed: tuple[Perturbed, ...]) -> frozenset[str]:
    """Payload fields whose change was seen in the prompt."""
    return frozenset(
        item.field
        for item in perturbed
        if item.prompt.ok and item.original.prompt_text is not None and item.prompt.value != item.original.prompt_text
    )


def _is_key(of_field: list[Perturbed], telling: list[Perturbed]) -> bool:
    """Whether a field holds the answer itself: a stored key may well be hidden from the prompt.

    It does when its value reads like the right answer, or when the oracle, given the donor's value, gives the donor's
    answer.
    """
    values = []
    for item in of_field:
        payload = item.original.case.payload if item.original.case else None
        cut = delimited(item.original.right or "")
        if isinstance(payload, dict) and cut:
            values.append(_letters(rendered(payload[item.field])) == _letters(cut.content))
    return (bool(values) and all(values)) or all(_gives_donors_answer(item) for item in telling)


def _gives_donors_answer(item: Perturbed) -> bool:
    new, donors = delimited(str(item.solved.value)), delimited(item.donor.right or "")
    return bool(new and donors and _same(new.content, donors.content))


def _letters(text: str) -> str:
    return "".join(char for char in text.casefold() if char.isalnum() or char in "-.#*")


def _changes_oracle(item: Perturbed) -> bool:
    if not item.solved.ok or not isinstance(item.solved.value, str):
        return False
    new, old = delimited(item.solved.value), delimited(item.original.right or "")
    return bool(new and old and not _same(new.content, old.content))


def _changes_verdict(observation: Observation) -> bool:
    score = score_of(observation)
    return score is not None and score.value < 1.0


def judge_hidden(evidence: Evidence, policy: Policy) -> Judgement:
    """A field that changes both the oracle's answer and the verdict is seen in the prompt, or is the answer key."""
    fields = sorted({item.field for item in evidence.perturbed})
    shown_fields = visible_fields(evidence.perturbed)
    hidden = []
    for field in fields:
        of_field = [item for item in evidence.perturbed if item.field == field]
        telling = [item for item in of_field if _changes_oracle(item) and _changes_verdict(item.score)]
        if field not in shown_fields and telling and not _is_key(of_field, telling):
            hidden.append((field, telling[0]))
    figures = {"fields": len(fields), "shown": len(shown_fields), "hidden": len(hidden), "n": len(evidence.perturbed)}
    findings = [
        policy.finding(
            "prompt.hidden_field",
            f"payload field {field[:60]!r} decides the answer and never changes the prompt",
            _witness(item.original, f"a prompt that shows {field[:60]!r}"),
            "show it in the prompt, or derive it in verify",
        )
        for field, item in hidden
    ]
    return Judgement(tuple(findings), figures)


CHECKS = (
    Check(
        "prompt.text",
        judge_text,
        shows="prompts are text of a sane size, name the delimiters and do not hold the answer in them",
        cannot="whether the rules are complete, true and clear: a reader or a blind solver must say",
        needs=("card", "load", "cases"),
        rfc008="semantic.no_solution_leakage",
    ),
    Check(
        "prompt.determined",
        judge_determined,
        shows="no two cases share a prompt and differ in their right answer",
        cannot="facts that are missing from every prompt",
        needs=("card", "load", "cases", "deterministic", "right"),
    ),
    Check(
        "prompt.hidden",
        judge_hidden,
        shows="no payload field that decides answer and verdict stays out of the prompt, answer keys apart",
        cannot="fields that only matter together, and rules the code knows but the text does not say",
        needs=("card", "load", "cases", "deterministic", "right"),
    ),
)
