"""Mixes items among the candidates of which it is known whether they are broken; see ``review/calibration.py``."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from bootcamp_kit.candidate import Submission
from bootcamp_kit.errors import UsageError
from bootcamp_kit.jsondata import digest

if TYPE_CHECKING:
    from bootcamp_cli.settings_model import Settings
    from review.calibration import Known
    from review.queue import Queue
    from sandbox.service import Sandbox

SOUND_EVERY = 3
"""Every third known item is a sound one."""


def known_place(settings: Settings) -> Path | None:
    """Where known items come from: the setting, else the tests of the checkout this runs from; None without either.

    Raises:
        UsageError: the named folder is not there.
    """
    if settings.known_items is not None:
        if not settings.known_items.is_dir():
            raise UsageError(f"setting known_items {settings.known_items}", "not a folder", "name one, or leave it out")
        return settings.known_items
    checkout = Path(__file__).parents[1] / "tests"
    return checkout if (checkout / "bestiary").is_dir() else None


def fill(settings: Settings, queue: Queue, sandbox: Sandbox, count: int) -> int:
    """Put known items into the queue, none twice; returns how many were put in, fewer when they run out.

    Raises:
        UsageError: there is no folder of them.
        MachineError: the sandbox or the database failed.
    """
    from authoring.compiler.outcome import AUTHOR
    from review.calibration import disguised, known_submission, read_known
    from sandbox.runner import run_gate

    place = known_place(settings)
    if place is None:
        raise UsageError("known items", "an installed product has none", "name a folder: known_items in bootcamp.toml")
    used = queue.known_names()
    left = _in_turn([item for item in read_known(place) if item.name not in used], len(used))
    done = 0
    for item in left:
        if done >= count:
            break
        entries = queue.items()
        author = next((entry.author for entry in entries if entry.author), AUTHOR)
        folder = disguised(item, author, {entry.task_id for entry in entries})
        made = known_submission(item, folder, run_gate(sandbox, folder), author)
        if made is not None:
            queue.submit_known(*made)
            done += 1
    return done


def _in_turn(items: list[Known], begun: int) -> list[Known]:
    """Broken and sound ones in turn, each kind in an order of its own."""
    ordered = sorted(items, key=lambda item: digest(item.name.encode()))
    broken, sound = ([item for item in ordered if item.broken is kind] for kind in (True, False))
    found: list[Known] = []
    while broken or sound:
        wanted = sound if (begun + len(found)) % SOUND_EVERY == SOUND_EVERY - 1 else broken
        found.append((wanted or broken or sound).pop(0))
    return found


def submitting(settings: Settings, queue: Queue, sandbox: Sandbox) -> Callable[[Submission], str]:
    """``queue.submit``, that also keeps the share of known items; without a folder of them it only submits."""
    from review.calibration import missing

    there = known_place(settings) is not None

    def submit(submission: Submission) -> str:
        content_hash = queue.submit(submission)
        if settings.known_share and there:
            waiting, known = queue.counts()
            wanted = missing(waiting - known, known, settings.known_share)
            if wanted:
                fill(settings, queue, sandbox, wanted)
        return content_hash

    return submit
