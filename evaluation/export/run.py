"""One export: checked first, streamed into shards, described by a manifest that is written last."""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import BinaryIO

from bootcamp_kit import __version__
from bootcamp_kit.counted import counted
from bootcamp_kit.errors import InternalError, MachineError, UsageError
from bootcamp_kit.jsondata import Json, digest
from bootcamp_kit.library import Task
from evaluation.curriculum import Curriculum
from evaluation.export.dataset_card import NAME as CARD
from evaluation.export.dataset_card import dataset_card
from evaluation.export.formats import find_format
from evaluation.export.items import (
    Counts,
    Item,
    Selection,
    case_mark,
    items,
    mixed_items,
    require_levels,
    require_licences,
)
from evaluation.export.shards import KEY_BYTES, KEYS, JsonLines, Shard, json_line, keys_of, write_shards

MANIFEST = "export.json"
ROWS_PER_SHARD = 50_000
AGAIN = "run the same command again: it begins anew"


@dataclass(frozen=True, slots=True)
class Order:
    """What to export.

    Attributes:
        to: The format's name.
        split: Written into every row.
        allowed: Licences that are exported although the rules refuse them.
        rows_per_shard: Rows of a full shard.
        mix: Draws the cases in place of going through them task by task; ``selection`` then only excludes.
        rows: With a mix: rows to write; None is endless.
    """

    to: str
    selection: Selection
    split: str = "train"
    allowed: tuple[str, ...] = ()
    rows_per_shard: int = ROWS_PER_SHARD
    mix: Curriculum | None = None
    rows: int | None = None

    @property
    def endless(self) -> bool:
        """Whether it never ends by itself."""
        if self.mix is not None:
            return self.rows is None
        return self.selection.end is None and self.selection.per_level is None

    def items(self, tasks: Sequence[Task], counts: Counts) -> Iterator[Item]:
        """The items, in order."""
        if self.mix is None:
            return items(tasks, self.selection, counts)
        return mixed_items(tasks, self.mix, self.rows, self.selection, counts)


def export(
    tasks: Sequence[Task], order: Order, out: Path, tell: Callable[[Counts], None] = lambda counts: None
) -> dict[str, Json]:
    """Write shards and manifest into ``out``; the manifest is returned.

    A folder that holds parts without a manifest is an export that was broken off: its parts are replaced.

    Raises:
        UsageError: no such format, refused licence, missing level, an endless range, a finished export in ``out``, or
            another process that writes there.
        MachineError: the disk is full or the sandbox failed; whole shards stay, and it says what they hold.
        KeyboardInterrupt: with a note that says the same.
    """
    _check(tasks, order)
    if order.endless:
        do = "give START:END (with a mix --rows), or --out - for an endless stream"
        raise UsageError("export", "it has no end", do)
    out.mkdir(parents=True, exist_ok=True)
    with _alone_in(out):
        if (out / MANIFEST).exists():
            raise UsageError(f"export into {out}", "a finished export is there", "choose another --out")
        return _write(tasks, order, out, tell)


@contextmanager
def _alone_in(out: Path) -> Iterator[None]:
    """Two exports into one folder would mix their shards; the lock is the folder's own and leaves nothing behind."""
    handle = os.open(out, os.O_RDONLY)
    try:
        with suppress(OSError):  # a file system without locks
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError as error:
                do = "choose another --out"
                raise UsageError(f"export into {out}", "another process is writing it", do) from error
        yield
    finally:
        os.close(handle)


def _write(tasks: Sequence[Task], order: Order, out: Path, tell: Callable[[Counts], None]) -> dict[str, Json]:
    for path in [*out.glob("part-*"), *out.glob(".part-*"), *(out / KEYS).glob("*")]:
        path.unlink()
    form, counts = find_format(order.to), Counts()

    def rows() -> Iterator[tuple[bytes, Mapping[str, Json]]]:
        for item in order.items(tasks, counts):
            yield case_mark(item.case.task_id, item.key), form.row(item, order.split)
            if counts.written % 5_000 == 0:
                tell(counts)

    shards: list[Shard] = []
    try:
        for shard in write_shards(out, rows(), form.opener, order.rows_per_shard):
            shards.append(shard)  # one by one: those that are whole when it breaks off are told of
        return _finished(tasks, order, out, counts, shards)
    except (OSError, MachineError) as error:
        raise _broken_off(out, counts, shards, error) from error
    except KeyboardInterrupt as error:
        error.add_note(f"export into {out}: {_so_far(counts, shards)}; {AGAIN}")
        raise


