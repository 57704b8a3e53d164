"""Independent truth: every answer of a form where they can be listed, and a second oracle where the task has one.

Both are asked on payloads after their JSON round trip. Nothing is judged here; ``truth_judge.py`` does that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from bootcamp_kit.answers import CLOSE, OPEN
from bootcamp_kit.case import Case
from bootcamp_kit.jsondata import canonical
from sandbox.audit.many import ManyScores, collect_many
from sandbox.audit.second import FILE, Key, SecondOracleBox, SecondSays
from sandbox.audit.space import answer_space
from sandbox.calls import Observation
from sandbox.checks.evidence import CaseEvidence, Evidence, Probe, Scored, infrastructure
from sandbox.checks.near_miss import VALUE_GROUPS
from sandbox.checks.probes import first_of_each_level
from sandbox.collect import Asker, collect_scored
from sandbox.runner import job_limits
from sandbox.service import Sandbox

FAST_S, SLOW_S = 0.002, 0.02
LISTED, SECOND, ORACLE = "listed", "second oracle", "oracle"
LARGE_BYTES = 4_096


@dataclass(frozen=True, slots=True)
class TruthPlan:
    """How much is asked.

    Attributes:
        listed_cases: Cases of one level whose answers are listed; the two lowest levels that allow it.
        listed_answers: Most answers to list for one case; a fifth of it for verifiers slower than 2 ms, a 25th above
            20 ms, and a fifth for payloads of more than 4 KiB.
        second_cases: Cases of each level that a second oracle is asked about.
        opinions: Responses it is asked to judge.
        budget_s: CPU seconds it may use.
    """

    listed_cases: int = 4
    listed_answers: int = 1_000
    second_cases: int = 12
    opinions: int = 1_500
    budget_s: float = 30.0


@dataclass(frozen=True, slots=True)
class Listed:
    """One case with every answer of its form: what the verifier said to each."""

    case: CaseEvidence
    words: str
    scored: tuple[Scored, ...]


@dataclass(frozen=True, slots=True)
class TruthRun:
    """What was collected.

    Attributes:
        listed: Cases whose answers were listed.
        not_listed: Why there are none, or "".
        second: What the second oracle says; None where the task has none.
        second_scored: Its right answers as the verifier judged them, and every response it has an opinion on.
        fault: What our own machinery got wrong, or "".
    """

    listed: tuple[Listed, ...] = ()
    not_listed: str = ""
    second: SecondSays | None = None
    second_scored: tuple[Scored, ...] = ()
    fault: str = ""


def collect_truth(
    sandbox: Sandbox, evidence: Evidence, plan: TruthPlan, progress: Callable[[str], None] = lambda text: None
) -> TruthRun:
    """List answers, and ask the second oracle.

    Raises:
        MachineError: the engine failed.
    """
    if not evidence.right:
        return TruthRun(not_listed="no response of the oracle scores 1")
    probes, reason = _listed_probes(evidence, plan)
    says: SecondSays | None = None
    sources = evidence.folder.sources
    with sandbox.box(sources, job_limits(evidence.task)) as box, ManyScores(sandbox, evidence.folder) as many:
        asker = Asker(box, evidence.task)
        progress("all answers of small cases")
        scored = {key: (words, _parsed(many, asker, items)) for key, (words, items) in probes.items()}
        listed = tuple(Listed(case, *scored[_key(case)]) for case in evidence.right if _key(case) in scored)
        run = TruthRun(listed, reason if not listed else "")
        if FILE in evidence.folder.files:
            progress("the second oracle")
            says, theirs = _ask_second(sandbox, evidence, plan, (many, asker), listed)
            run = replace(run, second=says, second_scored=theirs)
    return replace(run, fault=infrastructure(_observations(run)))


def _observations(run: TruthRun) -> Iterator[Observation]:
    for item in (*(item for one in run.listed for item in one.scored), *run.second_scored):
        yield item.score
        if item.parsed:
            yield item.parsed
    yield from (item for _, item in run.second.failed) if run.second else ()


def _key(case: CaseEvidence) -> Key:
    return case.level, case.seed


def _listed_probes(evidence: Evidence, plan: TruthPlan) -> tuple[dict[Key, tuple[str, list[Probe]]], str]:
    found: dict[Key, tuple[str, list[Probe]]] = {}
    reason, levels = "", 0
    for level in sorted({case.level for case in evidence.right}):
        here = [case for case in evidence.right if case.level == level]
        seen = [case.right for case in here if case.right]
        for case in here[: plan.listed_cases]:
            if case.case is None or case.right is None:
                continue
            space = answer_space(case.right, seen, evidence.task.answer, _most(evidence, case.case, plan))
            if isinstance(space, str):
                reason = reason or space
                continue
            probes = [Probe("truth", LISTED, case.case, response) for response in space.responses]
            found[_key(case)] = (space.words, probes)
        levels += any(key[0] == level for key in found)
        if levels == 2:
            break
    return found, reason


def _most(evidence: Evidence, case: Case, plan: TruthPlan) -> int:
    seconds = score_cost(evidence)
    divisor = 1 if seconds < FAST_S else 5 if seconds < SLOW_S else 25
    return plan.listed_answers // divisor // (5 if len(canonical(case.payload)) > LARGE_BYTES else 1)


def score_cost(evidence: Evidence) -> float:
    """Median CPU seconds of one score; the wall clock would make the plan depend on the neighbours."""
    times = sorted(item.score.cpu_s for family in ("near_miss", "floor") for item in evidence.asked(family))
    return times[len(times) // 2] if times else 0.0


def _parsed(many: ManyScores, asker: Asker, probes: Sequence[Probe]) -> tuple[Scored, ...]:
    """All scored; those that score 1 are parsed too."""
    scored = collect_many(many, asker, probes)
    again = collect_scored(asker, [replace(item.probe, parse=True) for item in scored if item.value == 1.0])
    parsed = {item.probe.response: item.parsed for item in again}
    return tuple(replace(item, parsed=parsed.get(item.probe.response)) for item in scored)


def _ask_second(
    sandbox: Sandbox, evidence: Evidence, plan: TruthPlan, ask: tuple[ManyScores, Asker], listed: Sequence[Listed]
) -> tuple[SecondSays, tuple[Scored, ...]]:
    chosen = first_of_each_level(evidence.right, plan.second_cases)
    levels = [
        [case.case for case in chosen if case.level == level and case.case is not None]
        for level in sorted({case.level for case in chosen})
    ]
    with SecondOracleBox(sandbox, evidence.folder, budget_s=plan.budget_s) as second:
        says = second.answers(levels)
        cases = {(case.level, case.seed): case for cases in levels for case in cases}
        theirs = _parsed(
            *ask, [Probe("truth", SECOND, cases[key], text) for key, texts in says.answers.items() for text in texts]
        )
        questions = [*theirs, *_judged_by_both(evidence, chosen, listed, plan.opinions)]
        opinions = second.opinions([(item.probe.case, item.probe.response) for item in questions])
    with_opinion = [
        item for item in questions if ((item.probe.case.level, item.probe.case.seed), item.probe.response) in opinions
    ]
    kept = {id(item): item for item in (*theirs, *with_opinion)}
    return replace(says, opinions=opinions), tuple(kept.values())


def _judged_by_both(
    evidence: Evidence, chosen: Sequence[CaseEvidence], listed: Sequence[Listed], at_most: int
) -> list[Scored]:
    """Right answers, listed ones, then mutants and rewrites in turn by level and kind."""
    found = [
        Scored(Probe("truth", ORACLE, case.case, case.right), case.score, case.parsed)
        for case in chosen
        if case.case is not None and case.right is not None and case.score is not None
    ]
    found += [item for one in listed for item in one.scored if item.value == 1.0]
    asked = [item for item in evidence.asked("near_miss") if item.probe.group in VALUE_GROUPS]
    asked += [item for one in listed for item in one.scored if item.value != 1.0]
    asked += [
        item for item in evidence.asked("still_right") if CLOSE in item.probe.response and OPEN in item.probe.response
    ]
    queues: dict[tuple[int, str], list[Scored]] = {}
    for item in asked:
        queues.setdefault((item.probe.case.level, item.probe.kind), []).append(item)
    depth = 0
    while len(found) < at_most and any(depth < len(queue) for queue in queues.values()):
        found += [queue[depth] for queue in queues.values() if depth < len(queue)]
        depth += 1
    return found[:at_most]
