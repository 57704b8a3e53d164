"""The settings as a type. Importing pydantic-settings takes a fifth of a second: ``settings.py`` does it when asked."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pydantic import model_validator
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict, TomlConfigSettingsSource

from bootcamp_cli.settings import PREFIX, default_state, find_upwards
from bootcamp_kit.errors import MachineError

PATHS = ("state", "library", "prices", "known_items")


class _NearestToml(TomlConfigSettingsSource):
    """``bootcamp.toml``; a relative path in it is meant from the folder it stands in."""

    def _read_file(self, file_path: Any) -> dict[str, Any]:
        raw = super()._read_file(file_path)
        for key in PATHS:
            if isinstance(raw.get(key), str):
                raw[key] = Path(file_path).resolve().parent / raw[key]
        return raw


class Settings(BaseSettings):
    """All settings of the command line; each is also a flag where it matters.

    Attributes:
        state: Folder of queue, runs, reports and model cache. Default: ``.bootcamp`` in the nearest folder above that
            has one, else at the root of the git checkout, else the user's state folder.
        queue: Review queue: a PostgreSQL URL or a path to a SQLite file. Default: ``queue.sqlite`` in the state folder.
        library: Task library to read and to merge into. Default: the installed ``generated_bootcamps``.
        author: ``compiler``, ``openai:MODEL``, ``anthropic:MODEL`` or ``local:URL#MODEL``.
        assist: A model that writes the input format of a brief where that is all that the compiler misses, in the same
            notation; "" for none.
        candidates: Parallel candidates per brief for a model author.
        temperatures: Of a model author, in turn over the candidates of a brief; a model that takes none is asked
            without. Default: the provider's. In the environment, JSON.
        repairs: Repair rounds per candidate.
        parallel: Briefs worked on at once.
        max_tokens: Most tokens a run may use, 0 for no limit.
        max_usd: Most money a run may use, 0 for no limit; needs ``prices``.
        max_minutes: Longest that one process drives a run, 0 for no limit.
        roles: Table of model by role (analyst, author, opponent, attacker, solver). A role that is not named is played
            by the author's model. ``solver`` may be a list, all of which solve; so may ``author``: the candidates of a
            brief are then written in turn. In the environment, JSON.
        stages: Optional stages of a run with a model: ``all``, ``none``, or some of analyse, oppose, calibrate, compare
            divided by commas.
        max_reply_tokens: Most output tokens of one call, of solvers at most 8,000; holds small local models that do not
            come to an end.
        model_timeout_s: Seconds without a byte after which a call to a model counts as failed and is tried again; a
            whole call gets six times as long. A local model on a busy machine may read a long prompt for minutes.
        model_stream: Take replies as they are written. Turn it off for a server that cannot; one that answers with a
            whole document all the same is then asked for whole replies by itself.
        calibration_cases: Cases of each level for every solver of the panel.
        band: Pass rates that a task is kept between, ``LOW:HIGH``.
        prices: TOML file with a price per model.
        backend: What confines the jobs: ``docker``, or ``bubblewrap`` where no engine runs (docs/sandbox.md).
        runtime: The engine's name of a stronger runtime, e.g. ``runsc``; default: the engine's usual one.
        docker_host: Engine address; default: as the docker command would choose.
        base_image: Image with Python ≥ 3.11 to build the sandbox image on, e.g. ``python:3.12-slim``, which the engine
            has or can pull. Default: the local interpreter is packed, which needs no registry.
        allow_weak_sandbox: Run although the engine cannot give every limit; recorded in every report.
        reviewer: ``Name <mail>``; default: git's identity.
        known_items: Folder with ``sound/`` tasks, to measure reviewers with (docs/reviewing.md). Default: those of
            the checkout the product runs from; an installed product has none.
        tracing: OpenTelemetry spans of nodes, model calls and sandbox jobs, which the ``OTEL_*`` variables switch on
            too (docs/tracing.md).
        known_share: Which part of what waits they are, 0 for none.
    """

    model_config = SettingsConfigDict(env_prefix=PREFIX, extra="forbid", frozen=True)

    state: Path | None = None
    queue: str | None = None
    library: Path | None = None
    author: str = "compiler"
    assist: str = ""
    candidates: int = 3
    temperatures: list[float] = []
    repairs: int = 2
    parallel: int = 2
    max_tokens: int = 0
    max_usd: float = 0.0
    max_minutes: float = 0.0
    roles: dict[str, str | list[str]] = {}
    stages: str = "all"
    max_reply_tokens: int = 16_000
    model_timeout_s: float = 300.0
    model_stream: bool = True
    calibration_cases: int = 1
    band: str = "0.03:0.97"
    prices: Path | None = None
    backend: str = "docker"
    runtime: str = ""
    docker_host: str | None = None
    base_image: str = ""
    allow_weak_sandbox: bool = False
    reviewer: str | None = None
    known_items: Path | None = None
    tracing: bool = False
    known_share: float = 0.05

    @model_validator(mode="before")
    @classmethod
    def _author_of_the_roles(cls, raw: Any) -> Any:
        """``[roles] author``, or the first of several, is the author, unless one is named by itself."""
        roles = raw.get("roles") if isinstance(raw, dict) else None
        named = roles.get("author") if isinstance(roles, dict) else None
        first = named[0] if isinstance(named, list) and named else named
        return {**raw, "author": raw.get("author", first)} if isinstance(first, str) else raw

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Flags, then environment, then the nearest ``bootcamp.toml``."""
        found = find_upwards("bootcamp.toml")
        toml = (_NearestToml(settings_cls, toml_file=found),) if found else ()
        return (init_settings, env_settings, *toml)

    @property
    def state_dir(self) -> Path:
        """The state folder, made when it was not there; git is told to ignore it.

        Raises:
            MachineError: it cannot be made or written.
        """
        path = self.state or default_state()
        try:
            path.mkdir(parents=True, exist_ok=True)
            ignore = path / ".gitignore"
            if not ignore.exists():
                ignore.write_text("*\n")
        except OSError as error:
            raise MachineError(f"using the state folder {path}", str(error), "name another: BOOTCAMP_STATE") from error
        return path.resolve()
