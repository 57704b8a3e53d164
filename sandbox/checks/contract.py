"""Contract checks: the task loads, every level works, what comes back is what the contract promises."""

from __future__ import annotations

from collections.abc import Iterable

from bootcamp_kit.errors import UsageError
from bootcamp_kit.report import Finding, Witness
from sandbox.calls import Observation, Op
from sandbox.checks.check import Check, Judgement
from sandbox.checks.evidence import CaseEvidence, Evidence
from sandbox.checks.examples_file import GROUPS, parse_examples
from sandbox.checks.observed import describe, failure_kind, shown
from sandbox.checks.policy import Policy
from sandbox.checks.rewrites import REWRITES

EXAMPLES = "examples.toml"
_EXPECTED = {
    Op.GENERATE: "a payload of JSON data",
    Op.PROMPT: "the prompt's text",
    Op.SOLVE: "the oracle's response",
    Op.PARSE: "an answer, or Malformed",
    Op.SCORE: "a score",
    Op.VERIFY: "a score",
    Op.LOAD: "BOOTCAMP and ORACLE",
}


def failed_call(policy: Policy, observation: Observation, message: str, witness: Witness) -> Finding:
    """The finding for a call that did not come back with what its op promises."""
    code = f"contract.{observation.call.op.value}_{failure_kind(observation)}"
    return policy.finding(code, f"{message}: {witness.seen}", witness)


def call_witness(observation: Observation, level: int | None, seed: int | None, response: str | None = None) -> Witness:
    """The witness of one call."""
    return Witness(
        observation.call.op.value,
        level,
        seed,
        response,
        expected=_EXPECTED[observation.call.op],
        seen=describe(observation),
    )


def judge_card(evidence: Evidence, policy: Policy) -> Judgement:
    """The card and the examples can be read, and name only what exists."""
    if evidence.card is None:
        witness = Witness("source", file="card.toml", line=1, expected="a valid card", seen=shown(evidence.card_error))
        return Judgement((policy.finding("contract.card", f"card.toml: {evidence.card_error}", witness),))
    findings = []
    unknown = [name for name in evidence.card.answer.rewrites if name not in REWRITES]
    if unknown:
        witness = Witness(
            "source", file="card.toml", line=1, expected="names of rewrites", seen=shown(", ".join(unknown))
        )
        message = f"card.toml: answer.rewrites names what does not exist: {shown(', '.join(unknown))}"
        findings.append(policy.finding("contract.unknown_rewrite", message, witness, f"use {', '.join(REWRITES)}"))
    findings += _examples(evidence.folder.files[EXAMPLES], evidence.card.difficulty.levels, policy)
    return Judgement(tuple(findings), {"levels": len(evidence.card.difficulty.levels)})


def _examples(data: bytes, levels: range, policy: Policy) -> list[Finding]:
    """What is wrong with examples.toml before any of it is run."""
    try:
        found = {example.group for example in parse_examples(data, levels)}
    except UsageError as error:
        witness = Witness("source", file=EXAMPLES, line=1, expected="readable examples", seen=shown(error.found))
        return [policy.finding("contract.examples", f"{error.asked}: {error.found}", witness, error.do)]
    missing = [group for group in GROUPS if group not in found]
    if not missing:
        return []
    message = f"no {' and no '.join(missing)} example"
    witness = Witness("source", file=EXAMPLES, line=1, expected="one of each kind", seen=message)
    return [policy.finding("examples.missing", f"{EXAMPLES} has {message}", witness)]


def judge_load(evidence: Evidence, policy: Policy) -> Judgement:
    """Both modules import and hold what they must."""
    for observation in evidence.loads:
        if failure_kind(observation):
            witness = call_witness(observation, None, None)
            return Judgement((failed_call(policy, observation, "the task does not load", witness),))
    return Judgement()


def _first_failures(
    policy: Policy, cases: Iterable[CaseEvidence], pick: str, message: str, with_response: bool = False
) -> tuple[list[Finding], int, int]:
    """One finding for each level's first failing case, and (failures, asked)."""
    findings: dict[int, Finding] = {}
    failed = asked = 0
    for case in cases:
        observation: Observation | None = getattr(case, pick)
        if observation is None:
            continue
        asked += 1
        if not failure_kind(observation):
            continue
        failed += 1
        if case.level not in findings:
            witness = call_witness(observation, case.level, case.seed, case.response if with_response else None)
            findings[case.level] = failed_call(policy, observation, f"level {case.level}: {message}", witness)
    return list(findings.values()), failed, asked


def judge_generate(evidence: Evidence, policy: Policy) -> Judgement:
    """Every level generates, at every seed tried."""
    found, failed, asked = _first_failures(policy, evidence.cases, "generated", "generate fails")
    return Judgement(tuple(found), {"failed": failed, "n": asked})


