"""The whole workflow around scripted models: what is queued, refused, exhausted, failed; and what stops a run."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from contextlib import closing
from pathlib import Path

import pytest

from authoring.author import Assignment, Draft, Refused
from authoring.context import Stop
from authoring.model_author import ModelAuthor
from authoring.outcomes import OutcomeKind
from authoring.runs import RunFolder
from authoring.settings import AuthoringSettings
from authoring.workflow import author, repair, resume
from bootcamp_kit.candidate import Candidate, Lineage
from bootcamp_kit.decision import RepairOrder
from bootcamp_kit.errors import BudgetError, MachineError, ProviderError, UsageError
from bootcamp_kit.folder import TaskFolder
from bootcamp_kit.report import Report
from chat_models.cache import CachedModel
from chat_models.errors import EndpointRefused
from chat_models.ledger import Ledger
from chat_models.protocol import ChatReply, ChatRequest, StopReason, Usage
from chat_models.scripted import ScriptedModel
from tests.authoring.conftest import MakeContext
from tests.authoring.parts import (
    RUN_ID,
    Queue,
    make_brief,
    make_report,
    make_run,
    mended,
    reply_with,
    simple_gate,
    unfinished_report,
)

O = OutcomeKind  # noqa: E741
BUSY = ProviderError("ask scripted:model", "HTTP 429", "wait")
REFUSED_KEY = EndpointRefused("ask scripted:model", "HTTP 401", "check the key")


def refusal(text: str = "I will not.") -> ChatReply:
    return ChatReply(text, StopReason.REFUSAL, Usage(), "scripted:model")


async def test_a_good_draft_is_queued_with_its_lineage(make_context: MakeContext, queue: Queue) -> None:
    context = make_context([reply_with()])
    summary = await author([make_brief()], context)
    (outcome,) = summary.outcomes
    assert (outcome.kind, outcome.queue_id, outcome.turns) == (O.QUEUED, "Q1", 1)
    lineage = queue.submissions[outcome.content_hash].candidate.lineage
    assert (lineage.author, lineage.attempt, lineage.index, lineage.run) == ("scripted:model", 1, 0, RUN_ID)
    assert {name for name, _ in lineage.prompts} == {"system.md", "example.md", "draft.md", "repair.md", "correct.md"}
    assert summary.stopped_by is None
    assert summary.counts[O.QUEUED] == 1


async def test_the_repair_loop_mends_a_bad_first_draft(make_context: MakeContext, queue: Queue) -> None:
    model = ScriptedModel([reply_with(fault=True), mended()])
    context = make_context(model=model)
    (outcome,) = (await author([make_brief()], context)).outcomes
    assert (outcome.kind, outcome.turns) == (O.QUEUED, 2)
    lineage = queue.submissions[outcome.content_hash].candidate.lineage
    assert lineage.attempt == 2
    assert context.run.artefacts.report(lineage.parent).findings
    asked = model.requests[1].messages[-1].text
    for told in ("near_miss.accepted", "level 1, seed 7", "<answer>1, 1</answer>", "name each crate once", "# FAULT"):
        assert told in asked


@pytest.mark.parametrize("bad", ["Sure! Let me think about that.", reply_with()[:1500], "=== FILE x.py ===\n"])
async def test_an_unusable_reply_is_corrected_in_the_same_conversation(make_context: MakeContext, bad: str) -> None:
    model = ScriptedModel([bad, reply_with()])
    (outcome,) = (await author([make_brief()], make_context(model=model))).outcomes
    assert (outcome.kind, outcome.turns) == (O.QUEUED, 2)
    roles = [message.role for message in model.requests[1].messages]
    assert roles == ["system", "user", "assistant", "user"]
    assert model.requests[1].messages[2].text == bad
    assert "could not be used" in model.requests[1].messages[3].text


async def test_the_turns_are_bounded_over_corrections_and_repairs(make_context: MakeContext) -> None:
    model = ScriptedModel(["prose", reply_with(fault=True), "prose", reply_with()])
    (outcome,) = (await author([make_brief()], make_context(model=model, repairs=2))).outcomes
    assert outcome.kind is O.EXHAUSTED
    assert "near_miss.accepted" in outcome.reason
    assert len(model.requests) == 3


async def test_a_model_that_never_writes_files_exhausts_the_brief(make_context: MakeContext, queue: Queue) -> None:
    (outcome,) = (await author([make_brief()], make_context(lambda request: "prose"))).outcomes
    assert (outcome.kind, outcome.turns) == (O.EXHAUSTED, 3)
    assert "prose" in outcome.reason
    assert not queue.submissions


async def test_a_model_that_refuses_is_not_asked_again(make_context: MakeContext) -> None:
    model = ScriptedModel(lambda request: refusal())
    (outcome,) = (await author([make_brief()], make_context(model=model, candidates=2))).outcomes
    assert outcome.kind is O.REFUSED
    assert "I will not." in outcome.reason
    assert len(model.requests) == 2


async def test_n_candidates_run_in_parallel_and_the_best_is_kept(make_context: MakeContext, queue: Queue) -> None:
    """The three wait for one another, so they can only finish if they are under way at the same time."""
    together = threading.Barrier(3, timeout=200)

    def answer(request: ChatRequest) -> str:
        return reply_with(fault=request.nonce == 0, remark=f"Number {request.nonce}.")

    def gate(folder: TaskFolder) -> Report:
        together.wait()
        worse = b"Number 1" in folder.files["bootcamp.py"]
        report = simple_gate(folder)
        if worse and not report.findings:
            from bootcamp_kit.report import Severity

            return make_report(folder, ["generator.slow"], severity=Severity.MAJOR)
        return report

    context = make_context(answer, gate=gate, candidates=3, gate_parallelism=3, repairs=0)
    (outcome,) = (await author([make_brief()], context)).outcomes
    assert outcome.kind is O.QUEUED
    assert queue.submissions[outcome.content_hash].candidate.lineage.index == 2
    assert len(queue.submissions) == 1


async def test_each_of_the_n_candidates_is_a_sample_of_its_own(make_context: MakeContext) -> None:
    model = ScriptedModel(lambda request: reply_with())
    await author([make_brief()], make_context(model=model, candidates=3))
    assert sorted(request.nonce for request in model.requests) == [0, 1, 2]
    assert len({request.messages for request in model.requests}) == 1


async def test_several_models_write_in_turn_and_each_signs_its_own(make_context: MakeContext, queue: Queue) -> None:
    first = ScriptedModel(lambda request: reply_with(fault=True), name="scripted:first")
    second = ScriptedModel(lambda request: reply_with(), name="scripted:second")
    writer = ModelAuthor(first, AuthoringSettings(), [second])
    (outcome,) = (await author([make_brief()], make_context(author=writer, candidates=3, repairs=0))).outcomes
    assert (len(first.requests), len(second.requests)) == (2, 1)
    candidate = queue.submissions[outcome.content_hash].candidate
    assert (candidate.lineage.author, candidate.lineage.index) == ("scripted:second", 1)
    assert candidate.folder.card.author == "scripted:second"


async def test_a_model_that_fails_twice_in_the_same_words_is_asked_a_third_time_and_not_the_cache(
    make_context: MakeContext, tmp_path: Path
) -> None:
    model = ScriptedModel(["Prose.", "Prose.", reply_with()])
    with closing(Ledger.open(tmp_path / "calls.sqlite", RUN_ID)) as ledger:
        context = make_context(model=CachedModel(model, ledger), repairs=2, candidates=1)
        (outcome,) = (await author([make_brief()], context)).outcomes
    assert outcome.kind is OutcomeKind.QUEUED, outcome.reason
    assert len(model.requests) == 3


async def test_candidates_are_written_at_the_temperatures_in_turn(make_context: MakeContext) -> None:
    first, second = (ScriptedModel(lambda request: reply_with(), name=f"scripted:{n}") for n in "ab")
    writer = ModelAuthor(first, AuthoringSettings(temperatures=(0.2, 1.0)), [second])
    await author([make_brief()], make_context(author=writer, candidates=5))
    used = sorted((r.nonce, r.temperature) for model in (first, second) for r in model.requests)
    assert used == [(0, 0.2), (1, 0.2), (2, 1.0), (3, 1.0), (4, 0.2)], "both models at each before the next"


async def test_checkpoints_of_another_version_are_refused_with_what_to_do(make_context: MakeContext) -> None:
    def stops(request: ChatRequest) -> str:
        if not path.with_suffix(".gone").exists():
            context.stop.request("told to")
        return reply_with()

    context = make_context(stops)
    path = context.run.root / "checkpoints.sqlite"
    (halted,) = (await author([make_brief()], context)).outcomes
    assert halted.kind is OutcomeKind.INTERRUPTED
    with closing(sqlite3.connect(path)) as database:
        (own,) = database.execute("PRAGMA user_version").fetchone()
        database.execute("PRAGMA user_version = 0")  # as of a version that marked nothing
    context.stop = Stop()
    with pytest.raises(
        UsageError, match=r"(?s)another version.*remove .*checkpoints\.sqlite.*not paid for twice"
    ) as refused:
        await resume(context)
    assert own
    assert context.run.run_id in str(refused.value)
    path.rename(path.with_suffix(".gone"))
    context.stop = Stop()
    assert [outcome.kind for outcome in (await resume(context)).outcomes] == [OutcomeKind.QUEUED]


async def test_equal_candidates_go_through_the_gate_once_in_a_row(make_context: MakeContext) -> None:
    seen: list[str] = []

    def gate(folder: TaskFolder) -> Report:
        seen.append(folder.content_hash)
        return simple_gate(folder)

    context = make_context(lambda request: reply_with(), gate=gate, candidates=3, gate_parallelism=1)
    await author([make_brief()], context)
    assert len(seen) == 1


async def test_a_providers_failure_is_the_briefs_and_others_go_on(make_context: MakeContext) -> None:
    def answer(request: ChatRequest) -> str | ProviderError:
        return BUSY if "Exact load 1" in request.messages[1].text else reply_with()

    summary = await author([make_brief(1), make_brief(2, "Other text.")], make_context(answer))
    assert [outcome.kind for outcome in summary.outcomes] == [O.FAILED, O.QUEUED]
    assert "HTTP 429" in summary.outcomes[0].reason
    assert summary.stopped_by is None


async def test_one_failed_call_of_three_does_not_lose_the_brief(make_context: MakeContext) -> None:
    def answer(request: ChatRequest) -> str | ProviderError:
        return BUSY if request.nonce == 0 else reply_with()

    (outcome,) = (await author([make_brief()], make_context(answer, candidates=3))).outcomes
    assert outcome.kind is O.QUEUED


async def test_a_rejected_key_stops_the_run_before_every_brief_meets_it(make_context: MakeContext) -> None:
    model = ScriptedModel(lambda request: REFUSED_KEY)
    briefs = [make_brief(number, f"Text {number}.") for number in range(1, 9)]
    summary = await author(briefs, make_context(model=model, brief_parallelism=1))
    assert summary.stopped_by is REFUSED_KEY
    assert {outcome.kind for outcome in summary.outcomes} == {O.INTERRUPTED}
    assert len(model.requests) == 1


async def test_a_spent_budget_stops_the_run_but_not_the_calls_under_way(make_context: MakeContext) -> None:
    """A paid call that is cancelled is money lost: the neighbour's answer must come home."""
    came_home: list[int] = []

    class Model(ScriptedModel):
        async def chat(self, request: ChatRequest) -> ChatReply:
            if request.nonce == 0:
                await asyncio.sleep(0.1)
                raise BudgetError("ask", "spent", "raise --max-usd")
            await asyncio.sleep(0.2)
            came_home.append(request.nonce)
            return await super().chat(request)

    context = make_context(model=Model(lambda request: reply_with()), candidates=3)
    summary = await author([make_brief()], context)
    assert isinstance(summary.stopped_by, BudgetError)
    assert sorted(came_home) == [1, 2]
    assert [outcome.kind for outcome in summary.outcomes] == [O.OVER_BUDGET]


