"""Mutation testing of a verifier: would the answers we try notice if it were written carelessly?

All changed versions run in one box of their own, one call for a version and a stretch of the corpus; verdicts come back
as values and are compared here. A version that hangs or dies is killed by that.
"""

from __future__ import annotations

import difflib
import itertools
import json
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import resources

from bootcamp_kit.folder import TaskFolder
from bootcamp_kit.jsondata import Json, canonical
from sandbox.audit.corpus import Question, asked, wider
from sandbox.audit.operators import Edit, edits
from sandbox.audit.reach import judging_functions
from sandbox.audit.truth import FAST_S, SLOW_S, score_cost
from sandbox.box import Box
from sandbox.calls import Call, JobOutcome, Observation, Op
from sandbox.checks.evidence import Evidence
from sandbox.limits import JobLimits
from sandbox.plan import derived
from sandbox.runner import MAX_CPU_S
from sandbox.service import Sandbox

ORIGINAL = -1
KILLED, SURVIVING, SAME = "killed", "surviving", "not distinguished"
MAX_CORPUS_BYTES = 3 << 20
CHUNKS = (60, 400)


@dataclass(frozen=True, slots=True)
class MutationPlan:
    """How much is tried.

    Attributes:
        mutants: Changed versions at most; a fixed choice, every operator in turn.
        questions: Responses of the corpus, for a verifier that takes less than 2 ms for one.
        wider: Responses of the wider set, likewise.
        slow: Divides both for verifiers up to 20 ms; its square does above.
    """

    mutants: int = 160
    questions: int = 3000
    wider: int = 3000
    slow: int = 5

    def for_cost(self, seconds: float) -> tuple[int, int]:
        """(questions, wider) for a verifier that takes this long for one answer."""
        divisor = 1 if seconds < FAST_S else self.slow if seconds < SLOW_S else self.slow**2
        return self.questions // divisor, self.wider // divisor


@dataclass(frozen=True, slots=True)
class Mutant:
    """One changed version and what became of it.

    Attributes:
        edit: The change.
        status: ``killed``, ``surviving`` (only the wider set tells it apart) or ``not distinguished``.
        by: The class of answers that tells it apart first, or how it died.
        question: The answer that does; None where it died or nothing does.
        was, became: Verdicts of the original and of the changed version on it.
    """

    edit: Edit
    status: str
    by: str = ""
    question: Question | None = None
    was: str = ""
    became: str = ""


@dataclass(frozen=True, slots=True)
class MutationRun:
    """All of it.

    Attributes:
        made: How many changes the operators gave before the cap.
        fault: Why it could not be measured, or "".
    """

    mutants: tuple[Mutant, ...] = ()
    made: int = 0
    questions: int = 0
    wider: int = 0
    fault: str = ""
    skipped: str = ""

    def count(self, status: str) -> int:
        """How many have a status."""
        return sum(mutant.status == status for mutant in self.mutants)

    @property
    def score(self) -> float | None:
        """Killed among those that any answer we have tells apart; None without any."""
        told = self.count(KILLED) + self.count(SURVIVING)
        return self.count(KILLED) / told if told else None

    def figures(self) -> dict[str, Json]:
        """For a report."""
        by_operator: dict[str, Json] = {}
        for name in sorted({mutant.edit.operator for mutant in self.mutants}):
            counts = Counter(mutant.status for mutant in self.mutants if mutant.edit.operator == name)
            by_operator[name] = [counts[KILLED], counts[SURVIVING], counts[SAME]]
        return {
            "score": round(self.score, 4) if self.score is not None else None,
            "killed": self.count(KILLED),
            "surviving": self.count(SURVIVING),
            "not_distinguished": self.count(SAME),
            "n": len(self.mutants),
            "made": self.made,
            "corpus": self.questions,
            "wider_set": self.wider,
            "killed_surviving_same_by_operator": by_operator,
        }


