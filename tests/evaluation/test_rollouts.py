"""A run: every rollout stored once, resumable, three-valued, and ended early with a reason."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from bootcamp_kit.errors import BudgetError, ProviderError, UsageError
from bootcamp_kit.folder import TaskFolder
from chat_models.cache import CachedModel
from chat_models.ledger import Budget, Ledger
from chat_models.protocol import ChatModel, ChatRequest
from chat_models.scripted import ScriptedModel
from evaluation.boxes import Boxes
from evaluation.concurrency import AdaptiveLimit
from evaluation.plan import EvaluationPlan, grid, parse_levels, parse_seeds
from evaluation.rollouts import MOST_FAILURES, Progress, run
from evaluation.store import RunStore
from evaluation.summary import summarise
from tests.evaluation.conftest import TRICKS, task_files
from tests.wire_servers.fixtures import openai_server
from tests.wire_servers.openai_server import OpenAIServer
from tests.wire_servers.reply import cuts, fails, refuses, says, sends

Doubler = Callable[..., ScriptedModel]
__all__ = ["openai_server"]


def plan_of(
    folders: dict[str, TaskFolder], *names: str, levels: str = "1-3", seeds: int = 10, **more
) -> EvaluationPlan:
    tasks = grid([folders[name] for name in names], parse_levels(levels), range(seeds))
    return EvaluationPlan(tasks, "scripted:doubler", scorer="process", **more)


async def drive(store: RunStore, model: ChatModel, folders: dict[str, TaskFolder], **more):
    with Boxes(folders, None) as boxes:
        return await run(store, model, boxes, **more)


async def test_every_rollout_is_stored_with_its_verdict(
    tmp_path: Path, folders: dict[str, TaskFolder], doubler: Doubler
) -> None:
    def say(number: int, request: ChatRequest) -> str:
        if number % 5 == 0:
            return "<answer>666</answer>"
        return f"<answer>{2 * number + (number % 3 == 0)}</answer>" if number % 7 else "hm"

    seen: list[Progress] = []
    plan = plan_of(folders, "doubling", "tricky", samples=2)
    with RunStore.create(tmp_path / "run", plan) as store:
        assert await drive(store, doubler(say), folders, listener=seen.append) is None
        lines = store.lines
        rollouts = [store.read(line) for line in lines]
        assert all(store.prompt(item.prompt_hash) for item in rollouts[:3])
    assert len(lines) == plan.total == 120 and len({line.id for line in lines}) == 120
    assert seen[0].done == 0 and seen[-1].done == 120
    found = summarise(plan, lines)
    assert sum(found.total.outcomes.values()) + sum(found.total.unscored.values()) == 120
    assert set(found.total.unscored) == {"verifier-crash"} and found.total.missing == 0
    crashed = [item for item in rollouts if item.unscored]
    assert all(item.value is None and item.outcome == "" and "fell over" in item.detail for item in crashed)
    assert all(item.task_id == "tricky" and item.response for item in crashed)
    assert found.total.at_least <= found.total.score.value <= found.total.at_most
    assert json.loads(json.dumps(found.to_json()))["total"]["planned"] == 120
    assert set(found.total.passes) == {1, 2} and found.total.passes[2] >= found.total.passes[1]


async def test_a_resumed_run_asks_only_what_is_missing_and_repairs_a_torn_file(
    tmp_path: Path, folders: dict[str, TaskFolder], doubler: Doubler
) -> None:
    plan = plan_of(folders, "doubling")
    model = doubler()
    with RunStore.create(tmp_path / "run", plan) as store:
        await drive(store, model, folders)
        whole = [store.read(line) for line in store.lines]
    path = tmp_path / "run" / "rollouts.jsonl"
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:20]) + lines[20][:57])
    model.requests.clear()
    with RunStore.open(tmp_path / "run", write=True) as store:
        assert len(store.lines) == 20
        await drive(store, model, folders)
        again = [store.read(line) for line in store.lines]
    assert len(model.requests) == 10
    assert [(item.id, item.response, item.value) for item in again] == [
        (item.id, item.response, item.value) for item in whole
    ]
    (tmp_path / "run" / "index.jsonl").unlink()
    with RunStore.open(tmp_path / "run", write=True) as store:
        assert len(store.lines) == 30, "the index is made again from the rollouts"


async def test_failed_calls_are_unscored_and_tried_again(
    tmp_path: Path, folders: dict[str, TaskFolder], doubler: Doubler
) -> None:
    broken = {"left": 4}

    def say(number: int, request: ChatRequest):
        if broken["left"]:
            broken["left"] -= 1
            return ProviderError("ask", "HTTP 500", "wait")
        return f"<answer>{2 * number}</answer>"

    plan = plan_of(folders, "doubling")
    with RunStore.create(tmp_path / "run", plan) as store:
        assert await drive(store, doubler(say), folders) is None
        assert Counter(line.unscored for line in store.lines) == {"": 26, "provider": 4}
        assert summarise(plan, store.lines).total.score.value == 1.0
        assert summarise(plan, store.lines).total.at_least == pytest.approx(26 / 30)
    with RunStore.open(tmp_path / "run", write=True) as store:
        assert await drive(store, doubler(say), folders) is None
        assert Counter(line.unscored for line in store.lines) == {"": 30}
        assert store.repeated == 4


async def test_a_provider_that_is_down_ends_the_run(
    tmp_path: Path, folders: dict[str, TaskFolder], doubler: Doubler
) -> None:
    down = doubler(lambda number, request: ProviderError("ask x", "connection refused", "check it"))
    plan = plan_of(folders, "doubling", seeds=200)
    with RunStore.create(tmp_path / "run", plan) as store:
        error = await drive(store, down, folders)
        assert isinstance(error, ProviderError) and "in a row" in error.found
        assert MOST_FAILURES <= len(store.lines) < 60


async def test_a_budget_ends_the_run_and_no_call_is_paid_twice(
    tmp_path: Path, folders: dict[str, TaskFolder], doubler: Doubler
) -> None:
    plan, model = plan_of(folders, "doubling", levels="4", seeds=60), doubler()
    ledger = Ledger.open(tmp_path / "calls.sqlite", "run", budget=Budget(max_tokens=200))
    with RunStore.create(tmp_path / "run", plan) as store:
        error = await drive(store, CachedModel(model, ledger), folders)
        assert isinstance(error, BudgetError)
        stored, paid = len(store.lines), len(model.requests)
        assert 0 < stored == paid < 60
    ledger.close()
    ledger = Ledger.open(tmp_path / "calls.sqlite", "run")
    (tmp_path / "run" / "rollouts.jsonl").unlink()  # even then: replies are in the cache
    (tmp_path / "run" / "index.jsonl").unlink()
    with RunStore.open(tmp_path / "run", write=True) as store:
        assert await drive(store, CachedModel(model, ledger), folders) is None
        assert len(store.lines) == 60 and len({request.messages for request in model.requests}) == len(model.requests)
    assert ledger.summary().paid_calls <= 60
    ledger.close()


async def test_bad_keys_end_the_run_at_once_and_rate_limits_do_not(
    tmp_path: Path, folders: dict[str, TaskFolder], openai_server: OpenAIServer
) -> None:
    from chat_models.options import ModelOptions
    from chat_models.providers import open_model

    model = open_model(
        f"local:{openai_server.url}#m", environ={}, options=ModelOptions(max_retries=2, longest_wait_s=2)
    )
    openai_server.script([fails(401, "no such key")] * 40)
    plan = plan_of(folders, "doubling", levels="1", seeds=30)
    with RunStore.create(tmp_path / "refused", plan) as store:
        error = await drive(store, model, folders)
        assert isinstance(error, ProviderError) and "401" in error.found and not store.lines
    count = {"calls": 0}

    def answer(request):
        count["calls"] += 1
        if count["calls"] % 6 == 0:
            return fails(429, "slow down", retry_after="0.01")
        number = int(request["messages"][-1]["content"].split("twice ")[1].split("?")[0])
        return says(f"<answer>{2 * number}</answer>", usage=(5, 3, 0))

    openai_server.answer = answer
    with RunStore.create(tmp_path / "run", plan) as store:
        assert await drive(store, model, folders) is None
        found = summarise(plan, store.lines).total
    assert found.outcomes["correct"] == 30 and not found.unscored and found.output_tokens == 90
    await model.close()


async def test_garbage_empty_and_broken_replies_are_told_apart(
    tmp_path: Path, folders: dict[str, TaskFolder], openai_server: OpenAIServer
) -> None:
    from chat_models.options import ModelOptions
    from chat_models.providers import open_model

    replies = [
        sends(b"\xff\x00garbage", "text/event-stream"),
        says(""),
        says("\x00\ud7ff" * 50_000),
        says("<answer>1</answer>" * 3_000, stop="length"),
        refuses(),
        sends(b"{}"),
        says("x" * 90_000),
        *[cuts("<answer>1</answer>", 5)] * 2,
    ]
    openai_server.script(replies)
    options = ModelOptions(max_retries=0, max_reply_chars=150_000)
    model = open_model(f"local:{openai_server.url}#m", environ={}, options=options)
    plan = plan_of(folders, "doubling", levels="4", seeds=8)
    with RunStore.create(tmp_path / "run", plan) as store:
        assert await drive(store, model, folders, most=1) is None
        found, lines = summarise(plan, store.lines).total, store.lines
    assert len(lines) == 8 and found.unscored == {"provider": 3}
    assert found.outcomes["malformed"] + found.outcomes["wrong"] == 5 and found.truncated == 1
    assert [line.stop for line in lines].count("refusal") == 1
    await model.close()


async def test_a_cancelled_run_stores_no_verdict_of_a_box_that_was_closed_under_it(
    tmp_path: Path, doubler: Doubler
) -> None:
    patient = {"patient": TaskFolder(task_files("patient", trick=TRICKS, seconds=30))}
    hanging = doubler(lambda number, request: "<answer>667</answer>")
    plan = plan_of(patient, "patient", levels="4", seeds=1)
    with RunStore.create(tmp_path / "run", plan) as store:
        under_way = asyncio.create_task(drive(store, hanging, patient))
        while not hanging.requests:
            await asyncio.sleep(0.05)
        await asyncio.sleep(0.5)
        under_way.cancel()
        with pytest.raises(asyncio.CancelledError):
            await under_way
        await asyncio.sleep(0.5)
        assert not store.lines


def test_a_run_killed_with_sigkill_goes_on_to_the_same_table(
    tmp_path: Path, shelf: Path, folders: dict[str, TaskFolder]
) -> None:
    program = tmp_path / "drive.py"
    program.write_text(PROGRAM)
    command = [sys.executable, str(program), str(shelf), str(tmp_path)]
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    for answers in (20, 30, 0):  # the model answers so often and no more; 0: as often as it is asked
        child = subprocess.Popen([*command, str(answers)], env=environment)
        rollouts = tmp_path / "run" / "rollouts.jsonl"
        before = rollouts.stat().st_size if rollouts.exists() else 0
        while answers and child.poll() is None:
            time.sleep(0.02)
            if (rollouts.stat().st_size if rollouts.exists() else 0) > before + 2_000:
                os.kill(child.pid, signal.SIGKILL)
                break
        child.wait()
        assert child.returncode == (-signal.SIGKILL if answers else 0)
    asked = (tmp_path / "asked.log").read_text().split()
    with RunStore.open(tmp_path / "run") as store:
        lines = store.lines
        assert len(lines) == store.plan.total == 90
        assert all(line.outcome == "correct" for line in lines)
    assert len(asked) <= 90 + 2 * 4, "only calls that were under way at a kill were made again"


PROGRAM = """
import asyncio, sys
from pathlib import Path
from bootcamp_kit.folder import TaskFolder
from bootcamp_kit.library import Library
from chat_models.cache import CachedModel
from chat_models.ledger import Ledger
from chat_models.protocol import ChatReply, StopReason, Usage
from evaluation.boxes import Boxes
from evaluation.plan import EvaluationPlan, grid
from evaluation.rollouts import run
from evaluation.store import RunStore

