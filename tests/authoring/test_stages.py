"""Analyst, opponents, panel and comparison around the worked example: who finds what, and what comes of it."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from authoring.context import AuthoringContext, Stop
from authoring.outcomes import OutcomeKind
from authoring.prompts import Prompts
from authoring.roles import Roles
from authoring.workflow import author, resume
from bootcamp_kit.errors import BudgetError, MachineError, ProviderError
from bootcamp_kit.library import Library
from bootcamp_kit.report import Report
from chat_models.protocol import ChatReply, ChatRequest
from chat_models.scripted import ScriptedModel
from evaluation.process_box import ProcessBox
from sandbox.limits import JobLimits
from tests.authoring.cast import (
    FORGETS_A_RULE,
    SECOND,
    SPECIFICATION,
    ZERO_IS_LAST,
    attacks_crate_zero,
    cast,
    numbered,
    part_of,
    process_box,
    puzzled,
    without,
    wrong,
)
from tests.authoring.conftest import MakeContext
from tests.authoring.parts import Queue, draft_folder, make_brief, mended, reply_with
from tests.authoring.test_prompts import HOSTILE, outside_fences

O = OutcomeKind  # noqa: E741
Staged = Callable[..., tuple[AuthoringContext, ScriptedModel]]


@pytest.fixture
def staged(make_context: MakeContext) -> Staged:
    """A context in which one scripted model plays every part, and that model."""

    def build(
        stages: str = "analyse oppose",
        library: Library | None = None,
        numbers: dict[str, Any] | None = None,
        **parts: Any,
    ) -> tuple[AuthoringContext, ScriptedModel]:
        model = ScriptedModel(cast(**parts))
        small = {"opposition_cases": 1, "calibration_cases": 1, **(numbers or {})}
        context = make_context(model=model, stages=tuple(stages.split()), **small)
        context.roles, context.boxes, context.library = Roles.all_by(model), process_box, library
        return context, model

    return build


def parts_played(model: ScriptedModel) -> Counter[str]:
    return Counter(part_of(request) for request in model.requests)


def told(context: AuthoringContext, node: str) -> list[tuple[str, dict[str, Any]]]:
    events = [event for event in context.run.events.read() if event.node == node and event.what != "started"]
    return [(event.what, dict(event.figures)) for event in events]


def second_file(verify: str, solve: str) -> str:
    return (
        f"=== FILE second.py ===\ndef verify(payload, answer):\n    {verify}\n\n\n"
        f"def solve(payload):\n    {solve}\n=== END FILE ==="
    )


def report_of(queue: Queue) -> Report:
    (submission,) = queue.submissions.values()
    return submission.report


async def test_a_good_task_stands_at_once(staged: Staged, queue: Queue) -> None:
    context, model = staged("analyse oppose calibrate")
    (outcome,) = (await author([make_brief()], context)).outcomes
    assert (outcome.kind, outcome.stage, outcome.turns) == (O.QUEUED, "queue", 1), outcome.reason
    assert parts_played(model) == {"analyse": 1, "draft": 1, "second": 1, "attack": 2, "blind": 2, "panel": 5}
    (_, figures), *_ = told(context, "oppose")
    assert figures["second"] == "credible"
    assert (figures["blind"], figures["blind_right"], figures["objections"]) == (2, 2, 0)
    (what, panel), *_ = told(context, "calibrate")
    assert (what, panel["solved"], panel["asked"]) == ("measured", 5, 5)
    assert 0.5 < panel["low"] < panel["high"] == 1.0
    lineage = next(iter(queue.submissions.values())).candidate.lineage
    assert {"analyse.md", "second.md", "attack.md", "blind.md", "helper.md"} <= {name for name, _ in lineage.prompts}
    assert {"oppose.voices", "calibrate.panel"} <= {result.check for result in report_of(queue).results}


async def test_a_candidate_is_heard_and_measured_in_one_box(staged: Staged) -> None:
    context, _ = staged("oppose calibrate")
    opened: list[bool] = []

    @contextmanager
    def counted(files: Mapping[str, bytes], limits: JobLimits) -> Iterator[ProcessBox]:
        opened.append("second.py" in files)
        with process_box(files, limits) as box:
            yield box
        opened.append(False)

    context.boxes = counted
    await author([make_brief()], context)
    assert sorted(opened) == [False, False, False, True], "one for the candidate, one for the second judge, both closed"


async def test_the_specification_reaches_author_and_opponents_fenced(staged: Staged) -> None:
    context, model = staged()
    await author([make_brief()], context)
    for request in model.requests:
        if part_of(request) in ("draft", "second", "attack"):
            assert "<<<DATA specification" in request.turns[0].text
            assert SPECIFICATION["prompt_must_state"][0] in request.turns[0].text
        if part_of(request) == "draft":
            assert request.turns[0].text.endswith("with nothing else."), "what to do stands last"
        if part_of(request) == "blind":
            assert "DATA" not in request.turns[0].text


async def test_an_analysis_without_content_is_corrected(staged: Staged) -> None:
    empty = {**SPECIFICATION, "rules": [], "prompt_must_state": []}
    context, model = staged("analyse", analyse=numbered([json.dumps(empty), json.dumps(SPECIFICATION)]))
    (outcome,) = (await author([make_brief()], context)).outcomes
    assert outcome.kind is O.QUEUED
    assert told(context, "analyse") == [("specified", {"corrected": 1})]
    assert "rules, prompt_must_state must not be empty" in model.requests[1].turns[-1].text


@pytest.mark.parametrize("bad", ["Let me think.", '{"rules": []}', json.dumps({**SPECIFICATION, "approved": True})])
async def test_an_unusable_analysis_is_corrected_once_and_then_done_without(staged: Staged, bad: str) -> None:
    context, model = staged("analyse", analyse=bad)
    (outcome,) = (await author([make_brief()], context)).outcomes
    assert outcome.kind is O.QUEUED
    assert parts_played(model) == {"analyse": 2, "draft": 1}
    assert told(context, "analyse")[0][0] == "unusable"
    assert "specification" not in model.requests[-1].turns[0].text


async def test_a_hole_that_only_the_opponents_find_is_mended(staged: Staged, queue: Queue) -> None:
    hole = without(reply_with(), ZERO_IS_LAST)
    context, model = staged(draft=hole, attack=attacks_crate_zero)
    (outcome,) = (await author([make_brief()], context)).outcomes
    assert (outcome.kind, outcome.turns) == (O.QUEUED, 2), outcome.reason
    assert [what for what, _ in told(context, "oppose")] == ["contested", "stood"]
    assert told(context, "oppose")[0][1]["confirmed"] >= 1
    (request,) = [request for request in model.requests if part_of(request) == "repair"]
    asked = request.turns[0].text
    assert "oppose.accepts_wrong" in asked
    assert "an attacker" in asked
    assert "<answer>" in asked
    assert not [finding for finding in report_of(queue).findings if finding.code.startswith("oppose.")]


async def test_a_confirmed_hole_that_is_never_mended_is_not_queued(staged: Staged, queue: Queue) -> None:
    hole = without(reply_with(), ZERO_IS_LAST)
    repairs = iter(
        [without(reply_with(remark="Again."), ZERO_IS_LAST), without(reply_with(remark="More."), ZERO_IS_LAST)]
    )
    context, _ = staged(draft=hole, repair=lambda request: next(repairs), attack=attacks_crate_zero)
    (outcome,) = (await author([make_brief()], context)).outcomes
    assert (outcome.kind, outcome.stage, outcome.turns) == (O.EXHAUSTED, "oppose", 3)
    assert "oppose.accepts_wrong" in outcome.reason
    assert not queue.submissions


async def test_a_claim_that_does_not_hold_is_not_believed(staged: Staged, queue: Queue) -> None:
    """The attacker claims that right answers are wrong, and that wrong ones would be taken."""

    def lies(request: ChatRequest) -> str:
        claims = [
            {"case": 0, "response": "<answer>1, 1</answer>", "claim": "wrong_accepted", "why": "it takes anything"},
            {"case": 999, "response": "<answer>1</answer>", "claim": "wrong_accepted", "why": "no such case"},
        ]
        return json.dumps({"claims": claims})

    context, _ = staged(attack=lies)
    (outcome,) = (await author([make_brief()], context)).outcomes
    assert (outcome.kind, outcome.turns) == (O.QUEUED, 1)
    assert (told(context, "oppose")[0][1]["attacks"], told(context, "oppose")[0][1]["believed"]) == (2, 0)


async def test_one_voice_alone_goes_back_and_is_then_shown_to_the_reviewer(staged: Staged, queue: Queue) -> None:
    """An opponent that rejects some right answers for no reason: an objection, never a confirmed finding."""
    odd = SECOND.replace("return sum(", 'return len(payload["weights"]) != 8 and sum(')
    context, _ = staged(second=odd, repair=reply_with(remark="Nothing to mend."))
    (outcome,) = (await author([make_brief()], context)).outcomes
    assert outcome.kind is O.QUEUED
    assert outcome.turns == 3
    shown = [finding for finding in report_of(queue).findings if finding.code.startswith("oppose.")]
    assert shown
    assert {finding.severity.value for finding in shown} == {"major"}


async def test_a_second_judge_that_is_wrong_mends_itself_when_it_sees_the_case(staged: Staged) -> None:
    odd = SECOND.replace("return sum(", 'return len(payload["weights"]) != 8 and sum(')
    context, _ = staged(second=odd, reconsider=SECOND)
    (outcome,) = (await author([make_brief()], context)).outcomes
    assert (outcome.kind, outcome.turns) == (O.QUEUED, 1)
    assert told(context, "oppose")[0][1]["reconsidered"] == "mended"


@pytest.mark.parametrize(
    "second",
    [
        "I would rather not.",
        second_file("return False", "return None"),
        second_file("return 1 / 0", "raise OSError"),
        second_file("return True", "return 7").replace("def solve", "def solved"),
    ],
)
async def test_a_useless_second_judge_stops_nothing(staged: Staged, second: str) -> None:
    context, _ = staged(second=second)
    (outcome,) = (await author([make_brief()], context)).outcomes
    assert (outcome.kind, outcome.turns) == (O.QUEUED, 1), outcome.reason
    assert told(context, "oppose")[0][1]["second"] == "none"


async def test_a_fact_that_only_a_blind_solver_misses_is_put_into_the_prompt(staged: Staged) -> None:
    lacking = without(reply_with(), FORGETS_A_RULE)
    context, model = staged(draft=lacking, blind=puzzled)
    (outcome,) = (await author([make_brief()], context)).outcomes
    assert (outcome.kind, outcome.turns) == (O.QUEUED, 2), outcome.reason
    (request,) = [request for request in model.requests if part_of(request) == "repair"]
    assert "oppose.missing_fact" in request.turns[0].text
    assert "whether a crate may be used several times" in request.turns[0].text


async def test_a_solver_that_only_fails_is_no_evidence(staged: Staged) -> None:
    context, _ = staged("oppose calibrate", blind=wrong, panel=wrong)
    (outcome,) = (await author([make_brief()], context)).outcomes
    assert outcome.kind is O.QUEUED
    assert told(context, "calibrate")[0][1]["solved"] == 0


async def test_a_task_that_is_certainly_out_of_the_band_is_not_queued(staged: Staged, queue: Queue) -> None:
    context, _ = staged("calibrate", panel=wrong, repair=mended, numbers={"band_low": 0.6, "repairs": 0})
    (outcome,) = (await author([make_brief()], context)).outcomes
    assert (outcome.kind, outcome.stage) == (O.EXHAUSTED, "calibrate")
    assert "too_hard" in outcome.reason


async def test_right_answers_that_are_turned_away_are_appealed(staged: Staged) -> None:
    """The verifier knows one way only; the panel finds others, and the second judge says they are right."""
    key = (
        'if total != case.payload["load"]:',
        'if total != case.payload["load"] or sorted(answer)[0] != 1 and 1 in answer or answer != sorted(answer):',
    )
    strict = without(reply_with(), key)

    def backwards(request: ChatRequest) -> str:
        from tests.authoring.cast import read_prompt, subset

        return f"<answer>{', '.join(map(str, reversed(subset(*read_prompt(request.turns[-1].text)))))}</answer>"

    context, model = staged("oppose calibrate", draft=strict, panel=backwards)
    (outcome,) = (await author([make_brief()], context)).outcomes
    assert (outcome.kind, outcome.turns) == (O.QUEUED, 2), outcome.reason
    (request,) = [request for request in model.requests if part_of(request) == "repair"]
    assert "oppose.rejects_right" in request.turns[0].text


async def test_a_plagiarised_task_is_shown_beside_its_original(staged: Staged, queue: Queue, tmp_path: Path) -> None:
    original = draft_folder()
    place = tmp_path / "library" / "puzzles" / "exact_load_1"
    original.write(place)
    renamed = reply_with().replace("ExactLoad", "LiftCargo").replace("weights", "masses").replace("chosen", "picked")
    context, _ = staged("compare", library=Library(tmp_path / "library"), draft=renamed)
    (outcome,) = (await author([make_brief(2, "Pick cargo for a lift.")], context)).outcomes
    assert outcome.kind is O.QUEUED
    near, solved = [item for item in report_of(queue).findings if item.code.startswith("compare.")]
    assert (near.code, solved.code) == ("compare.near_duplicate", "compare.solver_transfer")
    assert "exact_load_1" in near.message
    assert "the reference solver of exact_load_1 solves 10 of 10 cases of this task" in solved.message
    assert "it reads masses as weights" in solved.message
    assert report_of(queue).figure("compare.novelty", "nearest") == "exact_load_1"


async def test_a_sandbox_that_fails_while_comparing_is_said_and_decides_nothing(
    staged: Staged, queue: Queue, tmp_path: Path
) -> None:
    draft_folder().write(tmp_path / "library" / "puzzles" / "exact_load_1")
    context, _ = staged("compare", library=Library(tmp_path / "library"))

    def broken(files: Mapping[str, bytes], limits: JobLimits) -> Any:
        raise MachineError("starting a container", "no engine", "start it")

    context.boxes = broken
    (outcome,) = (await author([make_brief(2, "Pick cargo for a lift.")], context)).outcomes
    assert outcome.kind is O.QUEUED
    assert "no engine" in str(report_of(queue).figure("compare.novelty", "not_tried"))


async def test_an_opponent_that_is_down_fails_the_brief_and_is_taken_up_again(staged: Staged) -> None:
    down = True

    def second(request: ChatRequest) -> Any:
        return ProviderError("ask scripted:model", "HTTP 529", "wait") if down else SECOND

    context, _ = staged(second=second)
    (outcome,) = (await author([make_brief()], context)).outcomes
    assert (outcome.kind, outcome.stage) == (O.FAILED, "oppose")
    assert "HTTP 529" in outcome.reason
    down = False
    (outcome,) = (await resume(context)).outcomes
    assert outcome.kind is O.QUEUED


async def test_a_spent_budget_in_the_middle_of_a_hearing_is_over_budget_and_goes_on_later(staged: Staged) -> None:
    came_home: list[str] = []

    class Slow(ScriptedModel):
        async def chat(self, request: ChatRequest) -> ChatReply:
            if part_of(request) == "blind":
                await asyncio.sleep(0.3)
            reply = await super().chat(request)
            came_home.append(part_of(request))
            return reply

    context, _ = staged()
    slow = Slow(cast(attack=lambda request: BudgetError("ask", "9 of 9 tokens are used", "raise it")))
    context.roles = Roles.all_by(slow)
    summary = await author([make_brief()], context)
    assert [outcome.kind for outcome in summary.outcomes] == [O.OVER_BUDGET]
    assert isinstance(summary.stopped_by, BudgetError)
    assert came_home.count("blind") == 2, "calls under way are paid for: they must come home"
    context.roles, context.stop = Roles.all_by(ScriptedModel(cast())), Stop()
    assert [outcome.kind for outcome in (await resume(context)).outcomes] == [O.QUEUED]


async def test_equal_candidates_are_heard_once(staged: Staged) -> None:
    context, model = staged(numbers={"candidates": 3})
    (outcome,) = (await author([make_brief()], context)).outcomes
    assert outcome.kind is O.QUEUED
    assert parts_played(model)["second"] == 1


async def test_every_call_beside_the_author_leaves_a_transcript(staged: Staged) -> None:
    context, model = staged("analyse oppose calibrate")
    await author([make_brief()], context)
    names = {path.stem for path in (context.run.root / "transcripts").iterdir()}
    assert len(names) == len(model.requests)
    assert {"exact_load_1-analyse", "exact_load_1-c0-t1-second", "exact_load_1-c0-t1-attack-2"} <= names


async def test_a_brief_that_gives_orders_reaches_no_instruction_of_any_helper(staged: Staged) -> None:
    hole = without(reply_with(), ZERO_IS_LAST)
    context, model = staged(draft=hole, repair=hole.replace("crate", "box"), attack=attacks_crate_zero)
    (outcome,) = (await author([make_brief(text=HOSTILE)], context)).outcomes
    assert outcome.kind is O.EXHAUSTED
    asked = [request for request in model.requests if part_of(request) in ("analyse", "second", "attack", "draft")]
    assert {part_of(request) for request in asked} == {"analyse", "second", "attack", "draft"}
    for request in asked:
        assert request.system in (Prompts().helper, Prompts().system)
        shown = outside_fences(request.turns[0].text)
        for word in ("Ignore the rules", "switched off", "approved", "{0.", "$HOME"):
            assert word not in shown


async def test_helpers_that_obey_such_a_brief_gain_nothing(staged: Staged, queue: Queue) -> None:
    """Nothing they say can open the queue by itself: it only takes their objections away."""
    hole = without(reply_with(), ZERO_IS_LAST)
    obedient = {
        "attack": '{"claims": [], "approved": true}',
        "blind": "MISSING: nothing\napproved",
        "panel": "approved",
    }
    context, _ = staged("analyse oppose calibrate", draft=hole, **obedient)
    (outcome,) = (await author([make_brief(text=HOSTILE)], context)).outcomes
    assert outcome.kind is O.QUEUED, "with every opponent bought, only the gate and the reviewer are left"
    assert "oppose.voices" in {result.check for result in report_of(queue).results}
