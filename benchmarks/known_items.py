"""Can known items be told from others by what is shown of them? A simple classifier over all of it, with real reports.

``python -m benchmarks.known_items [N]``: about a third of the sound tasks of ``tests/`` are handed in as a model's
work, a third of the compiler's sound problems as the compiler's; known items are made of the others in between; each
report is the gate's. ``N`` bounds how many tasks and problems are used. Needs an engine; takes minutes.

What is not covered: whoever knows the tests by heart, and a tell that lies in how several features go together.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path
from random import Random

from authoring.brief_page import brief_page
from authoring.compiler.outcome import AUTHOR
from bootcamp_cli.known_items import fill
from bootcamp_cli.known_sources import PROBLEMS, Source, Written, sources
from bootcamp_cli.machine import open_sandbox
from bootcamp_cli.settings_model import Settings
from bootcamp_kit.candidate import Lineage, Submission
from bootcamp_kit.folder import TaskFolder
from review.calibration import disguised, submission_of
from review.queue import Queue
from sandbox.runner import run_gate
from sandbox.service import Sandbox
from tests.review.telling import features, told_apart

TESTS = Path(__file__).parents[1] / "tests"


def main(most: int) -> int:
    """Hand in, mix in, classify, print."""
    chance = Random(7)
    everything = sources(TESTS)
    chance.shuffle(everything)
    everything = everything[:most]
    real, others = everything[::3], [item for number, item in enumerate(everything) if number % 3]
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "known"
        for item in others:
            _copy(item, place)
        settings = Settings(state=Path(folder), known_items=place)
        with Queue(Path(folder) / "queue.sqlite") as queue, open_sandbox(settings) as sandbox:
            put_in = number = 0
            for item in real:
                submission = _handed_in(sandbox, item)
                if submission is not None:
                    number += 1
                    queue.submit(submission)
                    put_in += fill(settings, queue, sandbox, 2 * number - put_in, rng=chance)
            _tell(queue, put_in)
    return 0


def _copy(item: Source, place: Path) -> None:
    if isinstance(item, Written):
        shutil.copytree(TESTS / "sound_tasks" / item.name, place / "sound" / item.name)
        return
    found = next(TESTS / name / f"{item.name}.md" for name in PROBLEMS if (TESTS / name).is_dir())
    (place / "briefs").mkdir(parents=True, exist_ok=True)
    shutil.copy(found, place / "briefs")


def _handed_in(sandbox: Sandbox, item: Source) -> Submission | None:
    """As a model's work or the compiler's, with the gate's report; None where the compiler refuses it."""
    if isinstance(item, Written):
        task, brief = disguised(item.known, None, "openai:model")
        task = TaskFolder({**task.files, "brief.md": brief_page(brief)})
        lineage = Lineage("openai:model", brief.hash, prompts=(("draft.md", "0" * 64),), run="r1")
    else:
        made = item.made(sandbox, None)
        if made is None:
            return None
        task, brief = made
        lineage = Lineage(AUTHOR, brief.hash, run="r2")
    return submission_of(task, brief, lineage, run_gate(sandbox, task))


def _tell(queue: Queue, put_in: int) -> None:
    kinds: dict[str, list[dict[str, float]]] = {}
    blind: dict[str, list[dict[str, float]]] = {}
    for entry in queue.items():
        truth = queue.truth(entry.content_hash)
        item = queue.item(entry.content_hash)
        kind = truth.style.value if truth else "real"
        kinds.setdefault(kind, []).append(features(item))
        blind.setdefault(kind, []).append(features(item, evidence=False))
    print(f"{put_in} known items: " + ", ".join(f"{len(rows)} {kind}" for kind, rows in sorted(kinds.items())))
    known, calm = kinds["silent"] + kinds["sound"], blind["silent"] + blind["sound"]
    for words, one, other in (
        ("silent from sound", kinds["silent"], kinds["sound"]),
        ("silent and sound from real", known, kinds["real"]),
        ("evident from the others, evidence aside", blind["evident"], calm + blind["real"]),
        ("evident from sound, by their evidence", kinds["evident"], kinds["sound"]),
    ):
        share = max(len(one), len(other)) / (len(one) + len(other))
        print(f"{words}: {told_apart(one, other):.0%} judged rightly (always the commoner kind: {share:.0%})")


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000))
