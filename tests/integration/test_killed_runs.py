"""kill -9 at random moments of a run over six briefs, all stages on: resumed, it ends as an undisturbed run does."""

import contextlib
import json
import random
import subprocess
import time
from typing import Any

import pytest

from tests.authoring.cast import as_request, cast
from tests.integration.conftest import BRIEFS, Place
from tests.wire_servers.openai_server import OpenAIServer
from tests.wire_servers.reply import Reply

pytestmark = pytest.mark.docker

KILLS = 20
SLACK_S = 1.0
"""An answer that was on its way this shortly before a kill may not have been stored, and may be asked again."""


class Models:
    """A model that plays every part of the worked example, and remembers what it was asked and when it answered."""

    def __init__(self) -> None:
        self.answered: dict[str, list[float]] = {}
        self._answer = cast()

    def __call__(self, request: Any) -> Reply:
        key = json.dumps(request["messages"], sort_keys=True)
        self.answered.setdefault(key, []).append(time.monotonic())
        return Reply(self._answer(as_request(request)), piece=4000, wait_s=0.1)

    def often(self) -> dict[str, int]:
        """How often each question was asked."""
        return {key: len(times) for key, times in self.answered.items()}


def queue_of(place: Place, **environment: str) -> list[tuple[str, str, str]]:
    items = place.json("review", "list", "--all", **environment)
    return sorted((item["task_id"], item["content_hash"], item["state"]) for item in items)


def disturbed(place: Place, arguments: tuple[str, ...], environment: dict[str, str]) -> list[float]:
    """Kill and resume again and again, then let it finish; the moments of the kills."""
    rng = random.Random(20261130)
    moments: list[float] = []
    process = place.popen(*arguments, **environment)
    while len(moments) < KILLS:
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(timeout=rng.choice([rng.uniform(0.3, 2.5), rng.uniform(2.5, 9.0)]))
        moments.append(time.monotonic())
        process.kill()
        process.communicate()
        runs = place.json("runs")
        known = bool(runs) and runs[-1]["briefs"] > 0
        command = ("author", "--resume", runs[-1]["run_id"]) if known else arguments
        process = place.popen(*command, **environment)
    out, err = process.communicate(timeout=300)
    assert process.returncode == 0, out + err
    return moments


@pytest.mark.timeout(900)
def test_twenty_kills_change_nothing_and_no_answered_call_is_paid_again(
    place: Place, openai_server: OpenAIServer
) -> None:
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
    undisturbed = models.often()
    drafts = [count for key, count in undisturbed.items() if "Write a bootcamp from this brief" in key]
    assert drafts == [2] * 6, "each of two candidates asked once"
    assert sum(undisturbed.values()) == 6 * (1 + 2 + 1 + 2 + 2 + 5), "equal candidates are heard and measured once"

    models.answered.clear()
    moments = disturbed(place, arguments, environment)
    assert queue_of(place) == expected
    assert place.json("review", "log", "--verify")["problems"] == []
    paid_again = [
        earlier
        for key, times in models.answered.items()
        for earlier in times[: len(times) - undisturbed[key]]
        if not any(0 <= moment - earlier <= SLACK_S for moment in moments)
    ]
    assert not paid_again, "a call that had been answered was paid for again"