shelf, place = Path(sys.argv[1]), Path(sys.argv[2])
folders = {entry.card.id: TaskFolder.read(entry.path) for entry in Library(shelf).scan()[0]}


class Slow:
    name = "slow:model"
    left = int(sys.argv[3]) or 1_000

    async def chat(self, request):
        with (place / "asked.log").open("a") as log:
            log.write("x\\n")
        self.left -= 1
        await asyncio.sleep(0.03 if self.left >= 0 else 3_600)
        number = int(request.messages[-1].text.split("twice ")[1].split("?")[0])
        return ChatReply(f"<answer>{2 * number}</answer>", StopReason.END, Usage(5, 5), self.name)

    async def close(self):
        pass


async def main():
    run_folder = place / "run"
    if (run_folder / "plan.json").exists():
        store = RunStore.open(run_folder, write=True)
    else:
        plan = EvaluationPlan(grid([folders["doubling"]], [3, 4], range(45)), "slow:model", scorer="process")
        store = RunStore.create(run_folder, plan)
    ledger = Ledger.open(place / "calls.sqlite", "run")
    with Boxes(folders, None) as boxes:
        assert await run(store, CachedModel(Slow(), ledger), boxes, most=4) is None
    ledger.close()
    store.close()


asyncio.run(main())
"""


def test_two_processes_do_not_write_one_run(tmp_path: Path, folders: dict[str, TaskFolder]) -> None:
    with RunStore.create(tmp_path / "run", plan_of(folders, "doubling")):
        with pytest.raises(UsageError, match="another process"):
            RunStore.open(tmp_path / "run", write=True)
        with pytest.raises(UsageError, match="holds a run"):
            RunStore.create(tmp_path / "run", plan_of(folders, "doubling"))
    with pytest.raises(UsageError, match="no readable plan"):
        RunStore.open(tmp_path)


def test_plans_say_what_is_wrong_with_them(folders: dict[str, TaskFolder]) -> None:
    with pytest.raises(UsageError, match="levels run from 1 to 4"):
        plan_of(folders, "doubling", levels="3-5")
    with pytest.raises(UsageError, match="named twice"):
        plan_of(folders, "doubling", "doubling")
    for text in ("", "3-1", "a", "1-", "-1"):
        with pytest.raises(UsageError, match="levels"):
            parse_levels(text)
    for text in ("0", "5:5", "-3", "a:b", "1:"):
        with pytest.raises(UsageError, match="seeds"):
            parse_seeds(text)
    assert (parse_levels("1-3,2,7"), parse_seeds("5"), parse_seeds("3:9")) == ([1, 2, 3, 7], (0, 5), (3, 9))
    assert parse_seeds("3:", open_end=True) == (3, None)
    plan = plan_of(folders, "doubling", "tricky", samples=3)
    assert EvaluationPlan.from_json(json.loads(json.dumps(plan.to_json()))) == plan


async def test_concurrency_follows_throughput_and_halves_on_failure() -> None:
    now = {"s": 0.0}
    limit = AdaptiveLimit(64, start=4, clock=lambda: now["s"])

    def window(rate: float) -> None:
        for _ in range(int(limit.limit)):
            now["s"] += 1 / rate
            limit.answered()

    for _ in range(30):
        window(rate=min(limit.limit, 20))  # more than 20 at once brings nothing
    assert 18 <= limit.limit <= 26
    before = limit.limit
    limit.failed()
    assert limit.limit == before // 2
    for _ in range(9):
        limit.failed()
    assert limit.limit == 1
    await limit.enter()
    waiting = asyncio.create_task(limit.enter())
    await asyncio.sleep(0.01)
    assert not waiting.done()
    await limit.leave()
    await waiting
