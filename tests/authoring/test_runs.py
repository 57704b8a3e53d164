"""The run folder: what is stored comes back, what was torn is passed over, two processes do not share a run."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from authoring.artefacts import ORDER_SLOT, turn_slot
from authoring.events import Event
from authoring.outcomes import BriefOutcome, OutcomeKind, RunSummary
from authoring.runs import RunFolder, WorkItem, list_runs, new_run_id
from authoring.settings import AuthoringSettings
from bootcamp_kit.brief import Sample, Solution
from bootcamp_kit.candidate import Candidate, Lineage
from bootcamp_kit.decision import RepairOrder
from bootcamp_kit.errors import MachineError, UsageError
from tests.authoring.parts import draft_folder, make_brief, make_report, make_run, unfinished_report

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)


@pytest.fixture
def run(tmp_path: Path) -> RunFolder:
    return make_run(tmp_path, AuthoringSettings(candidates=2))


def make_candidate(index: int = 0, attempt: int = 1) -> Candidate:
    prompts = (("draft.md", "0" * 64),)
    lineage = Lineage("scripted:model", make_brief().hash, attempt, index, prompts=prompts, run="r")
    return Candidate(draft_folder(), lineage)


def test_run_ids_sort_by_time_and_differ() -> None:
    rng = random.Random(1)
    ids = [new_run_id(NOW + timedelta(milliseconds=step), rng) for step in (0, 1, 999, 1000, 60_000)]
    assert ids == sorted(ids)
    assert new_run_id(NOW, rng) != new_run_id(NOW, rng)


def test_a_run_tells_what_it_was_started_with(tmp_path: Path) -> None:
    settings = AuthoringSettings(candidates=5, temperatures=(0.5, 1.0))
    run_id = new_run_id(NOW, random.Random(1))
    RunFolder.create(tmp_path, run_id, author="a", settings=settings, created="c", config={"author": "openai:m"})
    again = RunFolder.open(tmp_path, run_id)
    assert again.settings == settings
    assert again.config == {"author": "openai:m"}


@pytest.mark.parametrize("name", ["", "..", "../../etc", "20261130T120000000Z-00000", "x" * 500, "a/b"])
def test_only_a_run_id_names_a_run(tmp_path: Path, name: str) -> None:
    with pytest.raises(UsageError):
        RunFolder.open(tmp_path, name)


def test_an_unknown_run_and_a_taken_id_are_refused(tmp_path: Path, run: RunFolder) -> None:
    with pytest.raises(UsageError, match="not found"):
        RunFolder.open(tmp_path, "20200101T000000000Z-000000")
    with pytest.raises(UsageError, match="exists"):
        make_run(tmp_path, AuthoringSettings())


def test_a_brief_comes_back_whole(run: RunFolder) -> None:
    brief = make_brief(
        text="a\nb\r\n\u2028 é", samples=(Sample("1", "2"),), solution=Solution("python", "x"), tags=("t",)
    )
    assert run.artefacts.brief(run.artefacts.put_brief(brief)) == brief


def test_a_candidate_comes_back_with_the_lineage_of_its_turn(run: RunFolder) -> None:
    for index in (0, 1):
        run.artefacts.put_candidate(make_candidate(index), turn_slot(index, 1))
    for index in (0, 1):
        found = run.artefacts.candidate(make_candidate().content_hash, turn_slot(index, 1))
        assert found == make_candidate(index)


def test_changed_bytes_are_noticed(run: RunFolder) -> None:
    name = run.artefacts.put_candidate(make_candidate(), turn_slot(0, 1))
    (run.root / "candidates" / name / "oracle.py").write_text("changed")
    with pytest.raises(MachineError, match="damaged"):
        run.artefacts.folder(name)


def test_an_inconclusive_report_does_not_settle_a_candidate(run: RunFolder) -> None:
    folder = make_candidate().folder
    assert run.artefacts.settled_report(folder.content_hash) is None
    run.artefacts.put_report(unfinished_report(folder))
    assert run.artefacts.settled_report(folder.content_hash) is None
    run.artefacts.put_report(make_report(folder))
    assert run.artefacts.settled_report(folder.content_hash) == make_report(folder)


def test_a_repair_order_comes_back(run: RunFolder) -> None:
    candidate = make_candidate(index=2, attempt=3)
    findings = make_report(candidate.folder, ["floor.high"]).findings
    order = RepairOrder(make_brief(), candidate, findings, "too easy")
    assert run.artefacts.order(run.artefacts.put_order(order)) == order
    assert run.artefacts.candidate(candidate.content_hash, ORDER_SLOT) == candidate


def test_what_a_killed_process_left_half_written_is_swept_away(run: RunFolder) -> None:
    (run.root / "candidates" / ".writing-abc").mkdir()
    (run.root / "reports" / ".writing-abc").write_text("{")
    run.artefacts.sweep()
    assert not list(run.root.rglob(".writing-*"))


def test_a_torn_line_of_events_is_passed_over_and_later_ones_are_kept(run: RunFolder) -> None:
    first, second, third = (Event("t", "b", number, "draft", "started") for number in range(3))
    run.events.append(first)
    run.events.append(second)
    data = run.events.path.read_bytes()
    run.events.path.write_bytes(data[:-20])
    run.events.append(third)
    assert list(run.events.read()) == [first, third]


def test_work_that_was_never_stored_cannot_be_resumed(run: RunFolder) -> None:
    with pytest.raises(UsageError, match="before its briefs"):
        run.work()
    run.store_work((WorkItem("b" * 64, "one"), WorkItem("c" * 64, "two", "d" * 64)))
    assert run.work() == (WorkItem("b" * 64, "one"), WorkItem("c" * 64, "two", "d" * 64))


def test_two_holders_do_not_share_a_run(run: RunFolder) -> None:
    assert not run.held()
    with run.lock("process 1"):
        assert run.held()
        with pytest.raises(UsageError, match="process 1"), run.lock("process 2"):
            pass
        assert run.info().state == "running"
    with run.lock("process 2"):
        pass


def test_the_lock_falls_with_its_process(run: RunFolder) -> None:
    code = (
        "import sys, time, pathlib; from authoring.runs import RunFolder\n"
        "with RunFolder(pathlib.Path(sys.argv[1])).lock('child'): print('held', flush=True); time.sleep(60)"
    )
    with subprocess.Popen([sys.executable, "-c", code, str(run.root)], stdout=subprocess.PIPE) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == b"held\n"
        assert run.held()
        child.kill()
        child.wait()
    with run.lock("after"):
        pass


def test_the_index_lists_runs_by_time_with_their_state(tmp_path: Path, run: RunFolder) -> None:
    run.store_work((WorkItem("b" * 64, "one"),))
    done = make_run(tmp_path, AuthoringSettings(), "20261129T120000000Z-00000b")
    done.store_work((WorkItem("b" * 64, "one"),))
    outcome = BriefOutcome("one", "b" * 64, OutcomeKind.QUEUED, queue_id="Q1")
    done.put_summary(RunSummary(done.run_id, (outcome,)))
    (tmp_path / "runs" / "20261128T120000000Z-00000c").mkdir()
    (tmp_path / "runs" / "notes").mkdir()
    torn = make_run(tmp_path, AuthoringSettings(), "20261201T120000000Z-00000d")
    (torn.root / "run.json").write_text("{")
    found = list_runs(tmp_path)
    assert [(info.run_id, info.state, info.briefs) for info in found] == [
        (done.run_id, "finished", 1),
        (run.run_id, "unfinished", 1),
        (torn.run_id, "damaged", 0),
    ]
    assert found[0].counts["queued"] == 1
    assert list_runs(tmp_path / "nowhere") == ()


def test_an_outcome_can_be_read_forgotten_and_read_as_none(run: RunFolder) -> None:
    outcome = BriefOutcome("one", "b" * 64, OutcomeKind.FAILED, "429", turns=2)
    run.put_outcome(outcome)
    assert run.outcome("b" * 64) == outcome
    run.forget_outcome("b" * 64)
    assert run.outcome("b" * 64) is None


@pytest.mark.parametrize("wrong", [{"candidates": 0}, {"repairs": -1}, {"temperatures": (9.0,)}, {"candidates": True}])
def test_settings_out_of_range_are_refused(wrong: dict[str, int]) -> None:
    with pytest.raises(UsageError, match=next(iter(wrong))):
        AuthoringSettings(**wrong)
    with pytest.raises(UsageError, match="unknown"):
        AuthoringSettings.from_json({"colour": 1})


@pytest.mark.parametrize("name", ["run.json", "work.json", "outcome"])
@pytest.mark.parametrize("text", ["[]", "{}", "null", '{"items": [1], "a": 1}', '{"a":'])
def test_a_record_of_another_shape_is_told_as_damage_and_the_others_stay_listed(
    run: RunFolder, tmp_path: Path, name: str, text: str
) -> None:
    run.store_work((WorkItem(make_brief().hash, "a"),))
    run.put_outcome(BriefOutcome("a", make_brief().hash, OutcomeKind.QUEUED))
    file = f"outcomes/{make_brief().hash}.json" if name == "outcome" else name
    (run.root / file).write_text(text)
    with pytest.raises(MachineError, match="damaged"):
        _ = (run.config, run.settings, run.work(), run.outcome(make_brief().hash))
    assert name == "outcome" or [info.state for info in list_runs(tmp_path)] == ["damaged"]


@pytest.mark.skipif(os.geteuid() != 0, reason="mounting a small file system needs root")
def test_a_run_whose_first_file_finds_no_space_is_not_said_to_be_resumable(tmp_path: Path) -> None:
    small = tmp_path / "small"
    small.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=4k,nr_inodes=100", "none", small], check=True)
    try:
        (small / "all").write_bytes(b"x" * 4096)
        with pytest.raises(MachineError, match="No space left") as caught:
            make_run(small, AuthoringSettings())
        assert "run the same command again: nothing was begun" in caught.value.do and "resume" not in caught.value.do
    finally:
        subprocess.run(["umount", small], check=True)


def test_what_fails_after_the_work_is_stored_is_told_as_it_was(run: RunFolder) -> None:
    for stored in (False, True):
        if stored:
            run.store_work((WorkItem("0" * 64, "a_task"),))
        with pytest.raises(MachineError) as caught, run.beginning():
            raise MachineError("writing", "full", "free some space, then resume the run")
        assert ("resume" in caught.value.do) is stored