async def test_a_run_whose_minutes_are_over_stops_in_good_order_and_goes_on_later(make_context: MakeContext) -> None:
    class Slow(ScriptedModel):
        async def chat(self, request: ChatRequest) -> ChatReply:
            await asyncio.sleep(0.4)
            return await super().chat(request)

    briefs = [make_brief(number, f"Text {number}.") for number in range(1, 5)]
    context = make_context(model=Slow(lambda request: reply_with()), brief_parallelism=1, max_minutes=0.5 / 60)
    summary = await author(briefs, context)
    assert isinstance(summary.stopped_by, BudgetError)
    assert set(summary.counts) >= {O.OVER_BUDGET}
    assert summary.counts[O.OVER_BUDGET] >= 2
    assert {outcome.kind for outcome in summary.outcomes} <= {O.QUEUED, O.OVER_BUDGET}
    again = make_context(lambda request: reply_with(), run=context.run)
    assert {outcome.kind for outcome in (await resume(again)).outcomes} == {O.QUEUED}


async def test_failures_in_a_row_stop_the_run(make_context: MakeContext) -> None:
    model = ScriptedModel(lambda request: BUSY)
    briefs = [make_brief(number, f"Text {number}.") for number in range(1, 9)]
    summary = await author(briefs, make_context(model=model, brief_parallelism=1, troubles_in_a_row=3))
    assert isinstance(summary.stopped_by, MachineError)
    assert summary.counts[O.FAILED] == 3
    assert summary.counts[O.INTERRUPTED] == 5


