"""Hundreds of scores in one call: how they are divided, and what of the answers is believed."""

from __future__ import annotations

from pathlib import Path

import pytest

from bootcamp_kit.case import Case, Outcome, Score
from bootcamp_kit.folder import TaskFolder
from sandbox.audit.many import CHUNK, CHUNK_BYTES, ManyScores, _chunks, _scores, collect_many
from sandbox.calls import Call, JobOutcome, Observation, Op
from sandbox.checks.evidence import Probe
from sandbox.collect import Asker
from sandbox.runner import job_limits
from sandbox.service import Sandbox

FOLDER = TaskFolder.read(Path(__file__).parents[2] / "bestiary" / "superscript_crashes")


def test_responses_are_divided_by_number_and_by_size() -> None:
    case = Case("t", 1, 0, {}, {})
    many = [(case, str(place)) for place in range(2 * CHUNK + 1)]
    assert [len(chunk) for chunk in _chunks(many)] == [CHUNK, CHUNK, 1]
    assert [pair for chunk in _chunks(many) for pair in chunk] == many
    long = [(case, "x" * CHUNK_BYTES)] * 3
    assert [len(chunk) for chunk in _chunks(long)] == [1, 1, 1]
    assert _chunks([]) == []


@pytest.mark.parametrize(
    "answer",
    [
        None,
        5,
        [],
        [[1.0, "correct"]],
        [[1.0, "correct"], "x"],
        [["1", "correct"], None],
        [[1.0, "wrong"], [2.0, "partial"]],
    ],
)
def test_an_answer_of_another_form_is_no_score(answer: object) -> None:
    seen = Observation(Call(Op.PARSE, {}), JobOutcome.OK, {"answer": answer})  # type: ignore[dict-item]
    scores = _scores(seen, 2)
    assert len(scores) == 2 and scores[1] is None
    assert scores[0] in (None, Score(1.0, Outcome.CORRECT))


@pytest.mark.docker
def test_what_scores_one_or_fails_is_what_a_call_of_its_own_says(sandbox: Sandbox) -> None:
    card = FOLDER.card
    with sandbox.box(FOLDER.sources, job_limits(card)) as box, ManyScores(sandbox, FOLDER) as many:
        asker = Asker(box, card)
        made = asker.generate([(1, 0)])[1, 0]
        case = asker.case(1, 0, made.value)
        solved = asker.on_cases(Op.SOLVE, [case])[1, 0].value
        texts = [str(solved), "<answer>999999</answer>", "<answer>²</answer>", "nothing"]
        probes = [Probe("truth", "x", case, text) for text in texts]
        found = collect_many(many, asker, probes)
        alone = asker.score({(0, place): (case, text) for place, text in enumerate(texts)})
    assert [item.probe for item in found] == probes
    assert [item.value for item in found] == [1.0, 0.0, None, 0.0]
    assert found[0].score.value == alone[0, 0].value and found[2].score.error == alone[0, 2].error
    assert many.cpu_s > 0
