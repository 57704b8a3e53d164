"""Can known items be told from others by what is shown of them? A simple classifier over all of it, with real reports.

``python -m benchmarks.known_items [N]``: about a third of the sound tasks of ``tests/`` are handed in as a model's
work, the others become known items in between; each report is the gate's. Needs an engine; takes minutes.

What is not covered: candidates that look different as tasks (a compiled one has other code than any known item), and
whoever knows the tests by heart.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path
from random import Random

from authoring.brief_page import brief_page
from bootcamp_cli.known_items import fill
from bootcamp_cli.machine import open_sandbox
from bootcamp_cli.settings_model import Settings
from bootcamp_kit.candidate import Lineage
from bootcamp_kit.folder import TaskFolder
from review.calibration import disguised, read_known, submission_of
from review.queue import Queue
from sandbox.runner import run_gate
from tests.review.telling import features, told_apart

TESTS = Path(__file__).parents[1] / "tests"


def main(most: int) -> int:
    """Hand in, mix in, classify, print; ``most`` sound tasks are used."""
    everything = read_known(TESTS)[:most]
    chance = Random(7)
    chance.shuffle(everything)
    real, others = everything[::3], [item for number, item in enumerate(everything) if number % 3]
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "known" / "sound"
        for item in others:
            shutil.copytree(TESTS / "sound_tasks" / item.name, place / item.name)
        settings = Settings(state=Path(folder), known_items=place.parent)
        with Queue(Path(folder) / "queue.sqlite") as queue, open_sandbox(settings) as sandbox:
            put_in = 0
            for number, item in enumerate(real, 1):
                task, brief = disguised(item, None, "openai:model")
                task = TaskFolder({**task.files, "brief.md": brief_page(brief)})
                lineage = Lineage("openai:model", brief.hash, prompts=(("draft.md", "0" * 64),), run="r1")
                queue.submit(submission_of(task, brief, lineage, run_gate(sandbox, task)))
                put_in += fill(settings, queue, sandbox, 2 * number - put_in, rng=chance)
            _tell(queue, put_in)
    return 0


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
