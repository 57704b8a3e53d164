"""Every provider, one line each."""

from __future__ import annotations

import importlib
from collections.abc import Mapping

from bootcamp_kit.errors import UsageError
from chat_models.options import ModelOptions
from chat_models.protocol import ChatModel

PROVIDERS: Mapping[str, tuple[str, str]] = {
    "openai": ("openai:MODEL", "chat_models.openai:open_openai"),
    "responses": ("responses:MODEL", "chat_models.responses:open_responses"),
    "anthropic": ("anthropic:MODEL", "chat_models.anthropic:open_anthropic"),
    "local": ("local:URL#MODEL", "chat_models.local:open_local"),
    "scripted": ("scripted:FILE.jsonl", "chat_models.scripted:open_scripted"),
}
"""Name → how it is written, and the ``module:function`` that opens it: ``f(target, environ, options)``."""


def open_model(spec: str, *, environ: Mapping[str, str], options: ModelOptions | None = None) -> ChatModel:
    """Open ``PROVIDER:TARGET``. Nothing is imported from an SDK and nothing is sent before the first call.

    Args:
        spec: ``openai:MODEL``, ``responses:MODEL``, ``anthropic:MODEL``, ``local:URL#MODEL`` or
            ``scripted:FILE.jsonl``.
        environ: Where keys and base URLs come from; their only source.
        options: Patience and form of the calls.

    Raises:
        UsageError: unknown provider, missing key, or a target that is not of the provider's form.
    """
    name, _, target = spec.partition(":")
    if name not in PROVIDERS or not target.strip():
        forms = ", ".join(form for form, _ in PROVIDERS.values())
        raise UsageError("open a model", f"{spec[:100]!r} names no model", f"give one of: {forms}")
    module, _, function = PROVIDERS[name][1].partition(":")
    opener = getattr(importlib.import_module(module), function)
    model: ChatModel = opener(target.strip(), environ, options or ModelOptions())
    return model
