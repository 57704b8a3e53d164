"""Makes the commit of a merge without touching branch, index or work tree: in a throw-away tree inside the git dir.

The commit is made by ``git commit`` itself, so the repository's hooks run and its signing settings hold. Hooks see a
complete checkout with the new folder in it, and a detached HEAD; ``BOOTCAMP_BRANCH`` names the branch. What they let
through is compared with what was approved before anything else happens.

Not covered: ``post-commit`` runs before the branch moves.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from bootcamp_kit.errors import ReviewRuleError
from review.checkout import SCRATCH, Checkout, GitError
from review.people import name_and_mail

_HOOKS = ("pre-commit", "prepare-commit-msg", "commit-msg", "post-commit")


@dataclass(frozen=True, slots=True)
class Prepared:
    """A commit that exists as an object and that no branch holds yet.

    Attributes:
        branch: Full name of the branch it is meant for, which stood at ``parent``.
        folder: The one folder it changes, below the work tree's root.
        blobs: Path below ``folder`` → object id, of every file the folder has in it.
        removed: Paths below ``folder`` which the parent has and it has not.
        signed: Whether git signed it.
    """

    commit: str
    parent: str
    branch: str
    folder: str
    blobs: Mapping[str, str]
    removed: tuple[str, ...]
    signed: bool


def prepare(
    checkout: Checkout,
    *,
    branch: str,
    parent: str,
    folder: str,
    files: Mapping[str, bytes],
    message: str,
    identity: str,
    at: datetime,
) -> Prepared:
    """Commit ``files`` as the whole of ``folder`` on top of ``parent``; nothing is moved yet.

    Raises:
        ReviewRuleError: a hook or the signing refuses, a hook changes the commit, or the repository's attributes would
            change the bytes.
        GitError: git fails.
    """
    asked = f"committing {folder}"
    tree = checkout.scratch / f"{SCRATCH}-tree"
    remove_work_tree(checkout, tree)
    quiet = ("-c", "core.hooksPath=/dev/null")
    checkout.run(*quiet, "worktree", "add", "--quiet", "--detach", "--no-checkout", str(tree), parent)
    try:
        checkout.run("read-tree", "HEAD", at=tree)
        hooks = _hooks(checkout, tree)
        if hooks:
            checkout.run(*quiet, "checkout-index", "--all", "--force", "--quiet", "-u", at=tree)
        old = checkout.blobs(parent, folder)
        removed = tuple(path for path in old if path not in files)
        blobs = _store(checkout, tree, folder, files, removed)
        stage(checkout, folder, blobs, removed, at=tree)
        _refuse_conversion(checkout, tree, folder, files, blobs, asked)
        commit = _commit(checkout, tree, message=message, identity=identity, at=at, branch=branch, hooks=hooks)
        _refuse_changed(checkout, asked, parent=parent, commit=commit, folder=folder, blobs=blobs, message=message)
        signed = b"\ngpgsig" in checkout.run("cat-file", "commit", commit).split(b"\n\n", 1)[0]
    finally:
        remove_work_tree(checkout, tree)
    return Prepared(commit, parent, branch, folder, blobs, removed, signed)


def stage(
    checkout: Checkout,
    folder: str,
    blobs: Mapping[str, str],
    removed: tuple[str, ...],
    *,
    at: Path | None = None,
    env: Mapping[str, str] = {},
) -> None:
    """Put blobs into an index as the files of ``folder``, and take ``removed`` out of it."""
    zero = "0" * len(next(iter(blobs.values())))
    lines = [f"0 {zero}\t{folder}/{path}" for path in removed]
    lines += [f"100644 {blob}\t{folder}/{path}" for path, blob in blobs.items()]
    checkout.run("update-index", "-z", "--index-info", stdin=os.fsencode("\0".join(lines) + "\0"), at=at, env=env)


def remove_work_tree(checkout: Checkout, tree: Path) -> None:
    """Remove a throw-away work tree and git's note of it, also a half-made one; other work trees are not looked at."""
    shutil.rmtree(tree, ignore_errors=True)
    notes = checkout.common_dir / "worktrees"
    for note in notes.glob(f"{tree.name}*"):
        try:
            mine = Path(os.fsdecode((note / "gitdir").read_bytes()).strip()) == tree / ".git"
        except OSError:
            mine = not (note / "HEAD").exists()
        if mine:
            shutil.rmtree(note, ignore_errors=True)


def _hooks(checkout: Checkout, tree: Path) -> list[str]:
    where = Path(os.fsdecode(checkout.run("rev-parse", "--git-path", "hooks", at=tree)).strip()).expanduser()
    places = [tree / where, checkout.root / where]
    return [name for name in _HOOKS if any(os.access(place / name, os.X_OK) for place in places)]


