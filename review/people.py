"""Who a person is: ``Name <mail>``, as git knows it."""

from __future__ import annotations

import re
from pathlib import Path

from bootcamp_kit.errors import MachineError, ReviewRuleError

_PERSON = re.compile(r"(?P<name>[^<>\x00-\x1f\x7f]*\w[^<>\x00-\x1f\x7f]*?) <(?P<mail>[^<>@\s]+@[^<>@\s]+)>")
MAX_IDENTITY_CHARS = 200


def git_identity(path: Path) -> str:
    """``Name <mail>`` from the git configuration that holds at ``path``.

    Raises:
        ReviewRuleError: git knows no name or no address, or they name no person.
        MachineError: git is not installed.
    """
    asked = "finding out who you are"
    if not path.is_dir():
        raise ReviewRuleError(asked, f"{path} is not a folder", "name a folder whose git settings hold")
    values = {key: _git_config(path, key) for key in ("user.name", "user.email")}
    missing = [key for key, value in values.items() if not value]
    if missing:
        raise ReviewRuleError(
            asked,
            f"git's {' and '.join(missing)} {'is' if len(missing) == 1 else 'are'} not set",
            "; ".join(f"git config --global {key} '…'" for key in missing),
        )
    identity = f"{values['user.name']} <{values['user.email']}>"
    if not is_person(identity):
        raise ReviewRuleError(
            asked, f"git says {identity[:80]!r}, which names no person", "set git's user.name and user.email"
        )
    return identity


def _git_config(path: Path, key: str) -> str:
    try:
        import git
    except ImportError as error:
        raise MachineError("asking git who you are", "git is not installed", "install git") from error
    try:
        return str(git.Git(path).config("--get", key)).strip()
    except git.GitCommandError:
        return ""


def is_person(identity: str) -> bool:
    """Whether it reads ``Name <mail>``."""
    text = identity.strip()
    return len(text) <= MAX_IDENTITY_CHARS and text.isprintable() and _PERSON.fullmatch(text) is not None


def same_person(one: str, other: str) -> bool:
    """Whether two identities are one person: the same text, or the same mail address."""
    found, known = _PERSON.fullmatch(one.strip()), _PERSON.fullmatch(other.strip())
    if found and known:
        return found["mail"].casefold() == known["mail"].casefold()
    name = found["name"].strip() if found else one.strip()
    return other.strip().casefold() in (one.strip().casefold(), name.casefold())


def name_and_mail(identity: str) -> tuple[str, str]:
    """The two parts of ``Name <mail>``.

    Raises:
        ReviewRuleError: it names no person.
    """
    found = _PERSON.fullmatch(identity.strip()) if is_person(identity) else None
    if not found:
        raise ReviewRuleError(
            "naming a person", f"{identity[:80]!r} is not of the form Name <mail>", "set git's user.name and user.email"
        )
    return found["name"].strip(), found["mail"]
