"""How fast the review queue lists and searches many items: ``python benchmarks/review.py [N] [DATABASE-URL]``.

Fills a fresh queue (a temporary SQLite file, or an empty database by URL) with copies of one candidate, each with its
report of 20 kB, and prints the best of five of what reviewers do. N is 100,000 when not said.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import sqlalchemy as sa

sys.path.insert(0, str(Path(__file__).parents[1]))  # also run as a file, which has a package's name

from bootcamp_kit.errors import UsageError
from review import schema
from review.item import OPEN, State
from review.listing import Filter
from review.queue import Queue

CHUNK = 2_000
WORDS = ("seat", "rotation", "towers", "ribbon", "pebble", "graph", "colouring", "knapsack", "mirror", "ledger")
STATES = (*[State.QUEUED.value] * 6, State.RETURNED.value, State.APPROVED.value, State.MERGED.value, "rejected")


def fill(queue: Queue, count: int) -> None:
    """Items straight into the tables, in chunks."""
    body = {"brief": "b" * 2_000, "report": json.dumps({"padding": "r" * 20_000}), "lineage": "{}"}
    for start in range(1, count + 1, CHUNK):
        numbers = range(start, min(start + CHUNK, count + 1))
        rows = [_row(number) for number in numbers]
        with queue._store.write("filling") as connection:
            connection.execute(sa.insert(schema.items), rows)
            connection.execute(sa.insert(schema.bodies), [{"item_id": row["id"], **body} for row in rows])
            connection.execute(
                sa.insert(schema.files),
                [{"item_id": row["id"], "path": "bootcamp.py", "data": b"x" * 4_000} for row in rows],
            )


def _row(number: int) -> dict[str, object]:
    words = [WORDS[(number // 10**place) % 10] for place in range(3)]
    title = f"{' '.join(words).title()} number {number}"
    task_id, author = f"{words[0]}_{words[1]}_{number}", ("compiler/1", "openai:some-model")[number % 2]
    return {
        "id": number, "task_id": task_id, "family": words[2], "title": title, "version": "1.0.0",
        "content_hash": f"{number * 2654435761 % 2**64:064x}", "state": STATES[number % 10], "author": author,
        "licence": "CC0-1.0", "verdict": "pass", "findings": number % 4, "created": "2026-11-30T12:00:00Z",
        "answer": "integer", "risk": number % 90, "rank": number % 90, "risk_reasons": "[]",
        "search": f"{task_id} {words[2]} {title} {author}".casefold(),
    }  # fmt: skip


def best(act: Callable[[], object]) -> float:
    """Seconds of the fastest of five."""
    found = []
    for _ in range(5):
        start = time.perf_counter()
        act()
        found.append(time.perf_counter() - start)
    return min(found)


def main(count: int, target: str | Path) -> None:
    """Fill, measure, print."""
    with Queue(target) as queue:
        if queue.find(Filter(), limit=1).total:
            raise UsageError("filling a queue for the benchmark", f"{target} holds items", "name an empty database")
        start = time.perf_counter()
        fill(queue, count)
        print(f"{count:,} items, filled in {time.perf_counter() - start:.1f} s")
        for name, wanted, limit in (
            ("first page of what is open", Filter(OPEN), 200),
            ("page 100", Filter(OPEN), 20_000),
            ("search, two words, first page", Filter(OPEN, search="towers 4711"), 200),
            ("search without a hit", Filter(search="nothing like this"), 200),
            ("family, author and risk, first page", Filter(family="graph", author="openai", min_risk=50), 200),
            ("all of them", Filter(), None),
        ):
            seconds = best(lambda wanted=wanted, limit=limit: queue.find(wanted, limit=limit))
            page = queue.find(wanted, limit=limit)
            print(f"{name:36} {seconds * 1000:7.0f} ms   {len(page.entries):,} of {page.total:,}")


if __name__ == "__main__":
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("count", nargs="?", type=int, default=100_000)
    arguments.add_argument("database", nargs="?", help="of an empty database; a temporary SQLite file when not said")
    given = arguments.parse_args()
    with tempfile.TemporaryDirectory() as place:
        main(given.count, given.database or Path(place) / "queue.sqlite")
