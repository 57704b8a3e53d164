"""Moves the branch to a prepared commit and brings index and work tree along, so that a kill at any moment is harmless.

Order, under ``index.lock`` (so no git command works in between): journal → branch (compare and swap) → files → index.
Before the branch moves nothing is visible; from then on the commit is complete, and the journal lets the next merge
finish the files and the index of a killed one. Files are written beside and renamed into place.
"""

from __future__ import annotations

import contextlib
import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path

from bootcamp_kit.errors import MachineError, ReviewRuleError
from review.checkout import SCRATCH, Checkout, GitError
from review.commit import Prepared, remove_work_tree, stage


@dataclass(frozen=True, slots=True)
class Journal:
    """What a merge is about to do; outlives the process."""

    branch: str
    parent: str
    commit: str
    folder: str


def publish(checkout: Checkout, prepared: Prepared, *, holding: int) -> None:
    """Make a prepared commit the head of its branch, and its folder part of index and work tree.

    Args:
        checkout: The checkout, held by :meth:`Checkout.exclusively`.
        prepared: The commit.
        holding: What ``exclusively`` gave. The command that moves the branch keeps it held, so that a merge which comes
            after a killed one never looks while that command is still on its way.

    Raises:
        ReviewRuleError: the branch or the work tree changed meanwhile; nothing was changed.
        MachineError: another git command holds the index (nothing was changed), or the files could not be written (the
            commit stands; the next merge finishes).
    """
    asked = f"merging {prepared.folder}"
    _write_journal(checkout, Journal(prepared.branch, prepared.parent, prepared.commit, prepared.folder))
    try:
        _lock_index(checkout, asked)
        if checkout.branch() != prepared.branch or checkout.head() != prepared.parent:
            raise ReviewRuleError(asked, "the branch moved meanwhile", "merge again; nothing was changed")
        checkout.refuse_dirty(asked)
        _refuse_in_the_way(checkout, prepared, asked)
        _write_next_index(checkout, prepared)
        _move_branch(checkout, prepared, asked, holding)
    except BaseException:
        if checkout.ask("rev-parse", prepared.branch) != prepared.commit:
            _forget(checkout)
        raise
    try:
        _place(checkout, prepared.folder, parent=prepared.parent, commit=prepared.commit)
        (checkout.git_dir / "index.lock").replace(checkout.git_dir / "index")
    except OSError as error:
        raise MachineError(
            asked,
            f"commit {prepared.commit[:12]} is made, but its files could not be written: {error}",
            "mend that and run the same merge again: it finishes the checkout and makes no second commit",
        ) from error
    _forget(checkout)


def recover(checkout: Checkout) -> str:
    """Finish or clear away what a killed merge left; returns what was done in words, "" when there was nothing.

    Only call it while holding :meth:`Checkout.exclusively`: then no merge that left a journal is alive.

    Raises:
        ReviewRuleError: somebody changed the files of the unfinished merge since.
    """
    remove_work_tree(checkout, checkout.scratch / f"{SCRATCH}-tree")
    journal = _read_journal(checkout)
    if journal is None:
        _forget(checkout)
        return ""
    tip = checkout.ask("rev-parse", "-q", "--verify", journal.branch)
    if tip != journal.commit or checkout.branch() != journal.branch:
        _forget(checkout)
        made = tip is not None and checkout.ask("merge-base", "--is-ancestor", journal.commit, tip) is not None
        stands = (
            f"its commit {journal.commit[:12]} stands and has been built on since" if made else "no commit was made"
        )
        return f"cleared away an interrupted merge of {journal.folder}; {stands}"
    _unlock_index(checkout)
    _lock_index(checkout, f"finishing the merge of {journal.folder}")
    _place(checkout, journal.folder, parent=journal.parent, commit=journal.commit)
    blobs, old = checkout.blobs(journal.commit, journal.folder), checkout.blobs(journal.parent, journal.folder)
    removed = tuple(path for path in old if path not in blobs)
    _write_next_index(checkout, Prepared(**asdict(journal), blobs=blobs, removed=removed, signed=False))
    (checkout.git_dir / "index.lock").replace(checkout.git_dir / "index")
    _forget(checkout)
    return f"finished the checkout of {journal.folder}, whose merge was interrupted"


def _write_journal(checkout: Checkout, journal: Journal) -> None:
    building = checkout.scratch / "journal.new"
    with building.open("w", encoding="utf-8") as out:
        json.dump(asdict(journal), out)
        out.flush()
        os.fsync(out.fileno())
    building.replace(checkout.scratch / "journal.json")


def _read_journal(checkout: Checkout) -> Journal | None:
    try:
        return Journal(**json.loads((checkout.scratch / "journal.json").read_text("utf-8")))
    except FileNotFoundError:
        return None
    except (ValueError, TypeError) as error:
        raise MachineError(
            "finishing an interrupted merge",
            f"{checkout.scratch / 'journal.json'} is damaged: {error}",
            "compare the work tree with HEAD by hand, then remove that file",
        ) from error


