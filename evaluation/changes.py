"""What a new version of a task changes: cases and prompts at the same seeds, and the verdicts on a stored corpus.

The corpus is every response that is known to have been judged under the old version: the examples of both versions,
the answers of the old version's gate, and what models answered in stored evaluation runs. A verdict that flips and was
not meant to is a regression; the list is given whole up to a cap, the counts always.

Not covered: responses nobody gave yet; rollouts of older versions whose cases the old version no longer makes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from bootcamp_kit.case import Case
from bootcamp_kit.errors import UsageError
from bootcamp_kit.folder import TaskFolder
from bootcamp_kit.jsondata import Json
from bootcamp_kit.report import CheckResult, Finding, Severity, Status, Witness
from bootcamp_kit.versions import CHANGED_VERDICT, CHANGES_CHECK, Size, change_size, changed_files
from evaluation.boxes import job_limits
from evaluation.plan import CaseRef
from evaluation.scoring import Ask, Judgement, MadeCase, judge, make_cases
from evaluation.store import PLAN, RunStore
from sandbox.audit.corpus import asked
from sandbox.checks.evidence import Evidence
from sandbox.checks.examples_file import parse_examples
from sandbox.checks.probes import example_probes
from sandbox.plan import GatePlan
from sandbox.runner import run_gate
from sandbox.service import Sandbox

EXAMPLES, GATE, ROLLOUTS = "examples", "gate answers", "rollouts"
MAX_ANSWERS, MAX_ROLLOUTS, MAX_FLIPS, AT_ONCE = 2_000, 2_000, 20, 400
ANSWERS_ONLY = GatePlan(
    second_container_cases=2, other_seeds=2, property_examples=2, response_examples=2, stable_examples=2
)
"""The gate's answers without its searches, which leave none behind."""
SEEDS = range(12)
"""Seeds at which the cases of both versions are compared, at each level."""


@dataclass(frozen=True, slots=True)
class Question:
    """One response to one case, and where it was judged before."""

    source: str
    case: Case
    response: str


@dataclass(frozen=True, slots=True)
class Flip:
    """A response whose verdict changed; verdicts in words."""

    source: str
    level: int
    seed: int
    response: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Changes:
    """What changed from one version to the next.

    Attributes:
        version, content_hash: Of the old one.
        size: Which part of the version that raises.
        files: Paths that differ.
        cases, cases_changed, prompts_changed: Over the compared (level, seed).
        asked, changed: Source of the corpus → responses judged under both, and those that flipped.
        flips: The first of them, of each source in turn.
        unplaced: Stored rollouts whose case the old version does not make (any more).
    """

    version: str
    content_hash: str
    size: Size
    files: tuple[str, ...]
    cases: int
    cases_changed: int
    prompts_changed: int
    asked: Mapping[str, int]
    changed: Mapping[str, int]
    flips: tuple[Flip, ...]
    unplaced: int = 0

    def figures(self) -> dict[str, Json]:
        """For a report."""
        return {
            "since": self.version,
            "since_content": self.content_hash,
            "size": self.size.value,
            "files": list(self.files),
            "cases": self.cases,
            "cases_changed": self.cases_changed,
            "prompts_changed": self.prompts_changed,
            "asked": dict(self.asked),
            "changed": dict(self.changed),
            "unplaced": self.unplaced,
        }

    def result(self) -> CheckResult:
        """As a result of a report: flips are notes with a witness, since only a person knows which were meant."""
        notes = tuple(
            Finding(
                CHANGED_VERDICT,
                Severity.NOTE,
                f"{flip.source}: {flip.before} in version {self.version}, now {flip.after}",
                Witness(
                    "score",
                    flip.level,
                    flip.seed,
                    flip.response,
                    file="examples.toml" if flip.source == EXAMPLES else "",
                    expected=flip.before,
                    seen=flip.after,
                ),
                "was this meant?",
            )
            for flip in self.flips
        )
        return CheckResult(CHANGES_CHECK, Status.PASS, findings=notes, figures=self.figures())


def measure_changes(
    sandbox: Sandbox, old: TaskFolder, new: TaskFolder, runs: Sequence[Path] = (), *, plan: GatePlan | None = None
) -> Changes:
    """Compare two versions of a task in the sandbox.

    Args:
        sandbox: An entered sandbox.
        old: The task that stands.
        new: What is to replace it.
        runs: Folders of evaluation runs whose stored responses belong to the corpus.
        plan: How many answers the old version's gate gives; ``ANSWERS_ONLY``.

    Raises:
        UsageError: one of the cards cannot be read.
        MachineError: the engine failed.
    """
    kept: list[Evidence] = []
    run_gate(sandbox, old, plan=plan or ANSWERS_ONLY, keep=kept.append)
    with (
        sandbox.box(old.sources, job_limits(old.card)) as before,
        sandbox.box(new.sources, job_limits(new.card)) as after,
    ):
        cases, cases_changed, prompts_changed = _data(before.batch, after.batch, old, new)
        rollouts, unplaced = _rollouts(before.batch, old, runs)
        questions = _unique([*_answers(kept[0], old), *_examples(new), *rollouts])
        pairs = [(item.case, item.response) for item in questions]
        flips = _flips(questions, _judged(before.batch, pairs), _judged(after.batch, _moved(pairs, new)))
    count = Counter(item.source for item in questions)
    changed = Counter(item.source for item in flips)
    size = change_size(old, new, data_changed=bool(cases_changed or prompts_changed), verdicts_changed=bool(flips))
    return Changes(
        version=old.card.version,
        content_hash=old.content_hash,
        size=size,
        files=changed_files(old, new),
        cases=cases,
        cases_changed=cases_changed,
        prompts_changed=prompts_changed,
        asked=dict(count),
        changed={source: changed[source] for source in count},
        flips=_in_turn(flips),
        unplaced=unplaced,
    )


