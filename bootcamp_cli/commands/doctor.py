"""``bootcamp doctor``: can this machine do the work, how well is it shut in, and what to do about each weakness."""

from __future__ import annotations

import importlib
import importlib.metadata
from pathlib import Path

import typer

from bootcamp_cli.output import NO, JsonFlag, print_json, say, table
from bootcamp_cli.settings import load_settings

PACKAGES = (
    "authoring",
    "bootcamp_cli",
    "bootcamp_kit",
    "chat_models",
    "evaluation",
    "generated_bootcamps",
    "review",
    "sandbox",
)


def doctor(as_json: JsonFlag = False) -> None:
    """Check engine, limits, image, seccomp, a few abuse cases, and the installation. Exit 1 when something is weak."""
    from bootcamp_cli.machine import sandbox_settings
    from bootcamp_cli.progress import spinner
    from sandbox.doctor import diagnose

    settings = load_settings()
    with spinner("examining the sandbox"):
        found = diagnose(sandbox_settings(settings, allow_weak=True))
    rows = [(item.name, item.ok, item.seen, item.do) for item in found]
    rows.extend(_import_names())
    rows.append(("state folder", True, str(settings.state_dir), ""))
    good = all(ok for _, ok, _, _ in rows)
    if as_json:
        print_json({"ok": good, "checks": [{"name": n, "ok": ok, "seen": seen, "do": do} for n, ok, seen, do in rows]})
    else:
        table("bootcamp doctor", ("what", "", "seen"), [(n, "ok" if ok else "WEAK", seen) for n, ok, seen, _ in rows])
        for name, ok, _, do in rows:
            if not ok and do:
                say(f"{name}: {do}")
    if not good:
        raise typer.Exit(NO)


def _import_names() -> list[tuple[str, bool, str, str]]:
    """Whether every top-level package that Python finds under our names is ours: flat names can collide silently."""
    rows = []
    home = Path(__file__).resolve().parents[2]
    for name in PACKAGES:
        place = Path(str(importlib.import_module(name).__file__)).resolve().parents[1]
        do = f"another distribution owns the name {name!r}: uninstall it or use an environment of its own"
        rows.append((f"import {name}", place == home, str(place), "" if place == home else do))
    return rows
