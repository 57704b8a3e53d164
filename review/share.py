"""What happens to merges after the commit: pushing the branch, and the text of a pull request about them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from bootcamp_kit.counted import counted
from bootcamp_kit.errors import MachineError, ReviewRuleError
from review.checkout import Checkout, GitError
from review.haste import hasty_approvals
from review.item import QueueItem
from review.measures import verdict_strip
from review.risk import word as risk_word
from review.visible import one_line

_PLAIN = {"GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C"}
_REJECTED = ("non-fast-forward", "fetch first", "Updates were rejected")
_CREDENTIALS = re.compile(r"://[^/@\s]*@")


def push(library: Path, *, remote: str = "") -> str:
    """Push the branch that is checked out, and say where to.

    Args:
        library: The library's folder inside a git checkout.
        remote: Name of the remote; the branch's own, else the only one there is.

    Raises:
        ReviewRuleError: no branch, no remote or several, or the remote has commits that are not here.
        MachineError: git fails, e.g. because the remote cannot be reached.
    """
    checkout = Checkout.open(library)
    asked = f"pushing {checkout.root}"
    branch = checkout.branch()
    if branch is None:
        raise ReviewRuleError(asked, "HEAD is detached", "check out the branch: git switch BRANCH")
    name = branch.removeprefix("refs/heads/")
    remote = remote or _remote(checkout, name, asked)
    try:
        checkout.run("push", "--porcelain", remote, f"{branch}:{branch}", env=_PLAIN)
    except GitError as error:
        if any(words in error.stderr for words in _REJECTED):
            raise ReviewRuleError(
                asked,
                f"{one_line(remote)} has commits on {one_line(name)} that are not here; the merges are kept",
                f"git pull --rebase {remote} {name}, then push again: merges touch one folder each",
            ) from error
        said = _CREDENTIALS.sub("://…@", error.stderr.strip())
        raise MachineError(
            asked, f"git push failed: {said}", "the merges are kept; push by hand when that is mended"
        ) from error
    return f"{remote}/{name}"


def _remote(checkout: Checkout, branch: str, asked: str) -> str:
    own = checkout.ask("config", "--get", f"branch.{branch}.remote")
    known = (checkout.ask("remote") or "").split()
    if own in known:
        return str(own)
    if len(known) == 1:
        return known[0]
    if not known:
        raise ReviewRuleError(asked, "the repository has no remote", "git remote add origin URL; the merges are kept")
    raise ReviewRuleError(asked, f"it has several remotes: {', '.join(known)}", "name one: --remote NAME")


def pull_request_body(merged: Sequence[tuple[QueueItem, str]]) -> str:
    """Markdown for a pull request about merged items.

    Args:
        merged: Each item with its commit.
    """
    parts = [f"Adds or updates {counted(len(merged), 'task')}. Each is one commit that touches one folder.\n"]
    for item, commit in merged:
        approvers = ", ".join(map(_code, item.approvers))
        parts += [
            f"### {_code(item.title)}\n",
            f"- task {_code(f'{item.family}/{item.task_id}')} version {_code(item.version)}",
            f"- commit {_code(commit[:12])}",
            f"- made by {_code(item.lineage.author)}, attempt {item.lineage.attempt}; licence {_code(item.licence)}",
            f"- approved by {approvers or 'nobody'}; risk {item.risk} ({risk_word(item.risk)})",
            *(f"- hasty: {_code(text)}" for text in hasty_approvals(item)),
            f"- content {_code(item.content_hash)}",
            f"- report {_code(item.report.hash)}\n",
            "| measured | | |",
            "|---|---|---|",
            *(f"| {m.label} | {m.status or 'not measured'} | {_code(m.text)} |" for m in verdict_strip(item.report)),
            "",
        ]
    return "\n".join(parts)


def _code(text: str) -> str:
    """Anybody's text as a code span: no mention, no link and no markup in it has an effect."""
    shown = one_line(text, at_most=300).replace("`", "'").replace("|", "¦")
    return f"`{shown}`" if shown else "–"