def judge_prompt(evidence: Evidence, policy: Policy) -> Judgement:
    """Every case gives a prompt."""
    found, failed, asked = _first_failures(policy, evidence.cases, "prompt", "prompt fails")
    return Judgement(tuple(found), {"failed": failed, "n": asked})


def judge_score(evidence: Evidence, policy: Policy) -> Judgement:
    """The oracle's response is parsed and scored on every case without a failure."""
    parsed, failed_parse, _ = _first_failures(
        policy, evidence.cases, "parsed", "parse fails on the oracle's response", True
    )
    scored, failed, asked = _first_failures(
        policy, evidence.cases, "score", "score fails on the oracle's response", True
    )
    # A parse that fails makes the score fail for the same reason: say it once.
    scored = scored if not parsed else []
    return Judgement((*parsed, *scored), {"failed": failed, "failed_parse": failed_parse, "n": asked})


def judge_garbage(evidence: Evidence, policy: Policy) -> Judgement:
    """Text no solver means as an answer gets a score, never an exception."""
    findings: dict[str, Finding] = {}
    asked = evidence.asked("garbage")
    failed = 0
    for item in asked:
        if not failure_kind(item.score):
            continue
        failed += 1
        case, response = item.probe.case, item.probe.response
        finding = failed_call(
            policy,
            item.score,
            f"level {case.level}: score fails on {item.probe.kind}",
            call_witness(item.score, case.level, case.seed, response),
        )
        findings.setdefault(finding.message.partition(": ")[2].partition(": ")[2][:80], finding)
    return Judgement(tuple(findings.values())[:8], {"failed": failed, "n": len(asked)})


def judge_budget(evidence: Evidence, policy: Policy) -> Judgement:
    """All that a gate asks can be asked within its budget."""
    figures = {"budget_s": evidence.over_budget_s} if evidence.over_budget_s else {}
    if not evidence.over_budget_s:
        return Judgement((), figures)
    cases = [case for case in evidence.cases if case.score is not None] or list(evidence.cases)
    message = f"measuring it takes more than {evidence.over_budget_s:g} CPU seconds in one container: the rest was left"
    expected = f"a gate within {evidence.over_budget_s:g} CPU seconds"
    witness = Witness("load", expected=expected, seen="no answer in time")
    if cases:
        slowest = max(cases, key=lambda case: sum(item.cpu_s for item in case.observations()))
        kind, observation = ("score", slowest.score) if slowest.score else ("generate", slowest.generated)
        witness = Witness(
            kind,
            slowest.level,
            slowest.seed,
            slowest.response if slowest.score else None,
            expected=expected,
            seen=describe(observation),
        )
    hint = "make calls take milliseconds: a trainer makes millions of them"
    return Judgement((policy.finding("contract.too_slow", message, witness, hint),), figures)


CHECKS = (
    Check(
        "contract.card",
        judge_card,
        shows="card.toml and examples.toml can be read; declared rewrites exist",
        cannot="whether what they say is true of the task",
        rfc008="static.manifest",
    ),
    Check(
        "contract.load",
        judge_load,
        shows="bootcamp.py and oracle.py import in a bare container and set BOOTCAMP and ORACLE",
        cannot="anything about what they compute",
        needs=("card",),
    ),
    Check(
        "contract.generate",
        judge_generate,
        shows="every level gives JSON data at every seed tried, in time and memory, leaving params alone",
        cannot="seeds that were not tried; properties.solvable looks at more",
        needs=("card", "load"),
        rfc008="runtime.observation_schema",
    ),
    Check(
        "contract.prompt",
        judge_prompt,
        shows="every case tried gives a text, and the case is left unchanged",
        cannot="whether the text can be understood: see prompt.text and a reader",
        needs=("card", "load", "cases"),
        rfc008="runtime.observation_schema",
    ),
    Check(
        "contract.score",
        judge_score,
        shows="scores are finite floats in [0, 1] with a fitting outcome; verify is pure; an exception is a finding",
        cannot="whether the scores are just",
        needs=("card", "load", "cases"),
        rfc008="runtime.reward_well_formed",
    ),
    Check(
        "contract.garbage",
        judge_garbage,
        shows="empty, huge, nested, Unicode and deeply bracketed responses are scored, not crashed on, in time",
        cannot="every text there is; properties.total searches further",
        needs=("card", "load", "cases"),
        probes=("garbage",),
        rfc008="runtime.reward_well_formed",
    ),
    Check(
        "contract.budget",
        judge_budget,
        shows="all that the gate asks was answered within its budget of CPU seconds",
        cannot="the time of cases that were not tried",
        needs=("card", "load"),
    ),
)
