"""Which tasks of a library in git differ from a commit: committed, staged or only on disk. Reads; changes nothing."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from bootcamp_kit.errors import MachineError, UsageError
from bootcamp_kit.folder import EVIDENCE
from review.visible import visible

if TYPE_CHECKING:
    import git


@dataclass(frozen=True, slots=True)
class Changed:
    """Tasks that differ, by their folders; and ``family/id`` of those that are gone."""

    tasks: tuple[Path, ...]
    gone: tuple[str, ...]


def changed_tasks(library: Path, base: str) -> Changed:
    """Compare a library on disk with the commit where it and ``base`` parted.

    What changes only in a task's evidence changes no task. Works inside git's hooks, where git names the index.

    Args:
        library: The library's folder in a git work tree.
        base: A branch, tag or commit.

    Raises:
        UsageError: no git work tree, or no such commit.
        MachineError: git is not installed.
    """
    try:
        import git
    except ImportError as error:
        raise MachineError("asking git what changed", "git is not installed", "install git") from error
    asked = f"tasks changed against {base[:100]!r}"
    if "\0" in base or not base:
        raise UsageError(asked, "no commit's name", "name a branch, tag or commit")
    if not library.is_dir():
        raise UsageError(asked, f"{library} is not a folder", "name the library: BOOTCAMP_LIBRARY, or bootcamp.toml")
    repo = git.Git(str(library))
    try:
        if repo.rev_parse("--is-inside-work-tree") != "true":
            raise UsageError(asked, f"{library} is not in a git work tree", "name a checkout of the library")
        start = _start(repo, base)
        listed = repo.execute(["git", "diff", "--name-only", "-z", "--no-renames", "--relative", start, "--", "."])
        new = repo.execute(["git", "ls-files", "--others", "--exclude-standard", "-z", "--", "."])
    except git.GitCommandError as error:
        said = visible(str(error.stderr or error), at_most=300).strip()
        raise UsageError(asked, said, "name a branch, tag or commit of the library's repository") from error
    names = {
        tuple(parts[:2])
        for path in f"{listed}\0{new}".split("\0")
        if len(parts := path.split("/")) > 2 and parts[2] != EVIDENCE
    }
    there = tuple(
        library.joinpath(*name) for name in sorted(names) if (library.joinpath(*name) / "card.toml").is_file()
    )
    gone = tuple(
        "/".join(name) for name in sorted(names) if _was(repo, start, name) and library.joinpath(*name) not in there
    )
    return Changed(there, gone)


def _start(repo: git.Git, base: str) -> str:
    """The commit to compare with: where ``base`` and HEAD parted; ``base`` itself where there is none."""
    from git import GitCommandError

    commit = str(repo.execute(["git", "rev-parse", "--verify", "--end-of-options", f"{base}^{{commit}}"]))
    try:
        return str(repo.execute(["git", "merge-base", commit, "HEAD"]))
    except GitCommandError:
        return commit


def _was(repo: git.Git, start: str, name: tuple[str, ...]) -> bool:
    listed = repo.execute(["git", "ls-tree", "--name-only", start, "--", f"{'/'.join(name)}/card.toml"])
    return bool(listed)
