"""The three worst rows of evidence about a candidate, and how each is run again.

1. the wrong answer that earned most, 2. a right answer that was turned down, 3. a mutant of the verifier that survived.
Where nothing bad was found the row says what was looked at instead, so that it can be judged how hard was looked.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from bootcamp_kit.card import Card
from bootcamp_kit.case import Case
from bootcamp_kit.counted import counted
from bootcamp_kit.errors import MachineError
from bootcamp_kit.report import Finding, Report, Severity
from review.measures import NOT_MEASURED
from review.risk import RULES, SURVIVING
from review.trial import Reviewable, limits_of
from review.visible import one_line
from sandbox.box import Box
from sandbox.calls import Call, JobOutcome, Observation, Op, case_to_json
from sandbox.checks.observed import describe, score_of
from sandbox.service import Sandbox

WRONG, RIGHT, MUTANT = "wrong", "right", "mutant"
TITLES = {
    WRONG: "highest-scoring wrong answer",
    RIGHT: "rejected right answer",
    MUTANT: "surviving mutant of the verifier",
}
SHORT_TITLES = {WRONG: "wrong answer", RIGHT: "right answer", MUTANT: "mutant"}
_CODES = {
    WRONG: ("near_miss.", "floor.", "examples.reject", "prompt.leaks", "examples.malformed"),
    RIGHT: ("still_right.", "oracle.", "examples.accept", "properties.solvable"),
    MUTANT: ("mutation.",),
}
_SEEDS = (0, 1, 2)
_REASONING = "Let me think step by step. It cannot be 0.\n\n"


@dataclass(frozen=True, slots=True)
class Row:
    """One row.

    Attributes:
        key: ``wrong``, ``right`` or ``mutant``.
        bad: Whether it shows a defect; else it shows what was tried in vain.
        text: In words.
        finding: What it rests on, when a defect was found.
        strategy: Name of the best strategy of the floor, which is tried again when there is no finding; or "".
    """

    key: str
    bad: bool
    text: str
    finding: Finding | None = None
    strategy: str = ""

    @property
    def title(self) -> str:
        """Its name."""
        return TITLES[self.key]

    @property
    def runnable(self) -> bool:
        """Whether it can be run again."""
        return self.finding is not None or bool(self.strategy) or self.key in (RIGHT, MUTANT)


@dataclass(frozen=True, slots=True)
class Rerun:
    """What a second run showed.

    Attributes:
        held: Whether it came out as the report says; None where the report says nothing of it.
        steps: (label, text) to show; escaped and capped.
        limit: What the report says and was not tried again, or "".
    """

    held: bool | None
    steps: tuple[tuple[str, str], ...]
    limit: str = ""

    @property
    def words(self) -> str:
        """How it came out."""
        if self.held is None:
            return self.limit or "measured just now; the report says nothing of it"
        said = "came out as the report says" if self.held else "DID NOT come out as the report says"
        return f"{said}: {self.limit}" if self.limit else said


def worst_rows(report: Report) -> tuple[Row, Row, Row]:
    """The three rows, always in the same order."""
    return (_row(WRONG, report), _row(RIGHT, report), _row(MUTANT, report))


def _row(key: str, report: Report) -> Row:
    for finding in report.findings:
        weighs = finding.severity is not Severity.NOTE
        if weighs and finding.code.startswith(_CODES[key]) and finding.witness is not None:
            return Row(key, True, f"{finding.code}: {finding.message}", finding)
    figures = {result.check: result.figures for result in report.results if result.figures}
    if key == WRONG:
        return _best_wrong(figures)
    if key == RIGHT:
        return Row(key, False, _no_right_rejected(figures))
    mutants = {name: values for name, values in figures.items() if name.startswith("mutation.")}
    if not mutants:
        return Row(key, False, NOT_MEASURED)
    survived = sum(int(values.get(SURVIVING, 0)) for values in mutants.values())
    tried = sum(int(values.get("n", 0)) for values in mutants.values())
    return Row(key, survived > 0, f"{survived} of {tried} survive")


def _best_wrong(figures: Mapping[str, Mapping[str, Any]]) -> Row:
    said, strategy = [], ""
    floors = [
        values for name, values in figures.items() if name.startswith("floor.") and name != RULES and "mean" in values
    ]
    if floors:
        best = max(floors, key=lambda values: float(values["mean"]))
        said.append(f"{best.get('best', '?')} scores {best['mean']:.2f} on average (n = {best.get('n', '?')})")
        strategy = str(best.get("best", ""))
    near = figures.get("near_miss.answers", {})
    if "accepted" in near:
        said.append(f"{near['accepted']} of {_of(near, 'near miss', 'near misses')} accepted")
    return Row(WRONG, False, "; ".join(said) or NOT_MEASURED, strategy=strategy)


def _no_right_rejected(figures: Mapping[str, Mapping[str, Any]]) -> str:
    oracle, rewrites = figures.get("oracle.scores_one", {}), figures.get("still_right.declared", {})
    said = []
    if "wrong" in oracle:
        said.append(f"{oracle['wrong']} of {_of(oracle, 'answer')} of the oracle rejected")
    if isinstance(classes := rewrites.get("rejected_of"), Mapping):
        rejected = sum(int(counts[0]) for counts in classes.values())
        said.append(f"{rejected} of {_of(rewrites, 'rewrite')} of right answers rejected")
    return "; ".join(said) or NOT_MEASURED


def _of(figures: Mapping[str, Any], thing: str, things: str = "") -> str:
    """How many there were; a report need not say."""
    n = figures.get("n")
    return counted(n, thing, things) if isinstance(n, int) else f"? {things or thing + 's'}"


def rerun(sandbox: Sandbox, item: Reviewable, row: Row) -> Rerun:
    """Run a row again: its finding's witness, or the same kind of attempt on fresh containers.

    Raises:
        UsageError: the card cannot be read.
        MachineError: the sandbox failed.
    """
    if row.finding is not None:
        from sandbox.replay import replay

        again = replay(sandbox, item.folder, row.finding)
        return Rerun(again.reproduced, again.steps, again.limit)
    if row.key == MUTANT:
        from review.mutants import mutants

        return Rerun(None, mutants(sandbox, item.folder))
    if not row.runnable:
        return Rerun(False, (("not run", "the report does not say what was tried"),))
    card = item.folder.card
    with sandbox.box(item.folder.sources, limits_of(card)) as box:
        return _wrong_again(box, card, row.strategy) if row.key == WRONG else _right_again(box, card)


def _wrong_again(box: Box, card: Card, name: str) -> Rerun:
    from sandbox.checks.cheap import strategies
    from sandbox.collect import Asker, collect_cases

    cases = collect_cases(Asker(box, card), [(level, seed) for level in card.difficulty.levels for seed in _SEEDS])
    fields = {key for case in cases if case.case and isinstance(case.case.payload, dict) for key in case.case.payload}
    known = strategies(card, cases, frozenset(fields))
    found = next((strategy for known_name, strategy in known.items() if known_name.startswith(name)), None)
    if found is None:
        return Rerun(False, (("not run", f"on these cases there is no strategy called {one_line(name)}"),))
    steps, full = [("strategy", one_line(name))], 0
    for case in cases:
        response = found(case)
        if case.case is not None and response is not None:
            text, value = _scored(box, case.case, response)
            full += value == 1.0
            answered = one_line(response, at_most=60)
            steps.append((f"level {case.level}, seed {case.seed}", f"{answered} → {text}"))
    tried = len(steps) - 1
    return Rerun(tried > 0 and full * 2 < tried, (*steps, ("full marks", f"{full} of {tried}")))


def _right_again(box: Box, card: Card) -> Rerun:
    steps: list[tuple[str, str]] = []
    held = True
    for case in _cases(box, card):
        solved = _fresh(box, Call(Op.SOLVE, {"case": case_to_json(case)}))
        if not isinstance(solved.value, str):
            return Rerun(False, (*steps, (f"oracle at level {case.level}", describe(solved))))
        for how, response in (("as it is", solved.value), ("after reasoning", _REASONING + solved.value)):
            text, value = _scored(box, case, response)
            held = held and value == 1.0
            steps.append((f"level {case.level}, {how}", f"{one_line(solved.value, at_most=60)} → {text}"))
    return Rerun(held and bool(steps), tuple(steps))


def _cases(box: Box, card: Card) -> list[Case]:
    """The first case of each level."""
    found = []
    for level in card.difficulty.levels:
        params = card.difficulty.params(level)
        made = _fresh(box, Call(Op.GENERATE, {"task_id": card.id, "level": level, "seed": 0, "params": params}))
        if made.ok:
            found.append(Case(card.id, level, 0, params, made.value))
    return found


def _scored(box: Box, case: Case, response: str) -> tuple[str, float | None]:
    seen = _fresh(box, Call(Op.SCORE, {"case": case_to_json(case), "response": response}))
    score = score_of(seen)
    if score is None:
        return one_line(describe(seen)), None
    return f"{score.value:g} {score.outcome.value} {one_line(score.reason, at_most=120)}".rstrip(), score.value


def _fresh(box: Box, call: Call) -> Observation:
    seen = box.fresh(call)
    if seen.outcome is JobOutcome.INFRASTRUCTURE:
        raise MachineError("running evidence again", seen.error, "check the engine with `bootcamp doctor`")
    return seen