def _store(
    checkout: Checkout, tree: Path, folder: str, files: Mapping[str, bytes], removed: tuple[str, ...]
) -> dict[str, str]:
    """Write the files into the throw-away tree and the object store, byte for byte."""
    for path in removed:
        (tree / folder / path).unlink(missing_ok=True)
    for path, data in files.items():
        target = tree / folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
    paths = [f"{folder}/{path}" for path in files]
    raw = checkout.run("hash-object", "-w", "--no-filters", "--", *paths, at=tree).decode().split()
    return dict(zip(files, raw, strict=True))


def _refuse_conversion(
    checkout: Checkout, tree: Path, folder: str, files: Mapping[str, bytes], blobs: Mapping[str, str], asked: str
) -> None:
    """Bytes must survive git's conversions (line endings, ident, filters) both ways, or the content hash would not."""
    paths = [f"{folder}/{path}" for path in files]
    checkout.run("checkout-index", "--force", "--quiet", "--stdin", "-z", stdin=_attributes(checkout, tree), at=tree)
    added = checkout.run("hash-object", "--", *paths, at=tree).decode().split()
    changed = {path for path, blob in zip(files, added, strict=True) if blob != blobs[path]}
    for path in paths:
        (tree / path).unlink()
    checkout.run("checkout-index", "--force", "--quiet", "-u", "--", *paths, at=tree)
    changed |= {path for path, data in files.items() if (tree / folder / path).read_bytes() != data}
    if changed:
        raise ReviewRuleError(
            asked,
            f"git's attributes or autocrlf would change the bytes of {', '.join(sorted(changed))}, and so their hash",
            f"switch conversion off for the library: a line `{folder.split('/')[0]}/** -text -ident -filter` in "
            ".gitattributes",
        )


def _attributes(checkout: Checkout, tree: Path) -> bytes:
    """Every .gitattributes of the index, NUL-divided: git looks for them on disk, where a bare tree has none."""
    return checkout.run("ls-files", "-z", "--", ".gitattributes", ":(glob)**/.gitattributes", at=tree)


def _commit(
    checkout: Checkout, tree: Path, *, message: str, identity: str, at: datetime, branch: str, hooks: list[str]
) -> str:
    name, mail = name_and_mail(identity)
    when = f"{int(at.astimezone(UTC).timestamp())} +0000"
    env = {
        **{f"GIT_{role}_NAME": name for role in ("AUTHOR", "COMMITTER")},
        **{f"GIT_{role}_EMAIL": mail for role in ("AUTHOR", "COMMITTER")},
        **{f"GIT_{role}_DATE": when for role in ("AUTHOR", "COMMITTER")},
        "BOOTCAMP_BRANCH": branch.removeprefix("refs/heads/"),
    }
    text = checkout.scratch / "message"
    text.write_text(message, encoding="utf-8")
    try:
        options = ("--quiet", "--no-status", "--cleanup=whitespace", "-F", str(text))
        checkout.run("-c", "maintenance.auto=false", "-c", "gc.auto=0", "commit", *options, at=tree, env=env)
    except GitError as error:
        why = f"its hooks ({', '.join(hooks)}) or its signing" if hooks else "git, most likely its signing,"
        raise ReviewRuleError(
            "committing the task",
            f"the repository refused the commit; {why} said: {error.stderr}",
            "mend what it says, then merge again; nothing was changed",
        ) from error
    return os.fsdecode(checkout.run("rev-parse", "HEAD", at=tree)).strip()


def _refuse_changed(
    checkout: Checkout,
    asked: str,
    *,
    parent: str,
    commit: str,
    folder: str,
    blobs: Mapping[str, str],
    message: str,
) -> None:
    """The commit must be the parent plus exactly this folder with exactly these bytes, and keep its trailers."""
    parents = os.fsdecode(checkout.run("rev-list", "--parents", "-n", "1", commit)).split()[1:]
    touched = os.fsdecode(checkout.run("diff-tree", "-r", "-z", "--name-only", parent, commit)).split("\0")
    outside = [path for path in touched if path and not path.startswith(f"{folder}/")]
    said = os.fsdecode(checkout.run("log", "-1", "--format=%B", commit))
    lost = [line for line in message.split("\n\n")[-1].split("\n") if line and line not in said.split("\n")]
    what = ""
    if parents != [parent]:
        what = "put it on another parent"
    elif outside:
        what = f"changed {outside[0]}, outside of the task's folder"
    elif checkout.blobs(commit, folder) != dict(blobs):
        what = "changed the approved bytes"
    elif lost:
        what = f"dropped the trailer {lost[0]!r}"
    if what:
        raise ReviewRuleError(
            asked, f"a hook of the repository {what}", "keep that hook off the library; nothing was changed"
        )
