from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from bootcamp_kit.errors import ProviderError, UsageError
from chat_models.options import ModelOptions
from chat_models.protocol import ChatModel, ChatRequest, Message
from chat_models.providers import PROVIDERS, open_model

KEYS = {"OPENAI_API_KEY": "sk-secret-1234567", "ANTHROPIC_API_KEY": "sk-secret-1234567"}


@pytest.mark.parametrize(
    "spec", ["", "gpt", "openai", "openai:", "openai: ", "compiler", "OpenAI:m", "mystery:m", ":m"]
)
def test_an_unknown_model_is_answered_with_the_known_forms(spec: str) -> None:
    with pytest.raises(UsageError) as caught:
        open_model(spec, environ=KEYS)
    assert all(form in caught.value.do for form, _ in PROVIDERS.values())


@pytest.mark.parametrize(("spec", "variable"), [("openai:m", "OPENAI_API_KEY"), ("anthropic:m", "ANTHROPIC_API_KEY")])
@pytest.mark.parametrize("value", [None, "", "  "])
def test_a_missing_key_is_named(spec: str, variable: str, value: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(variable, "only the mapping counts")
    with pytest.raises(UsageError, match=f"{variable} is not set"):
        open_model(spec, environ={} if value is None else {variable: value})


@pytest.mark.parametrize(
    "target",
    [
        "http://127.0.0.1:1/v1",
        "#m",
        "http://127.0.0.1:1/v1#",
        "127.0.0.1:1/v1#m",
        "ftp://host/v1#m",
        "http://#m",
        "http://host:notaport/v1#m",
        "http://[::1/v1#m",
    ],
)
def test_a_local_target_needs_url_and_model(target: str) -> None:
    with pytest.raises(UsageError):
        open_model(f"local:{target}", environ={})


@pytest.mark.parametrize("url", ["http://user:hunter2@h/v1", "http://hunter2@h/v1", "http://h/v1?key=hunter2"])
def test_a_secret_in_an_address_is_refused_and_not_repeated(url: str) -> None:
    for spec, environ in ((f"local:{url}#m", {}), ("openai:m", KEYS | {"OPENAI_BASE_URL": url})):
        with pytest.raises(UsageError) as caught:
            open_model(spec, environ=environ)
        assert "hunter2" not in str(caught.value)


@pytest.mark.parametrize(
    ("spec", "name"),
    [
        ("openai:gpt-x", "openai:gpt-x"),
        ("openai:ft:gpt-x:org", "openai:ft:gpt-x:org"),
        ("anthropic:c-1", "anthropic:c-1"),
        ("local:http://h:1/v1#a/b:c", "local:a/b:c"),
    ],
)
async def test_models_open_without_asking_anyone(spec: str, name: str) -> None:
    model = open_model(spec, environ=KEYS)
    assert isinstance(model, ChatModel)
    assert model.name == name
    assert "secret" not in repr(model)
    await model.close()


def test_opening_imports_no_sdk() -> None:
    code = (
        "import sys; from chat_models.providers import open_model\n"
        "open_model('openai:m', environ={'OPENAI_API_KEY': 'k'})\n"
        "open_model('anthropic:m', environ={'ANTHROPIC_API_KEY': 'k'})\n"
        "import chat_models.cache, chat_models.scripted\n"
        "print([name for name in ('openai', 'anthropic', 'httpx2', 'pydantic', 'sqlalchemy') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize(
    "change",
    [
        {"timeout_s": 0},
        {"deadline_s": -1},
        {"max_retries": -1},
        {"max_retries": 21},
        {"longest_wait_s": -1},
        {"max_reply_chars": 0},
    ],
)
def test_options_out_of_range_are_refused(change: dict[str, float]) -> None:
    with pytest.raises(UsageError, match=r": -?\d+\n.*at most") as refused:
        ModelOptions(**change)  # type: ignore[arg-type]
    assert "ModelOptions" not in str(refused.value)


async def test_a_scripted_file_opens_by_spec(tmp_path: Path) -> None:
    script = tmp_path / "play.jsonl"
    script.write_text('{"text": "first"}\n\n{"error": "down"}\n')
    model = open_model(f"scripted:{script}", environ={})
    ask = ChatRequest((Message("user", "hello"),))
    assert (await model.chat(ask)).text == "first"
    with pytest.raises(ProviderError, match="down"):
        await model.chat(ask)
    assert model.name == "scripted:play"
