"""Mixes items among the candidates of which it is known whether they are broken; see ``review/calibration.py``."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from pathlib import Path
from random import Random, SystemRandom
from typing import TYPE_CHECKING

from bootcamp_kit.candidate import Submission
from bootcamp_kit.errors import UsageError

if TYPE_CHECKING:
    from bootcamp_cli.settings_model import Settings
    from bootcamp_kit.folder import TaskFolder
    from bootcamp_kit.report import Report
    from review.calibration import Known, Likeness, Style, Truth
    from review.queue import Queue
    from sandbox.service import Sandbox

STYLES = ("evident", "silent", "sound")
"""Each as often as the others."""
TRIES = 12
"""Changes of one task that are tried until the gate proves one to be a fault."""
HASTE = 0.1
"""Chance that a known item comes in with the next candidate, once one is wanted: else each twentieth would be one."""


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
    return checkout if (checkout / "sound_tasks").is_dir() else None


def fill(settings: Settings, queue: Queue, sandbox: Sandbox, count: int, *, rng: Random | None = None) -> int:
    """Put known items into the queue, no task twice; returns how many were put in, fewer when they run out.

    Raises:
        UsageError: there is no folder of them.
        MachineError: the sandbox or the database failed.
    """
    from bootcamp_cli.machine import store_report
    from review.calibration import Style, read_known

    place = known_place(settings)
    if place is None:
        raise UsageError("known items", "an installed product has none", "name a folder: known_items in bootcamp.toml")
    rng = rng or SystemRandom()
    used = queue.known_names()
    left = [item for item in read_known(place) if item.name not in used]
    rng.shuffle(left)
    done = 0
    for item in left:
        if done >= count:
            break
        if queue.knows(item.name):
            continue  # a real candidate has that name
        made = _made(queue, sandbox, item, Style(rng.choice(STYLES)), rng)
        if made is not None:
            queue.submit_known(*made)
            store_report(settings, made[0].report)
            done += 1
    return done


def _made(queue: Queue, sandbox: Sandbox, item: Known, style: Style, rng: Random) -> tuple[Submission, Truth] | None:
    """One known item, looking like a candidate that waits; None where the task is of no use for it."""
    from authoring.brief_page import brief_page
    from authoring.compiler.outcome import AUTHOR
    from bootcamp_kit.folder import TaskFolder
    from review.calibration import Style, Truth, disguised, lineage_like, proved_sound, shown_report, submission_of
    from sandbox.runner import run_gate

    like = _likeness(queue, item.folder.card.answer.kind, rng)
    folder, brief = disguised(item, like, AUTHOR)
    by_hand = like is not None and like.folder.files.get("brief.md") != brief_page(like.brief)
    if not by_hand:
        folder = TaskFolder({**folder.files, "brief.md": brief_page(brief)})
    sound, broken, fault = run_gate(sandbox, folder), None, ""
    if not proved_sound(sound):
        return None
    if style is not Style.SOUND:
        found = _broken(sandbox, folder, rng)
        if found is None:
            return None
        folder, broken, fault = found
    shown = shown_report(style, sound, broken, like)
    lineage = lineage_like(like, brief, AUTHOR)
    if shown is None:
        return None
    return submission_of(folder, brief, lineage, shown), Truth(item.name, style, fault)


def _broken(sandbox: Sandbox, folder: TaskFolder, rng: Random) -> tuple[TaskFolder, Report, str] | None:
    """The task with a fault that the gate proves, the gate's report and the fault; None where no change is one."""
    from review.calibration import proved_broken
    from review.planting import planted
    from sandbox.runner import run_gate

    for one in islice(planted(folder, rng), TRIES):
        report = run_gate(sandbox, one.folder)
        if proved_broken(report):
            return one.folder, report, one.fault
    return None


def _likeness(queue: Queue, kind: str, rng: Random) -> Likeness | None:
    """A waiting candidate to look like, with the same kind of answer where there is one."""
    from review.calibration import Likeness

    hashes = queue.others_waiting()
    rng.shuffle(hashes)
    items = [item for item in map(queue.item, hashes[:12]) if item.version]  # without one, its card cannot be read
    if not items:
        return None
    chosen = next((item for item in items if item.folder.card.answer.kind == kind), items[0])
    return Likeness(chosen.folder, chosen.brief, chosen.lineage, chosen.report)


def submitting(
    settings: Settings, queue: Queue, sandbox: Sandbox, *, rng: Random | None = None
) -> Callable[[Submission], str]:
    """``queue.submit``, that also keeps the share of known items; without a folder of them it only submits.

    A wanted one comes in some ten candidates later on average, so that no place in the log tells it.
    """
    from review.calibration import missing

    there = known_place(settings) is not None
    chance = rng or SystemRandom()

    def submit(submission: Submission) -> str:
        content_hash = queue.submit(submission)
        if settings.known_share and there:
            waiting, known = queue.counts()
            wanted = missing(waiting - known, known, settings.known_share)
            if wanted and chance.random() < HASTE * wanted:
                fill(settings, queue, sandbox, wanted, rng=chance)
        return content_hash

    return submit
