"""``bootcamp sandbox image build|list|prune``: the images that jobs run in."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from bootcamp_cli.groups import group
from bootcamp_cli.output import JsonFlag, print_json, say, table
from bootcamp_cli.settings import load_settings


def build_app() -> typer.Typer:
    """The verb and its sub-verbs."""
    image = group("Build, list and remove the sandbox's images.")
    image.command("build")(build)
    image.command("list")(list_stored)
    image.command("prune")(prune)
    app = group("Look after the sandbox's images.")
    app.add_typer(image, name="image")
    return app


def build(
    profile: Annotated[
        list[str] | None, typer.Option("--profile", help="Library profile, several times for several; default: all.")
    ] = None,
    as_json: JsonFlag = False,
) -> None:
    """Build the images of the library profiles, where they are missing."""
    from bootcamp_cli.machine import open_sandbox
    from sandbox.image.libraries import find_profile, known_profiles

    names = [find_profile(name).name for name in profile or known_profiles()]
    built: list[dict[str, Any]] = []
    with open_sandbox(load_settings()) as sandbox:
        for name in names:
            image = sandbox.backend.image(name)
            built.append(
                {
                    "profile": name,
                    "digest": image.digest,
                    "tag": image.tag,
                    "built": image.built,
                    "seconds": round(image.seconds, 1),
                }
            )
    if as_json:
        print_json({"images": built})
        return
    rows = [
        (item["profile"], item["tag"], "built" if item["built"] else "found", f"{item['seconds']} s") for item in built
    ]
    table("images", ("profile", "tag", "", "took"), rows)


def list_stored(as_json: JsonFlag = False) -> None:
    """List the images on the engine and the unpacked roots; the current ones are those that would be used now."""
    from sandbox.image.stock import current_names, list_images, list_roots
    from sandbox.image.unpacked import cache_folder

    current = current_names()
    images = [item for client in _clients() for item in list_images(client, current)]
    stored = images + list_roots(cache_folder(), current)
    if as_json:
        items = [{"name": i.name, "size_mb": round(i.size_mb, 1), "current": i.current} for i in stored]
        print_json({"stored": items})
        return
    rows = [(item.name, f"{item.size_mb:.0f} MB", "current" if item.current else "") for item in stored]
    table("images and roots", ("name", "size", ""), rows)
    stale = [item for item in stored if not item.current]
    if stale:
        say(f"{len(stale)} of {len(stored)} are not current; they go with: bootcamp sandbox image prune")


def prune(as_json: JsonFlag = False) -> None:
    """Remove every image and unpacked root that is not current; what a container still uses stays."""
    from sandbox.image.stock import current_names, prune_images, prune_roots
    from sandbox.image.unpacked import cache_folder

    current = current_names()
    gone = prune_roots(cache_folder(), current)
    kept: list[str] = []
    for client in _clients():
        removed, used = prune_images(client, current)
        gone, kept = gone + removed, kept + used
    if as_json:
        print_json({"removed": gone, "in_use": kept})
        return
    say(f"removed {len(gone)}, {len(kept)} still in use")


def _clients() -> list[Any]:
    """One client of the engine; none when the backend is not an engine."""
    from sandbox.engine import find_engine

    settings = load_settings()
    if settings.backend != "docker":
        return []
    return [find_engine(settings.docker_host, allow_weak=True).connect()]