async def test_a_gate_that_breaks_down_blames_no_candidate_and_is_asked_again(
    make_context: MakeContext, queue: Queue
) -> None:
    broken = True

    def gate(folder: TaskFolder) -> Report:
        if broken:
            raise MachineError("running the gate", "no engine", "start it")
        return simple_gate(folder)

    model = ScriptedModel([reply_with(), reply_with()])
    context = make_context(model=model, gate=gate)
    (outcome,) = (await author([make_brief()], context)).outcomes
    assert (outcome.kind, queue.calls) == (O.FAILED, 0)
    assert "no engine" in outcome.reason
    broken = False
    again = make_context(model=model, gate=gate, run=context.run)
    assert [item.kind for item in (await resume(again)).outcomes] == [O.QUEUED]


async def test_checks_that_could_not_run_are_run_again(make_context: MakeContext) -> None:
    reports = [unfinished_report, simple_gate]
    context = make_context(lambda request: reply_with(), gate=lambda folder: reports.pop(0)(folder))
    (outcome,) = (await author([make_brief()], context)).outcomes
    assert outcome.kind is O.FAILED
    assert "could not run" in outcome.reason
    (outcome,) = (await resume(context)).outcomes
    assert outcome.kind is O.QUEUED


async def test_a_finished_run_resumed_does_nothing(make_context: MakeContext, queue: Queue) -> None:
    context = make_context([reply_with()])
    first = await author([make_brief()], context)
    assert (await resume(context)).outcomes == first.outcomes
    assert queue.calls == 1


