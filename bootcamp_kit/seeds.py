"""The only source of randomness a task has."""

from __future__ import annotations

import random


def rng_for(task_id: str, level: int, seed: int) -> random.Random:
    """The generator's random stream for one case.

    Seeding by text goes through SHA-512, so neighbouring seeds share nothing and the stream does not depend on
    ``PYTHONHASHSEED``, the process or the platform.
    """
    return random.Random(f"{task_id}/{level}/{seed}")
