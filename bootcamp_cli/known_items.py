"""Mixes items among the candidates of which it is known whether they are broken; see ``review/calibration.py``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from random import Random, SystemRandom
from typing import TYPE_CHECKING

from bootcamp_kit.candidate import Submission
from bootcamp_kit.errors import UsageError

if TYPE_CHECKING:
    from bootcamp_cli.known_sources import Source
    from bootcamp_cli.settings_model import Settings
    from bootcamp_kit.folder import TaskFolder
    from bootcamp_kit.report import Report
    from review.calibration import Likeness, Style, Truth
    from review.queue import Queue
    from sandbox.service import Sandbox

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

    Half of them are sound, half broken; which, and in what order, is chance (:func:`review.calibration.drawn`).

    Raises:
        UsageError: there is no folder of them.
        MachineError: the sandbox or the database failed.
    """
    from bootcamp_cli.known_sources import sources
    from bootcamp_cli.machine import store_report
    from review.calibration import drawn

    place = known_place(settings)
    if place is None:
        raise UsageError("known items", "an installed product has none", "name a folder: known_items in bootcamp.toml")
    rng = rng or SystemRandom()
    used = queue.known_names()
    left = [item for item in sources(place) if item.name not in used and not queue.knows(item.name)]
    done, kinds = 0, Counter[str]()
    for style in drawn(count, queue.known_styles(), rng):
        made = _next(queue, sandbox, left, style, rng, kinds)
        if made is None:
            break
        kinds[made[1].kind] += 1
        queue.submit_known(*made)
        store_report(settings, made[0].report)
        done += 1
    return done


def _next(
    queue: Queue, sandbox: Sandbox, left: list[Source], style: Style, rng: Random, kinds: Counter[str]
) -> tuple[Submission, Truth] | None:
    """An item of this style; what was tried is taken out of what is left. None where nothing left is of use for it.

    ``kinds`` counts the kinds of faults there are already; rarer ones are tried first.
    """
    from bootcamp_cli.known_sources import in_order

    like = _likeness(queue, rng)
    for item in in_order(left, like, rng):
        left.remove(item)
        made = _made(sandbox, item, style, like, rng, kinds)
        if made is not None:
            return made
    return None


def _made(
    sandbox: Sandbox, item: Source, style: Style, like: Likeness | None, rng: Random, kinds: Counter[str]
) -> tuple[Submission, Truth] | None:
    """One known item, looking like a candidate that waits; None where the task is of no use for it."""
    from authoring.compiler.outcome import AUTHOR
    from review.calibration import Style, Truth, lineage_like, proved_sound, shown_report, submission_of
    from sandbox.runner import run_gate

    found = item.made(sandbox, like)
    if found is None:
        return None
    folder, brief = found
    sound, broken, fault = run_gate(sandbox, folder), None, ""
    if not proved_sound(sound):
        return None
    if style is not Style.SOUND:
        with_fault = _broken(sandbox, folder, rng, kinds)
        if with_fault is None:
            return None
        folder, broken, fault = with_fault
    shown = shown_report(style, sound, broken, like)
    if shown is None:
        return None
    lineage = lineage_like(like, brief, AUTHOR)
    return submission_of(folder, brief, lineage, shown), Truth(item.name, style, fault)


def _broken(
    sandbox: Sandbox, folder: TaskFolder, rng: Random, kinds: Counter[str]
) -> tuple[TaskFolder, Report, str] | None:
    """The task with a fault that the gate proves, the gate's report and the fault; None where no change is one."""
    from review.calibration import kind_of_fault, proved_broken
    from review.planting import planted
    from sandbox.runner import run_gate

    for one in sorted(islice(planted(folder, rng), TRIES), key=lambda one: kinds[kind_of_fault(one.fault)]):
        report = run_gate(sandbox, one.folder)
        if proved_broken(report):
            return one.folder, report, one.fault
    return None


def _likeness(queue: Queue, rng: Random) -> Likeness | None:
    """A waiting candidate to look like; so what is put in is mixed as what waits."""
    from review.calibration import Likeness

    hashes = queue.others_waiting()
    rng.shuffle(hashes)
    items = (item for item in map(queue.item, hashes[:12]) if item.version)  # without one, its card cannot be read
    chosen = next(items, None)
    return Likeness(chosen.folder, chosen.brief, chosen.lineage, chosen.report) if chosen else None


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
