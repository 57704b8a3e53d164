"""Oracle checks: the reference solver's responses score 1 through the public parser."""

from __future__ import annotations

from bootcamp_kit.card import AnswerFormat
from bootcamp_kit.report import Finding, Witness
from sandbox.checks.bounds import upper_bound
from sandbox.checks.check import Check, Judgement
from sandbox.checks.contract import call_witness, failed_call
from sandbox.checks.evidence import Evidence
from sandbox.checks.observed import answer_of, describe, failure_kind, score_of, shown
from sandbox.checks.policy import Policy
from sandbox.checks.structure import delimited


def judge_solves(evidence: Evidence, policy: Policy) -> Judgement:
    """The oracle answers every case."""
    asked = [case for case in evidence.cases if case.solved is not None]
    findings: dict[int, Finding] = {}
    failed = 0
    for case in asked:
        if case.solved is None or not failure_kind(case.solved):
            continue
        failed += 1
        if case.level not in findings:
            witness = call_witness(case.solved, case.level, case.seed)
            findings[case.level] = failed_call(policy, case.solved, f"level {case.level}: the oracle fails", witness)
    return Judgement(tuple(findings.values()), {"failed": failed, "n": len(asked)})


def judge_scores_one(evidence: Evidence, policy: Policy) -> Judgement:
    """Every response of the oracle scores 1."""
    asked = [case for case in evidence.cases if case.score is not None and score_of(case.score)]
    wrong = [case for case in asked if case.right is None]
    figures = {
        "wrong": len(wrong),
        "n": len(asked),
        "false_reject_below": round(upper_bound(len(wrong), len(asked)), 4),
        "confidence": 0.95,
    }
    findings = []
    for level in sorted({case.level for case in wrong}):
        case, observation = next((item, item.score) for item in wrong if item.level == level and item.score)
        of_level = [item for item in asked if item.level == level]
        missed = sum(item.right is None for item in of_level)
        parsed = answer_of(case.parsed)
        witness = Witness(
            "score", level, case.seed, case.response, expected="score 1.0 (correct)", seen=describe(observation)
        )
        reason = score_of(observation)
        message = (
            f"level {level}: the oracle's response scores below 1 on {missed} of {len(of_level)} cases"
            f" ({parsed[0] if parsed else 'not parsed'}; {shown(reason.reason if reason else '')})"
        )
        findings.append(policy.finding("oracle.not_one", message, witness))
    return Judgement(tuple(findings), figures)


def judge_delimited(evidence: Evidence, policy: Policy) -> Judgement:
    """Responses carry the delimiters that the mutants and rewrites work on."""
    asked = [case for case in evidence.cases if case.response is not None]
    bare = [case for case in asked if delimited(case.response or "") is None]
    figures = {"without": len(bare), "n": len(asked)}
    if not bare:
        return Judgement((), figures)
    case = bare[0]
    witness = Witness(
        "solve",
        case.level,
        case.seed,
        expected="a response with <answer>…</answer>",
        seen=describe(case.solved) if case.solved else "",
    )
    message = f"the oracle's response has no <answer>…</answer> on {len(bare)} of {len(asked)} cases"
    return Judgement((policy.finding("oracle.undelimited", message, witness),), figures)


def judge_kind(evidence: Evidence, policy: Policy) -> Judgement:
    """Right answers are what the card says: it decides which floor is allowed and which changes are tried."""
    answer = evidence.task.answer
    asked = [(case, cut.content.strip()) for case in evidence.right if case.right and (cut := delimited(case.right))]
    others = [(case, text) for case, text in asked if not of_kind(text, answer)]
    figures = {"others": len(others), "n": len(asked)}
    if 2 * len(others) <= len(asked):
        return Judgement((), figures)
    case, text = others[0]
    wanted = f"one of {', '.join(answer.choices)}" if answer.kind == "choice" else f"a number, kind {answer.kind}"
    seen = describe(case.solved) if case.solved else ""
    witness = Witness(
        "solve", case.level, case.seed, expected=f"an answer as the card says: {shown(wanted)}", seen=seen
    )
    message = (
        f"right answers are not of the kind {answer.kind} on {len(others)} of {len(asked)} cases: {shown(text, 60)}"
    )
    return Judgement((policy.finding("oracle.another_kind", message, witness),), figures)


def of_kind(text: str, answer: AnswerFormat) -> bool:
    """Whether an answer may be of the declared kind; only choices and single numbers are judged."""
    if answer.kind == "choice":
        return text.casefold() in {choice.casefold() for choice in answer.choices}
    if answer.kind in ("integer", "decimal"):
        return any(character.isdigit() for character in text) or text.casefold().lstrip("+-") in (
            "inf",
            "nan",
            "infinity",
        )
    return True


CHECKS = (
    Check(
        "oracle.solves",
        judge_solves,
        shows="the oracle answers every case tried within the limits",
        cannot="that it is right",
        needs=("card", "load", "cases"),
    ),
    Check(
        "oracle.scores_one",
        judge_scores_one,
        shows="the oracle's responses score 1 through parse and verify at every level",
        cannot="a mistake that oracle and verifier share; only an independent solver or reader finds that",
        needs=("card", "load", "cases"),
        rfc008="semantic.oracle_max",
    ),
    Check(
        "oracle.delimited",
        judge_delimited,
        shows="the oracle writes its answer between the delimiters",
        cannot="anything about the answer",
        needs=("card", "load", "cases"),
    ),
    Check(
        "oracle.kind",
        judge_kind,
        shows="most right answers are choices or numbers where the card says so",
        cannot="anything about lists, grids and texts",
        needs=("card", "load", "cases", "right"),
    ),
)
