"""A run put together from the shared parts."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from authoring.author import Author
from authoring.context import AuthoringContext
from authoring.model_author import ModelAuthor
from authoring.runs import RunFolder
from authoring.settings import AuthoringSettings
from bootcamp_kit.folder import TaskFolder
from bootcamp_kit.report import Report
from chat_models.protocol import ChatModel
from chat_models.scripted import ScriptedModel
from tests.authoring.parts import Queue, clock, make_run, simple_gate

MakeContext = Callable[..., AuthoringContext]


@pytest.fixture
def queue() -> Queue:
    return Queue()


@pytest.fixture
def make_context(tmp_path: Path, queue: Queue) -> MakeContext:
    """Build a context around answers of a scripted model, or around an author."""

    def build(
        answers: Any = (),
        *,
        model: ChatModel | None = None,
        author: Author | None = None,
        gate: Callable[[TaskFolder], Report] = simple_gate,
        run: RunFolder | None = None,
        **numbers: Any,
    ) -> AuthoringContext:
        settings = AuthoringSettings(**{"candidates": 1, **numbers})
        return AuthoringContext(
            author=author or ModelAuthor(model or ScriptedModel(answers), settings),
            gate=gate,
            submit=queue.submit,
            run=run or make_run(tmp_path, settings),
            settings=settings,
            clock=clock,
        )

    return build
