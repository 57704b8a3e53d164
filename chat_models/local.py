"""``local:URL#MODEL``: any server that speaks OpenAI's chat completions (vLLM, Ollama, llama.cpp, a gateway)."""

from __future__ import annotations

from collections.abc import Mapping

from bootcamp_kit.errors import UsageError
from chat_models.errors import Endpoint
from chat_models.openai import OpenAIModel
from chat_models.options import ModelOptions

KEY_VARIABLE = "LOCAL_MODEL_API_KEY"
"""Optional: most local servers take any key."""


def open_local(target: str, environ: Mapping[str, str], options: ModelOptions) -> OpenAIModel:
    """``local:URL#MODEL``. The model's name in lineage and cache is ``local:MODEL``, wherever it is served.

    Raises:
        UsageError: no ``#MODEL``, or the URL is not a plain http or https URL.
    """
    url, mark, model = target.partition("#")
    if not (url and mark and model):
        raise UsageError(
            "open local:URL#MODEL", "the address or the model is missing", "e.g. local:http://127.0.0.1:8000/v1#qwen"
        )
    key = environ.get(KEY_VARIABLE, "").strip()
    endpoint = Endpoint(f"local:{model}", url, KEY_VARIABLE, (key,))
    return OpenAIModel(model, endpoint, api_key=key or "none", options=options, foreign=True)