async def test_equal_briefs_are_done_once_and_a_taken_id_is_refused(make_context: MakeContext) -> None:
    context = make_context(lambda request: reply_with())
    one, other = make_brief(1), make_brief(1, "Another text.")
    summary = await author([one, other, one], context)
    assert [outcome.kind for outcome in summary.outcomes] == [O.QUEUED, O.REFUSED]
    assert "belongs to another brief" in summary.outcomes[1].reason


async def test_no_briefs_is_an_empty_summary(make_context: MakeContext) -> None:
    assert (await author([], make_context())).outcomes == ()


async def test_a_repair_order_enters_at_repair(make_context: MakeContext, queue: Queue, tmp_path: Path) -> None:
    first = make_context([reply_with(fault=True)], repairs=0)
    brief = make_brief()
    (outcome,) = (await author([brief], first)).outcomes
    candidate = Candidate(
        first.run.artefacts.folder(outcome.content_hash), Lineage("scripted:model", brief.hash, attempt=4)
    )
    order = RepairOrder(brief, candidate, (), "Crates may not be named twice.")
    model = ScriptedModel([mended()])
    run = make_run(tmp_path, AuthoringSettings(), "20261201T120000000Z-00000b")
    result = await repair(order, make_context(model=model, run=run))
    assert result.kind is O.QUEUED
    lineage = queue.submissions[result.content_hash].candidate.lineage
    assert (lineage.attempt, lineage.parent) == (5, candidate.content_hash)
    assert "Crates may not be named twice." in model.requests[0].messages[-1].text


async def test_a_repair_order_that_meets_a_rejected_key_raises(make_context: MakeContext, tmp_path: Path) -> None:
    first = make_context([reply_with(fault=True)], repairs=0)
    brief = make_brief()
    (outcome,) = (await author([brief], first)).outcomes
    folder = first.run.artefacts.folder(outcome.content_hash)
    order = RepairOrder(brief, Candidate(folder, Lineage("a", brief.hash)), (), "why")
    run = make_run(tmp_path, AuthoringSettings(), "20261201T120000000Z-00000b")
    with pytest.raises(EndpointRefused):
        await repair(order, make_context([REFUSED_KEY], run=run))


async def test_a_run_is_started_once(make_context: MakeContext) -> None:
    context = make_context([reply_with()])
    await author([make_brief()], context)
    with pytest.raises(UsageError, match="started before"):
        await author([make_brief()], context)


class Deterministic:
    """An author like the compiler."""

    name, deterministic = "compiler/1", True

    def __init__(self, made: Draft) -> None:
        self.made, self.turns, self.closed = made, 0, False

    async def draft(self, work: Assignment) -> Draft:
        self.turns += 1
        return self.made

    async def repair(self, work: Assignment, *args: object) -> Draft:
        return Refused("repair", "deterministic author")

    async def close(self) -> None:
        self.closed = True


