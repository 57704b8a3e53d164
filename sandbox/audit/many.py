"""Scores very many responses: hundreds in one call of the sandbox, and by itself only what matters or fails.

A score that comes from such a call is a value and an outcome without a reason. What scores 1 is asked again alone, in
the ordinary way, and that observation is the one that counts.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from importlib import resources

from bootcamp_kit.case import Case, Outcome, Score
from bootcamp_kit.folder import TaskFolder
from bootcamp_kit.jsondata import Json
from sandbox.calls import Call, JobOutcome, Observation, Op
from sandbox.checks.evidence import Probe, Scored
from sandbox.checks.observed import answer_of
from sandbox.collect import Asker, collect_scored
from sandbox.limits import JobLimits
from sandbox.runner import MAX_CPU_S
from sandbox.service import Sandbox

CHUNK, CHUNK_BYTES = 256, 1 << 20
PATIENCE = 8
LEAST_S, MOST_S = 2.0, 30.0
Pair = tuple[Case, str]


class ManyScores:
    """An entered box that scores many responses at once.

    Attributes:
        cpu_s: CPU seconds spent in it so far.
    """

    def __init__(self, sandbox: Sandbox, folder: TaskFolder) -> None:
        card = folder.card
        wall_s = min(MOST_S, max(LEAST_S, PATIENCE * card.limits.seconds_per_call))
        limits = JobLimits(wall_s, MAX_CPU_S, address_mb=card.limits.memory_mb + 64)
        self._box = sandbox.box(many_files(folder), limits)
        self.cpu_s = 0.0

    def __enter__(self) -> ManyScores:
        self._box.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        self._box.close()

    def ask(self, pairs: Sequence[Pair]) -> list[Score | None]:
        """A score without a reason for each; None for what has to be asked by itself."""
        chunks = list(_chunks(pairs))
        seen = self._box.batch([_call(chunk) for chunk in chunks])
        self.cpu_s += sum(item.cpu_s for item in seen)
        return [score for chunk, item in zip(chunks, seen, strict=True) for score in _scores(item, len(chunk))]


def collect_many(many: ManyScores, asker: Asker, probes: Sequence[Probe]) -> tuple[Scored, ...]:
    """Probes scored; those that score 1, and those that fail, as an ordinary call saw them. In the order given."""
    scores = many.ask([(probe.case, probe.response) for probe in probes])
    alone = [place for place, score in enumerate(scores) if score is None or score.value == 1.0]
    again = collect_scored(asker, [probes[place] for place in alone])
    found = {id(item.probe): item for item in again}
    told = []
    for probe, score in zip(probes, scores, strict=True):
        if id(probe) in found:
            told.append(found[id(probe)])
        elif score is not None and score.value != 1.0:
            told.append(Scored(probe, _observed(score)))
    return tuple(told)


def many_files(folder: TaskFolder) -> dict[str, bytes]:
    """The folder for its box: the harness as the task, the task's files as its data."""
    harness = resources.files("sandbox.audit").joinpath("guest_many.py").read_bytes()
    task = {f"task/{name}": data for name, data in folder.sources.items()}
    return {"bootcamp.py": harness, "names.json": json.dumps(sorted(folder.sources)).encode(), **task}


def _observed(score: Score) -> Observation:
    value: dict[str, Json] = {"value": score.value, "outcome": score.outcome.value, "reason": ""}
    return Observation(Call(Op.SCORE, {}), JobOutcome.OK, value)


def _chunks(pairs: Sequence[Pair]) -> list[Sequence[Pair]]:
    found: list[Sequence[Pair]] = []
    start = size = 0
    for place, (_, response) in enumerate(pairs):
        size += len(response)
        if place - start >= CHUNK or (size > CHUNK_BYTES and place > start):
            found.append(pairs[start:place])
            start, size = place, len(response)
    return [*found, pairs[start:]] if pairs else found


def _call(chunk: Sequence[Pair]) -> Call:
    places: dict[int, int] = {}
    cases: list[Json] = []
    rows: list[Json] = []
    for case, response in chunk:
        if id(case) not in places:
            places[id(case)] = len(cases)
            raw: dict[str, Json] = {"task_id": case.task_id, "level": case.level, "seed": case.seed}
            cases.append({**raw, "params": dict(case.params), "payload": json.dumps(case.payload)})
        rows.append([places[id(case)], response])
    return Call(Op.PARSE, {"response": json.dumps({"cases": cases, "pairs": rows})})


def _scores(seen: Observation, count: int) -> list[Score | None]:
    read = answer_of(seen)
    rows = read[1] if read and read[0] == "answer" else None
    if not isinstance(rows, list) or len(rows) != count:
        return [None] * count
    return [_score(row) for row in rows]


def _score(row: Json) -> Score | None:
    match row:
        case [float(value), str(outcome)]:
            try:
                return Score(value, Outcome(outcome), "")
            except (TypeError, ValueError):
                return None
    return None
