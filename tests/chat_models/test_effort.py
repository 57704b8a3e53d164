"""How much a model is to think: asked for in each provider's own way, and part of the model's name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from chat_models.effort import split_effort
from chat_models.options import ModelOptions
from chat_models.prices import Price, Prices
from chat_models.protocol import ChatRequest, Message, Usage
from chat_models.providers import open_model
from tests.wire_servers.server import WireServer

ASKED: dict[str, Callable[[Any], Any]] = {
    "openai": lambda sent: sent.get("reasoning_effort"),
    "responses": lambda sent: sent.get("reasoning", {}).get("effort"),
    "anthropic": lambda sent: sent.get("output_config", {}).get("effort"),
}


@pytest.mark.parametrize(
    ("model", "split"),
    [
        ("m-1@high", ("m-1", "high")),
        ("m-1", ("m-1", "")),
        ("claude@2025", ("claude@2025", "")),
        ("claude@2025@low", ("claude@2025", "low")),
        ("@high", ("@high", "")),
    ],
)
def test_only_a_known_word_after_the_last_mark_is_an_effort(model: str, split: tuple[str, str]) -> None:
    assert split_effort(model) == split


@pytest.mark.parametrize("provider", ASKED)
async def test_each_provider_is_asked_in_its_own_way(provider: str, request: pytest.FixtureRequest) -> None:
    server: WireServer = request.getfixturevalue(f"{provider}_server")
    server.script(["thought", "plain"])
    company = "ANTHROPIC" if provider == "anthropic" else "OPENAI"
    environ = {f"{company}_API_KEY": "sk-test", f"{company}_BASE_URL": server.url}
    for spec in (f"{provider}:m-1@high", f"{provider}:m-1"):
        model = open_model(spec, environ=environ, options=ModelOptions(max_retries=0))
        assert model.name == spec
        await model.chat(ChatRequest((Message("user", "a"),)))
        await model.close()
    first, second = (item.json for item in server.requests)
    assert (first["model"], second["model"]) == ("m-1", "m-1")
    assert (ASKED[provider](first), ASKED[provider](second)) == ("high", None)


def test_a_price_holds_for_every_effort_unless_it_has_its_own() -> None:
    prices = Prices({"openai:m": Price(1.0, 1.0, 1.0), "openai:m@max": Price(5.0, 5.0, 5.0)})
    million = Usage(1_000_000, 0)
    assert prices.usd("openai:m@high", million) == 1.0
    assert prices.usd("openai:m@max", million) == 5.0
    assert prices.usd("openai:other@high", million) is None