async def test_a_deterministic_author_makes_one_candidate_and_no_repairs(make_context: MakeContext) -> None:
    writer = Deterministic(Refused("grammar", "the Input section was not understood"))
    (outcome,) = (await author([make_brief()], make_context(author=writer, candidates=5))).outcomes
    assert outcome.kind is O.REFUSED
    assert outcome.reason == "grammar: the Input section was not understood"
    assert writer.turns == 1
    assert writer.closed


async def test_a_fault_of_ours_is_one_briefs_and_is_kept_for_whoever_mends_it(make_context: MakeContext) -> None:
    met: list[str] = []

    def gate(folder: TaskFolder) -> Report:
        met.append(folder.content_hash)
        if len(met) == 1:
            raise ZeroDivisionError("a \x1b[31mbug")
        return simple_gate(folder)

    context = make_context(lambda request: reply_with(), gate=gate, brief_parallelism=1)
    failed, queued = (await author([make_brief(1), make_brief(2, "Other.")], context)).outcomes
    assert (failed.kind, queued.kind) == (O.FAILED, O.QUEUED)
    assert "a fault of this program: ZeroDivisionError: a \\x1b[31mbug" in failed.reason
    (kept,) = (context.run.root / "faults").iterdir()
    assert str(kept) in failed.reason and "Traceback" in kept.read_text() and "def gate" not in failed.reason
    assert not context.run.held()
    again = await resume(context)
    assert [outcome.kind for outcome in again.outcomes] == [O.QUEUED, O.QUEUED]


async def test_a_full_disk_stops_the_run_with_what_to_do(make_context: MakeContext) -> None:
    context = make_context([reply_with()])
    context.run.events.path.symlink_to("/dev/full")
    with pytest.raises(MachineError, match="No space left") as caught:
        await author([make_brief()], context)
    assert "free some space" in caught.value.do


async def test_damaged_checkpoints_are_a_clear_error_and_may_be_removed(
    make_context: MakeContext, queue: Queue
) -> None:
    context = make_context([BUSY, reply_with()])
    await author([make_brief()], context)
    database = context.run.root / "checkpoints.sqlite"
    for leftover in context.run.root.glob("checkpoints.sqlite*"):
        leftover.unlink()
    database.write_bytes(b"not a database" * 1000)
    with pytest.raises(MachineError, match="checkpoints"):
        await resume(context)
    database.unlink()
    assert [outcome.kind for outcome in (await resume(context)).outcomes] == [O.QUEUED]


async def test_two_processes_cannot_drive_one_run(make_context: MakeContext) -> None:
    context = make_context([reply_with()])
    with context.run.lock("process 1"), pytest.raises(UsageError, match="process 1"):
        await author([make_brief()], context)


async def test_finished_threads_leave_no_checkpoints_behind(make_context: MakeContext) -> None:
    import sqlite3
    from contextlib import closing

    context = make_context(lambda request: reply_with(), candidates=2)
    await author([make_brief(number, f"Text {number}.") for number in range(1, 4)], context)
    with closing(sqlite3.connect(context.run.root / "checkpoints.sqlite")) as database:
        counts = [database.execute(f"select count(*) from {table}").fetchone() for table in ("checkpoints", "writes")]
    assert counts == [(0,), (0,)]


async def test_every_call_leaves_a_transcript(make_context: MakeContext) -> None:
    context = make_context(["prose \ud800", reply_with()])
    await author([make_brief()], context)
    first, second = (context.run.transcript(f"exact_load_1-c0-t{turn}") for turn in (1, 2))
    assert first["reply"] == "prose \ud800"
    assert second["reply"] == reply_with()
    assert [message["role"] for message in second["messages"]] == ["system", "user", "assistant", "user"]


async def test_events_tell_the_story_in_order(make_context: MakeContext) -> None:
    context = make_context([reply_with(fault=True), mended()])
    heard: list[str] = []
    context.listener = lambda event: heard.append(f"{event.node}:{event.what}")
    await author([make_brief()], context)
    assert heard == [f"{event.node}:{event.what}" for event in RunFolder(context.run.root).events.read()]
    assert heard == [
        "run:started",
        "brief:started",
        "draft:started",
        "draft:drafted",
        "check:started",
        "check:failed",
        "repair:started",
        "repair:drafted",
        "check:started",
        "check:passed",
        "finish:queued",
        "run:finished",
    ]
