"""Builds the author that a spec names, and everything a run needs around it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from bootcamp_cli.roles import band_of, model_options, models_of, stages_of
from bootcamp_cli.tracing import traced_model
from bootcamp_kit.errors import UsageError

if TYPE_CHECKING:
    from authoring.author import Author
    from authoring.settings import AuthoringSettings
    from bootcamp_cli.settings_model import Settings
    from chat_models.ledger import Ledger
    from chat_models.protocol import ChatModel
    from sandbox.service import Sandbox

COMPILER = "compiler"


def authoring_settings(settings: Settings) -> AuthoringSettings:
    """The workflow's numbers out of the settings."""
    from authoring.settings import SOLVER_TOKENS, AuthoringSettings

    low, high = band_of(settings)
    return AuthoringSettings(
        candidates=settings.candidates,
        temperatures=tuple(settings.temperatures),
        repairs=settings.repairs,
        brief_parallelism=settings.parallel,
        stages=stages_of(settings),
        max_reply_tokens=settings.max_reply_tokens,
        solver_tokens=min(settings.max_reply_tokens, SOLVER_TOKENS),
        calibration_cases=settings.calibration_cases,
        band_low=low,
        band_high=high,
        max_minutes=settings.max_minutes,
    )


def open_ledger(settings: Settings, run_id: str) -> Ledger:
    """The call store of the state folder, with prices and budget.

    Raises:
        UsageError: the price file is not usable, or a limit in dollars without prices.
        MachineError: the store cannot be opened.
    """
    from chat_models.ledger import Budget, Ledger
    from chat_models.prices import Prices

    if settings.max_usd and settings.prices is None:
        raise UsageError("setting max_usd", "no prices are known", "give --prices FILE, or limit tokens instead")
    return Ledger.open(
        settings.state_dir / "model_calls.sqlite",
        run_id,
        prices=Prices.read(settings.prices) if settings.prices else None,
        budget=Budget(settings.max_tokens or None, settings.max_usd or None),
    )


def require_usable(spec: str) -> None:
    """Say now, before a run is started, that a model cannot be used.

    Raises:
        UsageError: no such provider, or its key is missing.
    """
    from chat_models.providers import open_model

    if spec != COMPILER:
        open_model(spec, environ=os.environ)


@contextmanager
def open_author(
    spec: str, sandbox: Sandbox, ledger: Ledger, numbers: AuthoringSettings, settings: Settings
) -> Iterator[Author]:
    """The author named by ``compiler`` or ``PROVIDER:MODEL``.

    Raises:
        UsageError: no such provider, or its key is missing.
    """
    from authoring.compiler.running import program_runner
    from authoring.compiler_assist import AssistedCompiler
    from authoring.compiler_author import CompilerAuthor
    from sandbox.compiled.programs import compiled_runner

    if spec == COMPILER:
        with program_runner(sandbox) as run_program, compiled_runner(sandbox) as run_compiled:
            if settings.assist:
                yield AssistedCompiler(run_program, run_compiled, _assistant(settings, ledger))
            else:
                yield CompilerAuthor(run_program, run_compiled)
        return
    from authoring.model_author import ModelAuthor
    from chat_models.cache import CachedModel
    from chat_models.providers import open_model

    options = model_options(settings)
    first, *others = (
        CachedModel(traced_model(open_model(one, environ=os.environ, options=options), settings), ledger)
        for one in models_of(settings)["author"]
    )
    yield ModelAuthor(first, numbers, others)


def _assistant(settings: Settings, ledger: Ledger) -> ChatModel:
    """The model that fills in what the compiler cannot read."""
    from chat_models.cache import CachedModel
    from chat_models.providers import open_model

    model = open_model(settings.assist, environ=os.environ, options=model_options(settings))
    return CachedModel(traced_model(model, settings), ledger)
