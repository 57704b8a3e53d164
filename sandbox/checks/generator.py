"""Generator checks: enough different cases, answers that spread, sizes within reason, parameters that are used."""

from __future__ import annotations

import ast
from collections import Counter

from bootcamp_kit.jsondata import Json, canonical
from bootcamp_kit.python_source import parse_python
from bootcamp_kit.report import Finding, Witness
from sandbox.checks.bounds import lower_bound
from sandbox.checks.check import Check, Judgement
from sandbox.checks.evidence import CaseEvidence, Evidence
from sandbox.checks.floor import declared_floor
from sandbox.checks.observed import describe, shown
from sandbox.checks.policy import Policy
from sandbox.checks.structure import delimited


def _by_level(evidence: Evidence) -> dict[int, list[CaseEvidence]]:
    found: dict[int, list[CaseEvidence]] = {}
    for case in evidence.cases:
        if case.case is not None:
            found.setdefault(case.level, []).append(case)
    return found


def chao1(counts: Counter[str]) -> float:
    """Chao1's lower bound on how many different cases there are, from how often each was drawn (bias-corrected)."""
    once = sum(count == 1 for count in counts.values())
    twice = sum(count == 2 for count in counts.values())
    return len(counts) + once * (once - 1) / (2 * (twice + 1))


def judge_distinct(evidence: Evidence, policy: Policy) -> Judgement:
    """Different seeds give different cases."""
    findings: list[Finding] = []
    levels: dict[str, Json] = {}
    for level, cases in _by_level(evidence).items():
        keys = Counter(case.case.key for case in cases if case.case)
        levels[str(level)] = {"distinct": len(keys), "n": len(cases), "at_least_cases": round(chao1(keys))}
        repeated = next((case for case in cases[1:] if case.case and keys[case.case.key] > 1), None)
        if repeated is None:
            continue
        witness = Witness(
            "generate", level, repeated.seed, expected="a case no other seed gives", seen=describe(repeated.generated)
        )
        share = len(keys) / len(cases)
        message = f"level {level}: {len(keys)} different cases from {len(cases)} seeds"
        code = "generator.repeats"
        if len(keys) == 1 and len(cases) > 1:
            code = "generator.constant"
        elif share < policy.threshold("distinct_share"):
            code = "generator.few_cases"
        findings.append(policy.finding(code, message, witness))
    return Judgement(tuple(findings), {"levels": levels})


def judge_answers(evidence: Evidence, policy: Policy) -> Judgement:
    """Right answers do not concentrate on one value."""
    if evidence.task.solutions != "unique":
        return Judgement(skipped="several answers are right: the oracle's choice says little")
    findings: list[Finding] = []
    levels: dict[str, Json] = {}
    allowed = max(
        policy.threshold("top_answer_share"), declared_floor(evidence) + policy.threshold("floor_level_margin")
    )
    for level, cases in _by_level(evidence).items():
        right = [case for case in cases if case.right is not None]
        if not right:
            continue
        counts = Counter(_content(case) for case in right)
        top, times = counts.most_common(1)[0]
        levels[str(level)] = {"top_share": round(times / len(right), 4), "different": len(counts), "n": len(right)}
        if lower_bound(times, len(right)) > allowed:
            case = next(item for item in right if _content(item) == top)
            witness = Witness(
                "solve",
                level,
                case.seed,
                expected="answers that differ between cases",
                seen=describe(case.solved) if case.solved else "",
            )
            message = f"level {level}: {shown(top, 40)!r} is the right answer of {times} of {len(right)} cases"
            findings.append(policy.finding("generator.answers_concentrate", message, witness))
    return Judgement(tuple(findings), {"levels": levels})


def _content(case: CaseEvidence) -> str:
    cut = delimited(case.right or "")
    return cut.content.strip() if cut else (case.right or "")


def judge_size(evidence: Evidence, policy: Policy) -> Judgement:
    """Payloads and prompts stay small enough to be used."""
    most = int(policy.threshold("payload_bytes"))
    sizes = {
        level: max(len(canonical(case.case.payload)) for case in cases if case.case)
        for level, cases in _by_level(evidence).items()
    }
    texts = {level: max(len(case.prompt_text or "") for case in cases) for level, cases in _by_level(evidence).items()}
    findings: list[Finding] = []
    for level, cases in _by_level(evidence).items():
        if sizes[level] > most:
            case = next(item for item in cases if item.case and len(canonical(item.case.payload)) == sizes[level])
            witness = Witness(
                "generate", level, case.seed, expected=f"at most {most:,} bytes", seen=describe(case.generated)
            )
            message = f"level {level}: a payload of {sizes[level]:,} bytes"
            findings.append(policy.finding("generator.payload_large", message, witness))
            break
    figures = {
        "payload_bytes": {str(level): size for level, size in sizes.items()},
        "prompt_characters": {str(level): size for level, size in texts.items()},
    }
    return Judgement(tuple(findings), figures)


def judge_axes(evidence: Evidence, policy: Policy) -> Judgement:
    """Every declared axis is named in the code: a parameter nobody reads changes nothing."""
    names: set[str] = set()
    for path, data in evidence.folder.files.items():
        if not path.endswith(".py"):
            continue
        try:
            tree = parse_python(data)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return Judgement(skipped=f"{path} cannot be parsed")
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                names.add(node.value)
            elif isinstance(node, ast.arg):
                names.add(node.arg)
            elif isinstance(node, ast.Attribute) and node.attr in ("values", "items"):
                names |= {"*"} if _is_params(node.value) else set()
    axes = [axis.name for axis in evidence.task.difficulty.axes]
    unused = [name for name in axes if name not in names] if "*" not in names else []
    constant = [axis.name for axis in evidence.task.difficulty.axes if len({repr(v) for v in axis.values}) == 1]
    findings = []
    if unused:
        witness = Witness("source", file="card.toml", line=1, expected="axes the code reads", seen=", ".join(unused))
        message = f"declared axes are never read: {', '.join(unused)}"
        findings.append(policy.finding("generator.unused_axis", message, witness))
    if constant and len(constant) == len(axes) and len(evidence.task.difficulty.levels) > 1:
        witness = Witness("source", file="card.toml", line=1, expected="levels that differ", seen=", ".join(constant))
        findings.append(policy.finding("generator.equal_levels", "all levels have the same parameters", witness))
    return Judgement(tuple(findings), {"axes": len(axes), "unused": len(unused)})


def _is_params(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id == "params"


CHECKS = (
    Check(
        "generator.distinct",
        judge_distinct,
        shows="different seeds give different cases at every level; a lower bound on how many there are",
        cannot="duplicates up to symmetry, and repeats rarer than the sample shows",
        needs=("card", "load", "cases", "deterministic"),
        rfc008="runtime.seed_control",
    ),
    Check(
        "generator.answers",
        judge_answers,
        shows="the most frequent right answer's share at each level",
        cannot="answers that concentrate in ways a count of equal texts does not show",
        needs=("card", "load", "cases", "deterministic", "right"),
    ),
    Check(
        "generator.size",
        judge_size,
        shows="bytes of the largest payload and characters of the longest prompt at each level",
        cannot="larger ones at seeds that were not tried",
        needs=("card", "load", "cases"),
    ),
    Check(
        "generator.axes",
        judge_axes,
        shows="every declared axis is read somewhere, and levels differ",
        cannot="that reading it makes a case harder",
        needs=("card",),
    ),
)
