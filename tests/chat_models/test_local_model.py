"""Both protocols against a real model, where one is served (BOOTCAMP_LOCAL_MODEL_URL, e.g. http://127.0.0.1:8199/v1)."""

from __future__ import annotations

import os

import pytest

from chat_models.options import ModelOptions
from chat_models.protocol import ChatRequest, Message, StopReason
from chat_models.providers import open_model

URL = os.environ.get("BOOTCAMP_LOCAL_MODEL_URL", "").rstrip("/")
ASK = (Message("system", "You answer with one number."), Message("user", "What is 2 + 3?"))

pytestmark = [
    pytest.mark.local_model,
    pytest.mark.skipif(not URL, reason="BOOTCAMP_LOCAL_MODEL_URL names no model server"),
]


@pytest.mark.parametrize("stream", [True, False])
@pytest.mark.parametrize("provider", ["local", "openai", "anthropic"])
async def test_a_real_model_answers(provider: str, stream: bool) -> None:
    environ = {
        "OPENAI_API_KEY": "none",
        "OPENAI_BASE_URL": URL,
        "ANTHROPIC_API_KEY": "none",
        "ANTHROPIC_BASE_URL": URL.removesuffix("/v1"),
    }
    spec = f"local:{URL}#default" if provider == "local" else f"{provider}:default"
    model = open_model(spec, environ=environ, options=ModelOptions(stream=stream))
    try:
        reply = await model.chat(ChatRequest(ASK, max_tokens=40, temperature=0.0))
        short = await model.chat(ChatRequest((Message("user", "Count from 1 to 100."),), max_tokens=5))
    finally:
        await model.close()
    assert "5" in reply.text
    assert (reply.stop, short.stop) == (StopReason.END, StopReason.LENGTH)
    assert reply.usage.input_tokens > 10
    assert 0 < reply.usage.output_tokens <= 40