def _finished(
    tasks: Sequence[Task], order: Order, out: Path, counts: Counts, shards: Sequence[Shard]
) -> dict[str, Json]:
    """Check the sums, write what goes with the shards, the manifest last."""
    form = find_format(order.to)
    if not counts.adds_up or counts.written != sum(shard.rows for shard in shards):
        raise InternalError("export", f"the counts do not add up: {counts.to_json()}", "report it")
    for name, text in form.companions.items():
        (out / name).write_text(text, "utf-8")
    manifest = _manifest(tasks, order, counts, shards, form.mapping)
    (out / CARD).write_text(dataset_card(tasks, manifest, form.opener.suffix), "utf-8")
    building = out / f".{MANIFEST}.writing"
    try:
        building.write_text(json.dumps(manifest, indent=1, sort_keys=True) + "\n", "utf-8")
        building.replace(out / MANIFEST)
    finally:
        building.unlink(missing_ok=True)
    return manifest


def _broken_off(out: Path, counts: Counts, shards: Sequence[Shard], error: OSError | MachineError) -> MachineError:
    why = error.found if isinstance(error, MachineError) else error.strerror or str(error)
    return MachineError(f"export into {out}", f"{why}; {_so_far(counts, shards)}", f"mend it; {AGAIN}")


def _so_far(counts: Counts, shards: Sequence[Shard]) -> str:
    kept = sum(shard.rows for shard in shards)
    counts.asked = counts.settled  # a seed that was under way is asked again
    return f"{counts.words}, of which {kept} in {counted(len(shards), 'whole shard')}"


def stream(tasks: Sequence[Task], order: Order, out: BinaryIO, counts: Counts) -> None:
    """Write JSON lines to a pipe, endless if the seeds are; ``counts`` is filled on the way.

    Raises:
        UsageError: as :func:`export`, or a format that is no JSON lines.
        BrokenPipeError: the reader has had enough.
    """
    form = find_format(order.to)
    _check(tasks, order)
    if form.opener is not JsonLines:
        raise UsageError(f"streaming {order.to}", "its rows are Parquet", "give --out a folder")
    for item in order.items(tasks, counts):
        out.write(json_line(form.row(item, order.split)))
    out.flush()


def read_manifest(folder: Path) -> dict[str, Json]:
    """The manifest of a finished export.

    Raises:
        UsageError: there is none, or it is not readable.
    """
    try:
        found: dict[str, Json] = json.loads((folder / MANIFEST).read_text("utf-8"))
        if not all(type(shard["rows"]) is int for shard in found["shards"]):
            raise TypeError("rows are counts")
        written, there = found["counts"]["written"], sum(shard["rows"] for shard in found["shards"])
        if written != there:
            raise ValueError(f"{written} rows were written, its shards have {there}")
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        raise UsageError(f"export {folder}", f"no manifest: {error}", "name a finished export's folder") from error
    return found


def read_marks(folder: Path) -> Iterator[bytes]:
    """The mark (``items.case_mark``) of every row of a finished export.

    Raises:
        UsageError: no finished export, or its keys are not the ones that were written: what it holds is not known.
    """
    for number, shard in enumerate(read_manifest(folder)["shards"]):
        path = keys_of(folder, number)
        data = path.read_bytes() if path.is_file() else b""
        if len(data) != KEY_BYTES * shard["rows"] or shard.get("keys_sha256", digest(data)) != digest(data):
            found = f"{KEYS}/{path.name} does not hold the keys of the {shard['rows']} rows of shard {number}"
            raise UsageError(f"export {folder}", found, "restore it, or export again")
        for start in range(0, len(data), KEY_BYTES):
            yield data[start : start + KEY_BYTES]


def _check(tasks: Sequence[Task], order: Order) -> None:
    find_format(order.to)
    if not tasks:
        raise UsageError("export", "no task is named", "bootcamp export TASK… --to FORMAT --out FOLDER")
    require_licences(tasks, order.allowed)
    require_levels(tasks, order.selection.levels)


def _manifest(
    tasks: Sequence[Task], order: Order, counts: Counts, shards: Sequence[Shard], mapping: Mapping[str, str]
) -> dict[str, Json]:
    chosen = order.selection
    return {
        "schema": 1,
        "kit_version": __version__,
        "format": order.to,
        "split": order.split,
        "levels": list(chosen.levels) if chosen.levels is not None else None,
        "seeds": [chosen.start, chosen.end],
        "per_level": chosen.per_level,
        "mix": order.mix.mix.to_json() if order.mix else None,
        "excluded_keys": len(chosen.excluded),
        "counts": counts.to_json(),
        "rewards": dict(mapping),
        "shards": [asdict(shard) for shard in shards],
        "tasks": [
            {
                "task_id": task.card.id,
                "version": task.card.version,
                "content_hash": task.content_hash,
                "family": task.card.family,
                "licence": task.card.source.licence,
                "source": task.card.source.name,
            }
            for task in tasks
        ],
    }
