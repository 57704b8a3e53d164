from __future__ import annotations

import json
from pathlib import Path

import pytest

from bootcamp_kit.errors import BudgetError, ProviderError, UsageError
from chat_models.protocol import ChatReply, ChatRequest, Message, StopReason, Usage
from chat_models.providers import open_model
from chat_models.scripted import ScriptedModel


def ask(text: str = "please draft this") -> ChatRequest:
    return ChatRequest((Message("user", text),))


async def test_answers_come_in_order_and_requests_are_kept() -> None:
    refusal = ChatReply("no", StopReason.REFUSAL, Usage(1, 2), "m")
    model = ScriptedModel(["one", refusal, BudgetError("a", "b")])
    first = await model.chat(ask("three words here"))
    assert (first.text, first.stop, first.usage) == ("one", StopReason.END, Usage(3, 1))
    assert await model.chat(ask()) is refusal
    with pytest.raises(BudgetError):
        await model.chat(ask())
    assert [request.turns[0].text for request in model.requests] == ["three words here"] + ["please draft this"] * 2


async def test_a_script_that_has_run_out_says_so() -> None:
    model = ScriptedModel(["one"])
    await model.chat(ask())
    with pytest.raises(ProviderError, match="all 1 answers are used up"):
        await model.chat(ask())


async def test_a_function_sees_the_request() -> None:
    model = ScriptedModel(lambda request: request.turns[-1].text.upper())
    assert (await model.chat(ask("loud"))).text == "LOUD"


def script(tmp_path: Path, *lines: object) -> str:
    path = tmp_path / "s.jsonl"
    path.write_text("\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines))
    return f"scripted:{path}"


async def test_lines_are_chosen_by_what_is_asked_and_how_often(tmp_path: Path) -> None:
    spec = script(
        tmp_path,
        {"text": "fixed", "when": ["maze", "finding"], "times": 0},
        {"text": "draft", "when": ["maze"], "stop": "length"},
        {"text": "any"},
    )
    model = open_model(spec, environ={})
    first = await model.chat(ask("maze"))
    assert (first.text, first.stop) == ("draft", StopReason.LENGTH)
    assert [(await model.chat(ask("a finding in the maze"))).text for _ in range(3)] == ["fixed"] * 3
    assert (await model.chat(ask("maze"))).text == "any"
    with pytest.raises(ProviderError, match="no line is left"):
        await model.chat(ask("maze"))


@pytest.mark.parametrize(
    "line",
    [
        "{",
        "[]",
        "5",
        {},
        {"text": "a", "error": "b"},
        {"text": 5},
        {"text": "a", "stop": "soon"},
        {"text": "a", "when": "x"},
        {"text": "a", "times": -1},
        {"text": "a", "times": True},
        {"text": "a", "colour": 1},
    ],
)
def test_a_broken_line_is_named_by_its_number(tmp_path: Path, line: object) -> None:
    with pytest.raises(UsageError, match="line 2"):
        open_model(script(tmp_path, {"text": "fine"}, line), environ={})


def test_a_missing_script_is_a_usage_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="No such file"):
        open_model(f"scripted:{tmp_path}/none.jsonl", environ={})