def all_edits(folder: TaskFolder) -> list[Edit]:
    """Every change the operators make of what judges an answer."""
    functions = judging_functions(folder.sources)
    return [edit for file, names in functions.items() for edit in edits(file, folder.sources[file], names)]


def diff(folder: TaskFolder, edit: Edit) -> str:
    """A change as a unified diff of the task's own source."""
    before = folder.sources[edit.file]
    old, new = (text.decode("utf-8").splitlines(keepends=True) for text in (before, edit.apply(before)))
    return "".join(difflib.unified_diff(old, new, f"a/{edit.file}", f"b/{edit.file}", n=2))


def run_mutation(
    sandbox: Sandbox,
    evidence: Evidence,
    plan: MutationPlan | None = None,
    progress: Callable[[str], None] | None = None,
) -> MutationRun:
    """Try every change on the answers that an audit collected.

    Args:
        sandbox: An entered sandbox.
        evidence: What the audit collected.
        plan: How much.
        progress: Told in a few words what is being done.

    Raises:
        MachineError: the engine failed.
    """
    plan = plan or MutationPlan()
    if plan.mutants < 1:
        return MutationRun(skipped="not asked for")
    if not evidence.right:
        return MutationRun(skipped="no response of the oracle scores 1")
    made = all_edits(evidence.folder)
    if not made:
        return MutationRun(skipped="no change applies to what judges an answer")
    sizes = plan.for_cost(score_cost(evidence))
    corpus = asked(evidence, sizes[0])
    questions = [*corpus, *wider(evidence, sizes[1])]
    return _Trial(sandbox, evidence, _chosen(made, plan.mutants, evidence), questions, len(corpus)).run(
        len(made), progress or (lambda text: None)
    )


def _chosen(made: list[Edit], at_most: int, evidence: Evidence) -> list[Edit]:
    """Operators in turn, each one's changes in an order that depends on the task's bytes alone."""
    if len(made) <= at_most:
        return made
    queues: dict[str, list[Edit]] = {}
    for edit in sorted(made, key=lambda edit: derived(evidence.folder.content_hash, edit.file, edit.start, edit.text)):
        queues.setdefault(edit.operator, []).append(edit)
    found: list[Edit] = []
    while len(found) < at_most:
        found += [queue.pop(0) for queue in queues.values() if queue]
    return sorted(found[:at_most], key=lambda edit: (edit.file, edit.start, edit.end, edit.text))


class _Trial:
    """The questions, the changes and the box they run in."""

    def __init__(
        self, sandbox: Sandbox, evidence: Evidence, chosen: list[Edit], questions: list[Question], corpus: int
    ) -> None:
        self.evidence, self.chosen = evidence, chosen
        self.sandbox = sandbox
        self.expected: list[Json] = []
        self.questions, self.corpus = _fitting(questions, corpus)

    def run(self, made: int, progress: Callable[[str], None]) -> MutationRun:
        """Ask the original, then every change, stretch by stretch; a change that was told apart is asked no more."""
        folder = self.evidence.folder
        card = self.evidence.task
        generous = JobLimits(wall_s=60.0, cpu_s=MAX_CPU_S, address_mb=card.limits.memory_mb + 64)
        with self.sandbox.box(_files(folder, self.chosen, self.questions), generous) as box:
            original = box.fresh(_call(ORIGINAL, range(len(self.questions))))
        verdicts = original.value.get("answer") if isinstance(original.value, dict) else None
        if not isinstance(verdicts, list) or len(verdicts) != len(self.questions):
            return MutationRun(fault=f"the unchanged verifier could not be run: {original.error[:200]}")
        self.expected = verdicts
        seconds = min(60.0, max(1.0, 10 * original.wall_s))
        limits = JobLimits(wall_s=round(seconds, 3), cpu_s=MAX_CPU_S, address_mb=generous.address_mb)
        done: dict[int, Mutant] = {}
        with self.sandbox.box(_files(folder, self.chosen, self.questions), limits) as box:
            for start, end in _stretches(self.corpus, len(self.questions)):
                progress(f"changed verifiers, answers {start}–{end}")
                self._stretch(box, range(start, end), done)
        mutants = tuple(done.get(n) or Mutant(edit, SAME) for n, edit in enumerate(self.chosen))
        return MutationRun(mutants, made, self.corpus, len(self.questions) - self.corpus)

    def _stretch(self, box: Box, places: range, done: dict[int, Mutant]) -> None:
        left = [n for n in range(len(self.chosen)) if n not in done]
        status = KILLED if places.start < self.corpus else SURVIVING
        for n, seen in zip(left, box.batch([_call(n, places) for n in left]), strict=True):
            found = self._told(self.chosen[n], places, seen, status)
            if found:
                done[n] = found

    def _told(self, edit: Edit, places: range, seen: Observation, status: str) -> Mutant | None:
        if seen.outcome is JobOutcome.INFRASTRUCTURE:
            return None
        if not seen.ok or not isinstance(seen.value, dict) or not isinstance(seen.value.get("answer"), list):
            return Mutant(edit, status, by=f"the changed verifier ends with {seen.outcome.value}")
        verdicts = seen.value["answer"]
        for place, verdict in zip(places, verdicts, strict=False):
            if verdict != self.expected[place]:
                item = self.questions[place]
                by = f"{item.family}: {item.kind}"
                return Mutant(edit, status, by, item, _word(self.expected[place]), _word(verdict))
        return None