def runs_of(task_id: str, shelf: Path) -> list[Path]:
    """The evaluation runs in a folder that asked about this task, newest first; broken ones are left out."""
    found = []
    for path in sorted(shelf.glob(f"*/{PLAN}"), reverse=True):
        try:
            with RunStore.open(path.parent) as store:
                if any(task.task_id == task_id for task in store.plan.tasks):
                    found.append(path.parent)
        except UsageError:
            continue
    return found


def _data(before: Ask, after: Ask, old: TaskFolder, new: TaskFolder) -> tuple[int, int, int]:
    """How many cases were compared, how many payloads and how many prompts differ."""
    levels = [level for level in old.card.difficulty.levels if level in new.card.difficulty.levels]
    refs = [CaseRef(level, seed) for level in levels for seed in SEEDS]
    made = [
        make_cases(ask, folder.card.id, folder.card.difficulty.params, refs) if refs else []
        for ask, folder in ((before, old), (after, new))
    ]
    cases = prompts = 0
    for one, other in zip(*made, strict=True):
        if isinstance(one, MadeCase) and isinstance(other, MadeCase):
            cases += one.case.key != other.case.key
            prompts += one.case.key == other.case.key and one.prompt != other.prompt
        else:
            cases += isinstance(one, MadeCase) != isinstance(other, MadeCase)
    return len(refs), cases, prompts


def _answers(evidence: Evidence, old: TaskFolder) -> Iterator[Question]:
    if evidence.card is None:
        return
    for item in asked(evidence, MAX_ANSWERS):
        yield Question(EXAMPLES if item.family == "examples" else GATE, item.case, item.response)


def _examples(new: TaskFolder) -> Iterator[Question]:
    """Those of the new version that bring their own case; the others belong to cases the gate made."""
    try:
        examples = parse_examples(new.files["examples.toml"], new.card.difficulty.levels)
    except UsageError:
        return
    for probe in example_probes(new.card, examples, lambda level, seed: None):
        yield Question(EXAMPLES, probe.case, probe.response)


def _rollouts(ask: Ask, old: TaskFolder, runs: Sequence[Path]) -> tuple[list[Question], int]:
    found: list[tuple[CaseRef, str]] = []
    for path in runs:
        with RunStore.open(path) as store:
            for line in store.lines:
                if line.task_id == old.card.id and line.key and len(found) < MAX_ROLLOUTS:
                    response = store.read(line).response
                    if response is not None:
                        found.append((CaseRef(line.level, line.seed, line.key, line.prompt_hash), response))
    known = set(old.card.difficulty.levels)
    refs = list(dict.fromkeys(ref for ref, _ in found if ref.level in known))
    made = dict(zip(refs, make_cases(ask, old.card.id, old.card.difficulty.params, refs) if refs else [], strict=True))
    placed = [
        Question(ROLLOUTS, case.case, response)
        for ref, response in found
        if isinstance(case := made.get(ref), MadeCase)
    ]
    return placed, len(found) - len(placed)


def _unique(questions: Iterable[Question]) -> list[Question]:
    found = {(item.source, item.case.level, item.case.key, item.response): item for item in questions}
    return list(found.values())


def _moved(pairs: Sequence[tuple[Case, str]], new: TaskFolder) -> list[tuple[Case, str]]:
    """The same payloads under the new version's settings of the level."""
    levels = set(new.card.difficulty.levels)
    params = {level: dict(new.card.difficulty.params(level)) for level in levels}
    return [
        (replace(case, params=params[case.level]) if case.level in levels else case, response)
        for case, response in pairs
    ]


def _judged(ask: Ask, pairs: Sequence[tuple[Case, str]]) -> list[Judgement]:
    starts = range(0, len(pairs), AT_ONCE)
    return [item for start in starts for item in judge(ask, pairs[start : start + AT_ONCE])]


def _flips(questions: Sequence[Question], before: Sequence[Judgement], after: Sequence[Judgement]) -> list[Flip]:
    return [
        Flip(item.source, item.case.level, item.case.seed, item.response, _words(one), _words(other))
        for item, one, other in zip(questions, before, after, strict=True)
        if _words(one) != _words(other)
    ]


def _words(judgement: Judgement) -> str:
    """A verdict without its reason: two versions may give the same score in other words."""
    if judgement.score is not None:
        return f"{judgement.score.outcome.value} {judgement.score.value:g}"
    return f"no score ({judgement.unscored})"


def _in_turn(flips: Sequence[Flip]) -> tuple[Flip, ...]:
    queues = [[flip for flip in flips if flip.source == source] for source in (EXAMPLES, ROLLOUTS, GATE)]
    depth = max(map(len, queues), default=0)
    ordered = [queue[place] for place in range(depth) for queue in queues if place < len(queue)]
    return tuple(ordered[:MAX_FLIPS])
