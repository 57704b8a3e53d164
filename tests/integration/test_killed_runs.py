"""kill -9 at random moments of a run over six briefs, all stages on: resumed, it ends as an undisturbed run does."""

import contextlib
import json
import os
import random
import sqlite3
import subprocess
from collections import Counter
from typing import Any

import pytest

from tests.authoring.cast import as_request, cast
from tests.integration.conftest import BRIEFS, Place
from tests.wire_servers.openai_server import OpenAIServer
from tests.wire_servers.reply import Reply

pytestmark = pytest.mark.docker

KILLS = int(os.environ.get("BOOTCAMP_RUN_KILLS", "8"))


class Models:
    """A model that plays every part of the worked example, and remembers what it was asked."""

    def __init__(self) -> None:
        self.asked: Counter[str] = Counter()
        self._answer = cast()

    def __call__(self, request: Any) -> Reply:
        self.asked[json.dumps(request["messages"], sort_keys=True)] += 1
        return Reply(self._answer(as_request(request)), piece=4000, wait_s=0.1)


def queue_of(place: Place, **environment: str) -> list[tuple[str, str, str]]:
    items = place.json("review", "list", "--all", **environment)
    return sorted((item["task_id"], item["content_hash"], item["state"]) for item in items)


def calls_of(place: Place) -> tuple[Counter[str], int]:
    """How often each question's answer came home, and how many calls were begun and never came home."""
    with contextlib.closing(sqlite3.connect(place.state / "model_calls.sqlite")) as store:
        rows = store.execute("SELECT key, outcome FROM calls").fetchall()
    assert {outcome for _, outcome in rows} <= {"started", "answered", "cached"}
    answered = Counter(key for key, outcome in rows if outcome == "answered")
    return answered, sum(outcome == "started" for _, outcome in rows)


def disturbed(place: Place, arguments: tuple[str, ...], environment: dict[str, str]) -> None:
    """Kill and resume again and again, then let it finish."""
    rng = random.Random(20261130)
    process = place.popen(*arguments, **environment)
    for _ in range(KILLS):
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(timeout=rng.choice([rng.uniform(0.3, 2.5), rng.uniform(2.5, 9.0)]))
        process.kill()
        process.communicate()
        runs = place.json("runs")
        known = bool(runs) and runs[-1]["briefs"] > 0
        command = ("author", "--resume", runs[-1]["run_id"]) if known else arguments
        process = place.popen(*command, **environment)
    out, err = process.communicate(timeout=300)
    assert process.returncode == 0, out + err


@pytest.mark.timeout(900)
def test_kills_change_nothing_and_no_answered_call_is_paid_again(place: Place, openai_server: OpenAIServer) -> None:
    models = Models()
    openai_server.answer = models
    environment = {
        "OPENAI_API_KEY": "sk-test-0123456789",
        "OPENAI_BASE_URL": openai_server.url,
        "BOOTCAMP_STAGES": "all",
        "BOOTCAMP_CALIBRATION_CASES": "1",
    }
    arguments = ("author", str(BRIEFS), "--author", "openai:test-model", "--candidates", "2")
    quiet = {"BOOTCAMP_STATE": str(place.home / "undisturbed")}
    place.bootcamp(*arguments, **environment, **quiet)
    expected = queue_of(place, **quiet)
    assert len(expected) == 6
    undisturbed = models.asked.copy()
    drafts = [count for key, count in undisturbed.items() if "Write a bootcamp from this brief" in key]
    assert drafts == [2] * 6, "each of two candidates asked once"
    assert sum(undisturbed.values()) == 6 * (1 + 2 + 1 + 2 + 2 + 5), "equal candidates are heard and measured once"

    models.asked.clear()
    disturbed(place, arguments, environment)
    assert queue_of(place) == expected
    assert place.json("review", "log", "--verify")["problems"] == []
    answered, lost = calls_of(place)
    assert set(answered.values()) == {1}, "a call that had been answered was paid for again"
    assert undisturbed.total() == answered.total() <= models.asked.total() <= answered.total() + lost
    assert not undisturbed.keys() - models.asked.keys()