def _word(verdict: Json) -> str:
    return f"score {verdict:g}" if isinstance(verdict, float) else str(verdict)[:80]


def _fitting(questions: Sequence[Question], corpus: int) -> tuple[list[Question], int]:
    """As many as one file of the sandbox holds; the wider set gives way first."""
    total, kept, of_corpus, cases = 0, [], 0, set()
    for place, item in enumerate(questions):
        key = (item.case.level, item.case.seed)
        size = len(item.response.encode()) * 2 + 60
        size += len(canonical(item.case.payload)) * 2 + 200 if key not in cases else 0
        if total + size > MAX_CORPUS_BYTES:
            continue
        total += size
        cases.add(key)
        kept.append(item)
        of_corpus += place < corpus
    return kept, of_corpus


def _stretches(corpus: int, total: int) -> list[tuple[int, int]]:
    cuts = [0, *(cut for cut in CHUNKS if cut < corpus), corpus]
    if total > corpus:
        cuts.append(total)
    return [(start, end) for start, end in itertools.pairwise(cuts) if start < end]


def _call(version: int, places: range) -> Call:
    return Call(Op.PARSE, {"response": json.dumps({"version": version, "places": list(places)})})


def _files(folder: TaskFolder, chosen: Sequence[Edit], questions: Sequence[Question]) -> dict[str, bytes]:
    """A folder for the box: the harness as the task, the task's files and all questions as its data."""
    cases: dict[str, int] = {}
    rows: list[Json] = []
    listed: list[Json] = []
    for item in questions:
        case = item.case
        key = f"{case.level} {case.seed} {canonical(case.payload).decode()}"
        if key not in cases:
            cases[key] = len(listed)
            listed.append(
                {
                    "task_id": case.task_id,
                    "level": case.level,
                    "seed": case.seed,
                    "params": dict(case.params),
                    "payload": json.dumps(case.payload),
                }
            )
        rows.append([cases[key], item.response])
    data = {
        "files": sorted(folder.sources),
        "mutants": [[edit.file, edit.start, edit.end, edit.text] for edit in chosen],
        "cases": listed,
        "questions": rows,
    }
    harness = resources.files("sandbox.audit").joinpath("guest_harness.py").read_bytes()
    task = {f"task/{name}": source for name, source in folder.sources.items()}
    return {"bootcamp.py": harness, "corpus.json": json.dumps(data).encode(), **task}
