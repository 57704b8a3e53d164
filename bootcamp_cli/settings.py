"""Settings: flag > ``BOOTCAMP_*`` > ``bootcamp.toml`` > default. Unknown keys are errors; secrets are never settings.

``bootcamp.toml`` is looked for in the current folder and above it.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bootcamp_kit.errors import UsageError

if TYPE_CHECKING:
    from bootcamp_cli.settings_model import Settings

PREFIX = "BOOTCAMP_"
NOT_SETTINGS = frozenset({"BOOTCAMP_DEBUG", "BOOTCAMP_LOCAL_MODEL_URL", "BOOTCAMP_SERVE_TOKEN"})


def load_settings(**flags: Any) -> Settings:
    """Resolve the settings; flags that are None count as not given.

    Raises:
        UsageError: an unknown key in the environment or the file, a value of a wrong type, broken TOML.
    """
    import tomllib

    from pydantic import ValidationError

    from bootcamp_cli.settings_model import Settings

    unknown = [
        name
        for name in os.environ
        if name.startswith(PREFIX)
        and name not in NOT_SETTINGS
        and name[len(PREFIX) :].lower() not in Settings.model_fields
    ]
    if unknown:
        raise UsageError(
            f"environment variable {unknown[0]}", "unknown", f"known: {_names(Settings, PREFIX, str.upper)}"
        )
    try:
        return Settings(**{key: value for key, value in flags.items() if value is not None})
    except tomllib.TOMLDecodeError as error:
        raise UsageError("bootcamp.toml", f"not TOML: {error}", "mend the file") from error
    except ValidationError as error:
        first = error.errors()[0]
        key = ".".join(map(str, first["loc"]))
        found = "unknown" if first["type"] == "extra_forbidden" else f"{first['input']!r}: {first['msg'].lower()}"
        where = f"setting {key!r} (flag, {PREFIX}{key.upper()}, or {find_upwards('bootcamp.toml') or 'bootcamp.toml'})"
        raise UsageError(where, found, f"known settings: {_names(Settings, '', str)}") from error


def library_setting(flag: Path | None) -> Path | None:
    """The ``library`` setting; where nothing else is set there is nothing to check, which spares the imports for it.

    Raises:
        UsageError: as :func:`load_settings`.
    """
    found = {name for name in os.environ if name.startswith(PREFIX)} - NOT_SETTINGS
    if found - {"BOOTCAMP_LIBRARY", "BOOTCAMP_STATE"} or find_upwards("bootcamp.toml"):
        return load_settings(library=flag).library
    named = os.environ.get("BOOTCAMP_LIBRARY")
    return flag if flag is not None or named is None else Path(named)


def find_upwards(name: str) -> Path | None:
    """The nearest file or folder of that name here or above."""
    here = Path.cwd()
    return next((folder / name for folder in (here, *here.parents) if (folder / name).exists()), None)


def default_state() -> Path:
    """Where state is kept when no setting says so."""
    found = find_upwards(".bootcamp")
    if found and found.is_dir():
        return found
    git = find_upwards(".git")
    if git:
        return git.parent / ".bootcamp"
    import platformdirs

    return Path(platformdirs.user_state_dir("bootcamp", appauthor=False))


def _names(model: type[Settings], prefix: str, change: Any) -> str:
    return ", ".join(prefix + change(name) for name in model.model_fields)
