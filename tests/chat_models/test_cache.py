from __future__ import annotations

import asyncio
import os
import signal
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from bootcamp_kit.errors import MachineError, ProviderError, UsageError
from chat_models.cache import CachedModel
from chat_models.call_store import CallLabel, CallStore, request_key
from chat_models.ledger import Ledger
from chat_models.protocol import ChatReply, ChatRequest, Message, StopReason, Usage
from chat_models.scripted import ScriptedModel
from tests.wire_servers.openai_server import OpenAIServer
from tests.wire_servers.reply import Reply

ASK = ChatRequest((Message("system", "s"), Message("user", "u")))


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    found = Ledger.open(tmp_path / "state" / "calls.sqlite3", "run-1")
    yield found
    found.close()


async def test_an_answered_call_is_not_paid_again(ledger: Ledger, tmp_path: Path) -> None:
    reply = ChatReply("text \u2028 \x00 🧩", StopReason.LENGTH, Usage(10, 5, 3), "m-2026")
    inner = ScriptedModel([reply])
    assert await CachedModel(inner, ledger).chat(ASK) == reply
    assert await CachedModel(inner, ledger).chat(ASK) == reply
    with_other_run = Ledger.open(ledger.store.path, "run-2")
    assert await CachedModel(inner, with_other_run).chat(ASK) == reply
    with_other_run.close()
    assert len(inner.requests) == 1


@pytest.mark.parametrize(
    "other",
    [
        replace(ASK, nonce=1),
        replace(ASK, max_tokens=1),
        replace(ASK, temperature=0.0),
        replace(ASK, messages=(Message("user", "u"),)),
        replace(ASK, messages=(Message("system", "su"), Message("user", ""))),
    ],
)
async def test_another_question_is_another_call(ledger: Ledger, other: ChatRequest) -> None:
    model = CachedModel(ScriptedModel(["one", "two"]), ledger)
    assert [(await model.chat(asked)).text for asked in (ASK, other)] == ["one", "two"]


async def test_another_model_is_another_call(ledger: Ledger) -> None:
    one = CachedModel(ScriptedModel(["one"], name="scripted:a"), ledger)
    two = CachedModel(ScriptedModel(["two"], name="scripted:b"), ledger)
    assert [(await model.chat(ASK)).text for model in (one, two)] == ["one", "two"]


async def test_a_model_of_the_same_name_behind_another_address_is_another_call(ledger: Ledger) -> None:
    told = []
    for address, text in (("http://one/v1", "one"), ("http://two/v1", "two"), ("http://one/v1", "three")):
        model = CachedModel(ScriptedModel([text], name="local:m"), ledger, address=address).labelled(role="evaluate")
        told.append((await model.chat(ASK)).text)
    assert told == ["one", "two", "one"]


def test_the_key_does_not_change_between_releases() -> None:
    assert request_key("openai:m", ASK) == "84d0f91d915299043ea1d9aa04db6f7250b39a627bead5aefd477baf2fbd22b2"


async def test_a_failure_is_not_stored(ledger: Ledger) -> None:
    inner = ScriptedModel([ProviderError("ask", "down"), "up"])
    model = CachedModel(inner, ledger)
    with pytest.raises(ProviderError):
        await model.chat(ASK)
    assert (await model.chat(ASK)).text == "up"
    line = ledger.summary().lines[0].calls
    assert (line.failed, line.answered) == (1, 1)


class Slow:
    """Answers when told to."""

    name = "slow:m"

    def __init__(self) -> None:
        self.asked = 0
        self.go = asyncio.Event()
        self.error: Exception | None = None

    async def chat(self, request: ChatRequest) -> ChatReply:
        self.asked += 1
        await self.go.wait()
        if self.error is not None:
            error, self.error = self.error, None
            raise error
        return ChatReply(f"answer {self.asked}", StopReason.END, Usage(1, 1), "m")

    async def close(self) -> None:
        pass


async def test_the_same_call_at_once_is_paid_once(ledger: Ledger) -> None:
    slow = Slow()
    model = CachedModel(slow, ledger, role="draft")
    calls = [asyncio.create_task(view.chat(ASK)) for view in (model, model, model.labelled(role="repair"))]
    await asyncio.sleep(0.05)
    slow.go.set()
    replies = await asyncio.gather(*calls)
    assert {reply.text for reply in replies} == {"answer 1"} and slow.asked == 1
    summary = ledger.summary()
    assert (summary.paid_calls, sum(line.calls.cached for line in summary.lines)) == (1, 2)


async def test_when_the_first_of_two_fails_or_is_cancelled_the_other_asks_itself(ledger: Ledger) -> None:
    slow = Slow()
    slow.error = ProviderError("ask", "down")
    model = CachedModel(slow, ledger)
    first, second, third = (asyncio.create_task(model.chat(ASK)) for _ in range(3))
    await asyncio.sleep(0.05)
    slow.go.set()
    with pytest.raises(ProviderError):
        await first
    assert (await second).text == "answer 2"
    assert (await third).text == "answer 2"
    slow.go.clear()
    other = replace(ASK, nonce=1)
    first, second = (asyncio.create_task(model.chat(other)) for _ in range(2))
    while slow.asked < 3:
        await asyncio.sleep(0.01)
    first.cancel()
    slow.go.set()
    assert (await second).text == "answer 4"
    with pytest.raises(asyncio.CancelledError):
        await first
    assert ledger.summary().lines[0].calls.unfinished == 1


