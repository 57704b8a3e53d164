"""A reviewer's process is killed at random moments of claiming, deciding and taking back: nothing is half-done."""

from __future__ import annotations

import random
import subprocess
import sys
import textwrap
import time

from review.item import State
from review.queue import Queue

REVIEWER = "Rae Viewer <rae@example.org>"
WORKER = """
    import sys
    from pathlib import Path
    from review.decide import Choice, decide, undo
    from review.queue import Queue
    me = "Rae Viewer <rae@example.org>"
    with Queue(Path(sys.argv[1])) as queue:
        print("ready", flush=True)
        for _ in range(9):
            item = queue.claim_next(me)
            queue.note(item.content_hash, me, "first screen")
            decide(queue, item.content_hash, Choice.REJECT, me, "dull", shown_hash=item.content_hash)
            undo(queue, item.content_hash, me)
            decide(queue, item.content_hash, Choice.APPROVE, me, shown_hash=item.content_hash)
        sys.stdin.readline()  # nobody writes: four such processes cannot decide all 40, however late they are killed
"""


def test_kills_at_random_moments_leave_whole_decisions(queue, queue_path, submission):
    for number in range(40):
        queue.submit(submission(task_id=f"task_{number:02}"))
    chance = random.Random(7)
    left = queue.items(states=[State.QUEUED])
    kills = 0
    while kills < 4 or (len(left) == 40 and kills < 40):  # a busy machine decides nothing in so short a time
        kills += 1
        command = [sys.executable, "-c", textwrap.dedent(WORKER), str(queue_path)]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as worker:
            assert worker.stdout is not None
            assert worker.stdout.readline() == "ready\n"
            time.sleep(chance.uniform(0.005, 0.12) * max(1, kills - 3))
            worker.kill()
            worker.wait()
        with Queue(queue_path) as after:
            assert after.verify_log().problems == ()
            for entry in after.items():
                item = after.item(entry.content_hash)
                assert (item.state is State.APPROVED) == (item.approval is not None)
        left = queue.items(states=[State.QUEUED])
    assert 0 < len(left) < 40
