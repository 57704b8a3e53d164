"""Roles, stages and limits of an authoring run, out of flags and settings."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from bootcamp_cli.tracing import traced_model
from bootcamp_kit.errors import UsageError

if TYPE_CHECKING:
    from authoring.roles import Roles
    from bootcamp_cli.settings_model import Settings
    from chat_models.cache import CachedModel
    from chat_models.ledger import Ledger
    from chat_models.options import ModelOptions

ALL, NONE = "all", "none"
DEADLINES = 6
"""A whole call may take so many times the wait for a byte."""


def read_roles(flags: Sequence[str] | None) -> dict[str, list[str]] | None:
    """``--role ROLE=SPEC`` flags as a table; a role named twice has several models.

    Raises:
        UsageError: a flag that is not of this form.
    """
    if not flags:
        return None
    found: dict[str, list[str]] = {}
    for flag in flags:
        role, _, spec = flag.partition("=")
        if not spec.strip():
            raise UsageError(f"--role {flag[:60]!r}", "not of the form ROLE=MODEL", "e.g. --role solver=openai:MODEL")
        found.setdefault(role.strip(), []).append(spec.strip())
    return found


def models_of(settings: Settings) -> dict[str, tuple[str, ...]]:
    """Role → the specs of its models; a role that nobody named is played by the author's model.

    Raises:
        UsageError: an unknown role, or several models where one is wanted.
    """
    from authoring.roles import Role

    known = {role.value for role in Role}
    found: dict[str, tuple[str, ...]] = {}
    for role, named in settings.roles.items():
        if role not in known:
            raise UsageError(f"role {role[:40]!r}", "unknown", f"one of {', '.join(sorted(known))}")
        specs = (named,) if isinstance(named, str) else tuple(named)
        if not specs or (len(specs) > 1 and role not in (Role.SOLVER, Role.AUTHOR)):
            raise UsageError(
                f"role {role}", f"{len(specs)} models", "name one; only solver and author may have several"
            )
        found[role] = specs
    if settings.author not in found.get(Role.AUTHOR.value, ())[:1]:  # one named by itself counts before the table
        found[Role.AUTHOR.value] = (settings.author,)
    return {role: found.get(role, (settings.author,)) for role in sorted(known)}


def specs_of(settings: Settings) -> tuple[str, ...]:
    """Every model that a run may ask, each once; the compiler as author asks none."""
    from bootcamp_cli.authors import COMPILER

    if settings.author == COMPILER:
        return (settings.author,)
    return tuple(dict.fromkeys(spec for specs in models_of(settings).values() for spec in specs))


def opposing(settings: Settings) -> Settings | None:
    """The settings by which a coding agent's candidates are opposed; None where no model is named for it.

    Whoever is not named among attacker and solvers is the opponent's model.
    """
    named = settings.roles.get("opponent")
    if not named or "oppose" not in stages_of(settings):
        return None
    first = named if isinstance(named, str) else named[0]
    others = {role: specs for role, specs in settings.roles.items() if role != "author"}
    return settings.model_copy(update={"author": first, "roles": others})


def stages_of(settings: Settings) -> tuple[str, ...]:
    """The optional stages that are wanted.

    Raises:
        UsageError: an unknown stage.
    """
    from authoring.settings import STAGES

    words = settings.stages.strip()
    if words in ("", ALL):
        return STAGES
    named = [] if words == NONE else [word.strip() for word in words.split(",")]
    foreign = [word for word in named if word not in STAGES]
    if foreign:
        known = f"{ALL}, {NONE}, or some of {', '.join(STAGES)} divided by commas"
        raise UsageError("setting stages", f"{foreign[0][:40]!r}", known)
    return tuple(stage for stage in STAGES if stage in named)


def band_of(settings: Settings) -> tuple[float, float]:
    """The pass-rate band, written ``LOW:HIGH``.

    Raises:
        UsageError: it is not.
    """
    low, _, high = settings.band.partition(":")
    try:
        return float(low), float(high)
    except ValueError:
        raise UsageError("setting band", f"{settings.band[:40]!r}", "LOW:HIGH, e.g. 0.03:0.97") from None


def model_options(settings: Settings) -> ModelOptions:
    """How patiently models are asked.

    Raises:
        UsageError: a time-out out of range.
    """
    from chat_models.options import ModelOptions

    patience = settings.model_timeout_s
    return ModelOptions(stream=settings.model_stream, timeout_s=patience, deadline_s=DEADLINES * patience)


def open_roles(settings: Settings, ledger: Ledger, author: CachedModel | None = None) -> Roles:
    """The models beside the author; equal specs are one model, so that its calls share one cache and one client.

    Raises:
        UsageError: no such provider, or its key is missing.
    """
    from authoring.roles import Roles
    from chat_models.cache import CachedModel
    from chat_models.providers import open_model

    opened: dict[str, CachedModel] = {settings.author: author} if author else {}

    def model(spec: str) -> CachedModel:
        if spec not in opened:
            asked = open_model(spec, environ=os.environ, options=model_options(settings))
            opened[spec] = CachedModel(traced_model(asked, settings), ledger)
        return opened[spec]

    specs: Mapping[str, tuple[str, ...]] = models_of(settings)
    return Roles(
        analyst=model(specs["analyst"][0]),
        opponent=model(specs["opponent"][0]),
        attacker=model(specs["attacker"][0]),
        solvers=tuple(model(spec) for spec in specs["solver"]),
    )