async def test_a_full_disk_is_met_before_the_call_is_paid(ledger: Ledger) -> None:
    ledger.store._db.execute("PRAGMA max_page_count = 1")
    inner = ScriptedModel(lambda request: "x")
    model = CachedModel(inner, ledger)
    with pytest.raises(MachineError, match="full"):
        for nonce in range(2_000):
            await model.chat(replace(ASK, nonce=nonce))
    paid = len(inner.requests)
    with pytest.raises(MachineError, match="full"):
        await model.chat(replace(ASK, nonce=9_999))
    assert len(inner.requests) <= paid + 1


def test_a_file_that_is_not_ours_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "calls.sqlite3"
    path.write_bytes(b"hello" * 1000)
    with pytest.raises(MachineError, match="not a database"):
        CallStore(path)
    path.unlink()
    db = sqlite3.connect(path)
    db.execute("PRAGMA user_version = 99")
    db.close()
    with pytest.raises(UsageError, match="version is 99"):
        CallStore(path)


def test_a_folder_that_can_not_be_made_is_a_machine_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(MachineError, match="file"):
        CallStore(tmp_path / "file" / "calls.sqlite3")


def test_a_file_that_another_process_is_making_is_waited_for(tmp_path: Path) -> None:
    path = tmp_path / "calls.sqlite3"
    other = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    other.execute("BEGIN IMMEDIATE")
    release = threading.Timer(0.3, other.execute, ["ROLLBACK"])
    release.start()
    store = CallStore(path)
    store.start(CallLabel("r"), "m", "k")
    store.close()
    release.join()
    other.close()


PAYER = """
import asyncio, os, sys
from pathlib import Path
from chat_models.cache import CachedModel
from chat_models.ledger import Ledger
from chat_models.options import ModelOptions
from chat_models.protocol import ChatRequest, Message
from chat_models.providers import open_model

async def main(path, url, run):
    ledger = Ledger.open(Path(path), run)
    model = CachedModel(open_model(f"local:{url}#m", environ={}, options=ModelOptions(max_retries=0)), ledger)
    for i in range(30):
        reply = await model.chat(ChatRequest((Message("user", f"question {i}"),)))
        print(i, reply.text, flush=True)
    await model.close()
    ledger.close()

asyncio.run(main(*sys.argv[1:]))
"""


def payer(path: Path, url: str, run: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", PAYER, str(path), url, run]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONWARNINGS": "error"})


def numbered(server: OpenAIServer) -> None:
    """Every paid reply is different, so that a second payment shows."""
    server.answer = lambda request: Reply(f"{request['messages'][0]['content']} #{len(server.requests)}")


def test_what_a_killed_process_had_printed_is_never_paid_again(tmp_path: Path, openai_server: OpenAIServer) -> None:
    numbered(openai_server)
    path, seen = tmp_path / "calls.sqlite3", dict[str, str]()
    for _ in range(3):
        process = payer(path, openai_server.url, "r")
        assert process.stdout is not None
        new = 0
        for line in process.stdout:
            number, _, text = line.strip().partition(" ")
            new += number not in seen
            assert seen.setdefault(number, text) == text
            if new == 7:
                process.send_signal(signal.SIGKILL)
                break
        process.stdout.close()
        process.wait()
    last = payer(path, openai_server.url, "r")
    out, _ = last.communicate(timeout=240)
    assert last.returncode == 0
    for line in out.splitlines():
        number, _, text = line.partition(" ")
        assert seen.setdefault(number, text) == text
    # Each kill may lose the one reply that was under way, and no other.
    assert 30 <= len(openai_server.requests) <= 33
    ledger = Ledger.open(path, "r")
    calls = ledger.summary().lines[0].calls
    ledger.close()
    assert calls.answered == 30
    assert calls.answered + calls.unfinished >= len(openai_server.requests)


def test_two_processes_share_one_file(tmp_path: Path, openai_server: OpenAIServer) -> None:
    numbered(openai_server)
    path = tmp_path / "calls.sqlite3"
    processes = [payer(path, openai_server.url, f"r{i}") for i in range(3)]
    outs = [process.communicate(timeout=240)[0] for process in processes]
    assert [process.returncode for process in processes] == [0, 0, 0]
    assert outs[0].splitlines() == outs[1].splitlines() == outs[2].splitlines()
    ledger = Ledger.open(path, "r0")
    summary = ledger.summary(all_runs=True)
    ledger.close()
    assert summary.paid_calls == len(openai_server.requests)
    assert sum(line.calls.answered + line.calls.cached for line in summary.lines) == 90