def _lock_index(checkout: Checkout, asked: str) -> None:
    """Take git's own lock. It is a second name of our file, so that a later merge can tell it is ours."""
    mine = checkout.scratch / "owner"
    mine.unlink(missing_ok=True)
    mine.touch()
    try:
        (checkout.git_dir / "index.lock").hardlink_to(mine)
    except FileExistsError as error:
        raise MachineError(
            asked,
            f"another git command is at work in {checkout.root}, or one died there",
            f"wait for it; if none runs, remove {checkout.git_dir / 'index.lock'}",
        ) from error
    except OSError as error:
        raise MachineError(
            asked, f"git's index cannot be locked: {error}", "check the git directory's rights"
        ) from error


def _unlock_index(checkout: Checkout) -> None:
    lock, mine = checkout.git_dir / "index.lock", checkout.scratch / "owner"
    with contextlib.suppress(FileNotFoundError):
        if lock.samefile(mine):
            lock.unlink()


def _forget(checkout: Checkout) -> None:
    """Let go of the index if it is ours, then drop the journal and what else lies about; the order matters."""
    _unlock_index(checkout)
    for name in ("owner", "journal.json", "journal.new", "index", "index.lock", "incoming", "message"):
        (checkout.scratch / name).unlink(missing_ok=True)


def _write_next_index(checkout: Checkout, prepared: Prepared) -> None:
    """Copy the index, stage the folder in the copy, and fill the lock file with it: one rename away from being it."""
    copy = checkout.scratch / "index"
    copy.write_bytes((checkout.git_dir / "index").read_bytes())
    stage(checkout, prepared.folder, prepared.blobs, prepared.removed, env={"GIT_INDEX_FILE": str(copy)})
    with (checkout.git_dir / "index.lock").open("r+b") as out:
        out.write(copy.read_bytes())
        out.truncate()
        out.flush()
        os.fsync(out.fileno())


def _move_branch(checkout: Checkout, prepared: Prepared, asked: str, holding: int) -> None:
    try:
        checkout.run(
            "update-ref",
            "-m",
            f"bootcamp merge: {prepared.folder}",
            prepared.branch,
            prepared.commit,
            prepared.parent,
            holding=holding,
        )
    except GitError as error:
        raise ReviewRuleError(
            asked, f"git would not move {prepared.branch}: {error.stderr}", "merge again; nothing was changed"
        ) from error


def _refuse_in_the_way(checkout: Checkout, prepared: Prepared, asked: str) -> None:
    """Everything below the folder must be as the parent has it, and no link may lead out of the library."""
    place = checkout.root
    for part in prepared.folder.split("/"):
        place = place / part
        if place.is_symlink() or (place.exists() and not place.is_dir()):
            raise ReviewRuleError(asked, f"{place} is a link or a file", "put a plain folder there")
    old = checkout.files(prepared.parent, prepared.folder)
    for path in (*prepared.blobs, *prepared.removed):
        if _on_disk(place / path, asked) != old.get(path):
            raise ReviewRuleError(
                asked, f"{prepared.folder}/{path} on disk is not what is committed", "move it away or commit it"
            )


def _place(checkout: Checkout, folder: str, *, parent: str, commit: str) -> None:
    """Bring the folder on disk from the parent's state, or a state in between, to the commit's. Repeatable."""
    asked = f"checking out {folder}"
    old, new = checkout.files(parent, folder), checkout.files(commit, folder)
    for path in sorted({*old, *new}):
        _place_one(checkout, f"{folder}/{path}", old.get(path), new.get(path), asked)
    below = checkout.root / folder
    for inner in sorted((item for item in below.rglob("*") if item.is_dir()), reverse=True):
        if not any(inner.iterdir()):
            inner.rmdir()


def _place_one(checkout: Checkout, path: str, old: bytes | None, new: bytes | None, asked: str) -> None:
    target = checkout.root / path
    found = _on_disk(target, asked)
    if found == new:
        return
    half_written = found is not None and new is not None and new.startswith(found)
    if found not in (None, old) and not half_written:
        raise ReviewRuleError(
            asked, f"{path} was changed by hand since the merge was interrupted", "move it away, then merge again"
        )
    if new is None:
        target.unlink()
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    incoming = checkout.scratch / "incoming"
    incoming.write_bytes(new)
    try:
        incoming.replace(target)
    except OSError:
        target.write_bytes(new)  # the git directory is on another file system


def _on_disk(path: Path, asked: str) -> bytes | None:
    if path.is_symlink() or path.is_dir():
        raise ReviewRuleError(asked, f"{path} is a link or a folder", "move it away")
    try:
        return path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return None
