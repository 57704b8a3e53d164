"""OpenEnv: the last observation for each kind of response; the environment where the package is installed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from bootcamp_kit.library import load
from evaluation.export import openenv
from evaluation.export.items import Counts, Item, Selection, items
from evaluation.export.judge import _judge_of, default_judge


@pytest.fixture
def item(shelf: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Item]:
    monkeypatch.setenv("BOOTCAMP_LIBRARY", str(shelf))
    _judge_of.cache_clear()
    yield next(items([load("tricky")], Selection((3,), 0, 1), Counts()))
    default_judge().close()
    _judge_of.cache_clear()


def responses(item: Item) -> list[str]:
    right = 2 * item.case.payload["n"]
    return [f"<answer>{answer}</answer>" for answer in (right, right + 1, -1)] + ["none", "<answer>666</answer>"]


def test_an_unscored_response_has_no_reward(item: Item) -> None:
    found = [openenv.reward(default_judge().one(item.identity(), text)) for text in responses(item)]
    assert [one["reward"] for one in found] == [1.0, 0.5, 0.0, 0.0, None]
    assert [one["outcome"] for one in found] == ["correct", "partial", "wrong", "malformed", "unscored"]
    assert found[4]["error"].startswith("verifier-crash") and not any(one["error"] for one in found[:4])


def test_the_environment_gives_the_case_that_the_row_names(item: Item) -> None:
    pytest.importorskip("openenv")
    from bootcamp_kit.errors import UsageError
    from evaluation.export.openenv_environment import BootcampAction, BootcampEnvironment

    environment, row = BootcampEnvironment({"tricky": load("tricky")}), openenv.row(item, "train")
    for text, reward in zip(responses(item), (1.0, 0.5, 0.0, 0.0, None), strict=True):
        seen = environment.reset(episode_id="one", **row["reset"])
        assert seen.prompt == row["prompt"] and not seen.done and seen.reward is None
        assert seen.metadata["licence"] == "CC0-1.0" and environment.state.seed == 0
        last = environment.step(BootcampAction(response=text))
        assert last.done and last.reward == reward and bool(last.error) == (reward is None)
        json.dumps(last.model_dump())
    again = environment.step(BootcampAction(response="twice"))
    assert again.reward is None and "reset first" in again.error
    with pytest.raises(UsageError, match="one of tricky"):
        environment.reset(seed=1, task_id="other")


def test_a_client_of_the_real_server_plays_an_episode(item: Item, shelf: Path) -> None:
    pytest.importorskip("openenv")
    from starlette.testclient import TestClient

    from evaluation.export.openenv_environment import create_server

    row = openenv.row(item, "train")
    with TestClient(create_server(["tricky"])) as client, client.websocket_connect("/ws") as socket:
        for text, reward in zip(responses(item), (1.0, 0.5, 0.0, 0.0, None), strict=True):
            socket.send_json({"type": "reset", "data": row["reset"]})
            assert socket.receive_json()["data"]["observation"]["prompt"] == row["prompt"]
            socket.send_json({"type": "step", "data": {"response": text}})
            last = socket.receive_json()["data"]
            assert last["done"] and last["reward"] == reward
