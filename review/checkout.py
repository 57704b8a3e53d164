"""The git checkout that holds a task library: where it is, what state it is in, and what its commits contain."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bootcamp_kit.errors import MachineError, ReviewRuleError, UsageError
from review.visible import visible

WAIT_SECONDS = 120.0
SCRATCH = "bootcamp-merge"
_INSTALLED = {"site-packages", "dist-packages"}
_REDIRECTS = ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_COMMON_DIR")
_UNFINISHED = {
    "MERGE_HEAD": "a merge",
    "CHERRY_PICK_HEAD": "a cherry-pick",
    "REVERT_HEAD": "a revert",
    "rebase-merge": "a rebase",
    "rebase-apply": "a rebase",
}
_SHOWN_PATHS = 5


class GitError(MachineError):
    """A git command failed; ``stderr`` is what it said, escaped and capped."""

    def __init__(self, command: str, stderr: str) -> None:
        super().__init__(f"git {command}", stderr or "it failed without a word", "see what git said")
        self.stderr = stderr


@dataclass(frozen=True, slots=True)
class Checkout:
    """A work tree and the library inside it.

    Attributes:
        root: Top of the work tree.
        git_dir: This work tree's git directory.
        common_dir: The repository's git directory; differs from ``git_dir`` in a linked work tree.
        library: The library's path below ``root``, POSIX; "" when it is the root.
    """

    root: Path
    git_dir: Path
    common_dir: Path
    library: str

    @classmethod
    def open(cls, library: Path) -> Checkout:
        """Find the repository around a library folder, which need not exist yet.

        Raises:
            ReviewRuleError: no git work tree, or a place that no merge may write to.
            UsageError: git is redirected by the environment.
            MachineError: git is not installed.
        """
        asked = f"merging into {library}"
        redirected = [name for name in _REDIRECTS if name in os.environ]
        if redirected:
            raise UsageError(asked, f"{', '.join(redirected)} is set", "unset it; merge outside of git's own hooks")
        place = library.resolve()
        if _INSTALLED & set(place.parts):
            raise ReviewRuleError(
                asked, "it is an installed package", "name a git checkout of the library: --library PATH"
            )
        git = _git()
        try:
            repo = git.Repo(_existing(place), search_parent_directories=True)
        except (git.InvalidGitRepositoryError, git.NoSuchPathError) as error:
            raise ReviewRuleError(
                asked, "it is not in a git repository", "name a git checkout, or run `git init` and make a first commit"
            ) from error
        with repo:
            if repo.working_tree_dir is None:
                raise ReviewRuleError(asked, "the repository is bare", "name a checkout with a work tree")
            root, git_dir = Path(repo.working_tree_dir).resolve(), Path(repo.git_dir).resolve()
            common_dir = Path(repo.common_dir).resolve()
        if not place.is_relative_to(root) or ".git" in place.relative_to(root).parts:
            raise ReviewRuleError(asked, "it is not inside the work tree", "name a folder of the checkout")
        relative = place.relative_to(root).as_posix()
        return cls(root, git_dir, common_dir, "" if relative == "." else relative)

    @property
    def scratch(self) -> Path:
        """Where a merge keeps what it prepares: inside the git directory, seen by no ``git status``."""
        return self.git_dir / SCRATCH

    def path_of(self, address: str) -> str:
        """``family/id`` inside the library → its path below the root."""
        return f"{self.library}/{address}" if self.library else address

    def run(
        self,
        *arguments: str,
        at: Path | None = None,
        stdin: bytes = b"",
        env: Mapping[str, str] = {},
        holding: int | None = None,
    ) -> bytes:
        """Run one git command and return its stdout.

        Args:
            arguments: What follows ``git``.
            at: Where; the work tree's root when not said.
            stdin: What it reads.
            env: Environment variables on top of this process's.
            holding: A lock's file descriptor that stays held until the command ends, also when this process dies first.

        Raises:
            GitError: it failed.
        """
        git = _git()
        with tempfile.TemporaryFile() as given:
            given.write(stdin)
            given.seek(0)
            try:
                out = git.Git(at or self.root).execute(
                    ["git", *arguments],
                    istream=given,
                    env={"GIT_OPTIONAL_LOCKS": "0", **env},
                    stdout_as_string=False,
                    strip_newline_in_stdout=False,
                    pass_fds=() if holding is None else (holding,),
                )
            except git.GitCommandError as error:
                raise GitError(" ".join(arguments)[:200], _said(error)) from error
        return bytes(out)

    def ask(self, *arguments: str) -> str | None:
        """One word or line from git, or None when the command says no."""
        try:
            return os.fsdecode(self.run(*arguments)).strip()
        except GitError:
            return None

    @contextmanager
    def exclusively(self) -> Iterator[int]:
        """Only one merge at a time in this checkout; the lock dies with the process that holds it.

        Yields:
            The lock's file descriptor; see ``holding`` in :meth:`run`.

        Raises:
            MachineError: another merge holds it for too long, or it cannot be made.
        """
        import fcntl

        try:
            self.scratch.mkdir(exist_ok=True)
            held = (self.scratch / "lock").open("w")
        except OSError as error:
            raise ReviewRuleError(
                f"merging into {self.root}", f"the checkout is read-only: {error}", "use a checkout you may write to"
            ) from error
        with held:
            deadline = time.monotonic() + WAIT_SECONDS
            while True:
                try:
                    fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    break
                except BlockingIOError as error:
                    if time.monotonic() > deadline:
                        raise MachineError(
                            f"merging into {self.root}",
                            f"another merge has been at work here for more than {WAIT_SECONDS:g} s",
                            "wait for it or end it, then try again",
                        ) from error
                    time.sleep(0.05)
            yield held.fileno()

    def branch(self) -> str | None:
        """The full name of the branch that is checked out; None when HEAD is detached."""
        return self.ask("symbolic-ref", "-q", "HEAD")

    def head(self) -> str | None:
        """The commit that is checked out; None before the first one."""
        return self.ask("rev-parse", "-q", "--verify", "HEAD^{commit}")

    def refuse_unless_ready(self, asked: str) -> tuple[str, str]:
        """The branch and its commit, when a merge may begin.

        Raises:
            ReviewRuleError: read-only, detached, empty, in the middle of something, or dirty; says which.
            GitError: git refuses to work here.
        """
        self.run("rev-parse", "--git-dir")
        for place in (self.git_dir, self.root, _existing(self.root / self.library)):
            if not os.access(place, os.W_OK | os.X_OK):
                raise ReviewRuleError(
                    asked, f"the checkout is read-only: {place} cannot be written", "use a checkout you may write to"
                )
        for name, what in _UNFINISHED.items():
            if (self.git_dir / name).exists():
                raise ReviewRuleError(asked, f"{what} is in progress in {self.root}", "finish or abort it first")
        branch, head = self.branch(), self.head()
        if branch is None:
            raise ReviewRuleError(asked, "HEAD is detached", "check out the branch to merge into: git switch BRANCH")
        if head is None:
            raise ReviewRuleError(asked, "the repository has no commit yet", "make a first commit")
        self.refuse_dirty(asked)
        return branch, head

    def refuse_dirty(self, asked: str) -> None:
        """Refuse uncommitted changes anywhere, and files inside the library that are untracked or hidden from git.

        Raises:
            ReviewRuleError: names them.
        """
        status = ("--literal-pathspecs", "status", "--porcelain", "--no-renames", "-z")
        changed = _status_paths(self.run(*status, "--untracked-files=no"))
        listing, place = ("--literal-pathspecs", "ls-files", "-z"), ("--", self.library or ".")
        others = os.fsdecode(self.run(*listing, "--others", "--exclude-standard", *place))
        untracked = [path for path in others.split("\0") if path]
        tracked = os.fsdecode(self.run(*listing, "-v", *place)).split("\0")
        hidden = [path[2:] for path in tracked if path and (path[0] == "S" or path[0].islower())]
        for paths, what, do in (
            (changed, "uncommitted changes", "commit or stash them"),
            (untracked, "untracked files in the library", "commit, ignore or remove them"),
            (
                hidden,
                "files of the library that git does not look at",
                "end the sparse checkout: git sparse-checkout disable",
            ),
        ):
            if paths:
                more = f" and {len(paths) - _SHOWN_PATHS} more" if len(paths) > _SHOWN_PATHS else ""
                shown = ", ".join(visible(path) for path in paths[:_SHOWN_PATHS])
                raise ReviewRuleError(asked, f"the checkout has {what}: {shown}{more}", do)

    def first_commit(self, head: str) -> str:
        """The oldest commit without a parent: the same in every clone of a repository."""
        return self.run("rev-list", "--max-parents=0", head).decode().split()[-1]

    def files(self, commit: str, folder: str) -> dict[str, bytes]:
        """Every file below ``folder`` in a commit, by its path below ``folder``."""
        blobs = self.blobs(commit, folder)
        if not blobs:
            return {}
        out, found = self.run("cat-file", "--batch", stdin="".join(f"{name}\n" for name in blobs.values()).encode()), {}
        for path in blobs:
            head, _, out = out.partition(b"\n")
            size = int(head.split()[2])
            found[path], out = out[:size], out[size + 1 :]
        return found

    def blobs(self, commit: str, folder: str) -> dict[str, str]:
        """Every file below ``folder`` in a commit: its path below ``folder`` → object id."""
        listing = self.run("--literal-pathspecs", "ls-tree", "-r", "-z", commit, "--", f"{folder}/")
        found = {}
        for line in os.fsdecode(listing).split("\0"):
            if line:
                about, path = line.split("\t", 1)
                found[path.removeprefix(f"{folder}/")] = about.split()[2]
        return found

    def families(self, commit: str) -> list[str]:
        """Every folder right below the library in a commit."""
        inside = f"{self.library}/" if self.library else ""
        where = ("--", inside) if inside else ()
        listing = self.run("--literal-pathspecs", "ls-tree", "-d", "-z", "--name-only", commit, *where)
        return [name.removeprefix(inside) for name in os.fsdecode(listing).split("\0") if name]

    def places_of(self, commit: str, task_id: str) -> list[str]:
        """Every ``family/task_id`` of the library in a commit."""
        inside = f"{self.library}/" if self.library else ""
        wanted = [f"{inside}{family}/{task_id}" for family in self.families(commit)]
        if not wanted:
            return []
        found = self.run("--literal-pathspecs", "ls-tree", "-d", "-z", "--name-only", commit, "--", *wanted)
        return [name.removeprefix(inside) for name in os.fsdecode(found).split("\0") if name in wanted]


def _git() -> Any:
    try:
        import git
    except ImportError as error:
        raise MachineError("merging", "git is not installed", "install git") from error
    return git


def _existing(place: Path) -> Path:
    """The nearest folder that exists, at or above ``place``."""
    while not place.is_dir():
        place = place.parent
    return place


def _status_paths(listing: bytes) -> list[str]:
    return [entry[3:] for entry in os.fsdecode(listing).split("\0") if entry]


def _said(error: Any) -> str:
    """What git wrote on stderr, without GitPython's wrapping."""
    text = str(error.stderr or "").strip()
    if text.startswith("stderr: '"):
        text = text.removeprefix("stderr: '").removesuffix("'")
    return visible(text.strip(), at_most=2_000)
