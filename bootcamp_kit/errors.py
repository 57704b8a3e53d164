"""Every exception of the product, in one tree.

::

    Exception
    ├── Malformed                 a response that holds no well-formed answer (data: scores 0, never leaves `score`)
    └── BootcampError             asked · found · do, and an exit code
        ├── UsageError        2   the call, a setting, a brief or a folder is not usable as given
        ├── MachineError      3   engine, container, disk or database failed: nobody's task is to blame
        │   └── ProviderError 3   a model provider refused, failed or could not be reached
        ├── BudgetError       4   a limit on money, tokens or time was reached
        ├── ReviewRuleError   5   the review rules forbid it (stale approval, author as reviewer, dirty tree, ...)
        └── InternalError    70   a fault of this program

A candidate that loops, crashes, floods or lies is *data* and yields findings. Exceptions are for everything else.
A message says three things: what was asked, what was found, and what to do.
"""

from __future__ import annotations

__all__ = [
    "BootcampError",
    "BudgetError",
    "InternalError",
    "MachineError",
    "Malformed",
    "ProviderError",
    "ReviewRuleError",
    "UsageError",
]


class Malformed(Exception):
    """A response holds no answer of the form the prompt asked for. Raised by ``parse`` only."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class BootcampError(Exception):
    """Base of everything a user may be shown.

    Args:
        asked: What was being done.
        found: What stood in the way.
        do: What the user can do about it.
    """

    exit_code = 70

    def __init__(self, asked: str, found: str, do: str = "") -> None:
        super().__init__(asked, found, do)
        self.asked, self.found, self.do = asked, found, do

    def __str__(self) -> str:
        return f"{self.asked}: {self.found}" + (f"\n  → {self.do}" if self.do else "")


class UsageError(BootcampError):
    """The call, a setting, a brief or a folder is not usable as given."""

    exit_code = 2


class MachineError(BootcampError):
    """Engine, container, disk or database failed; no task is to blame."""

    exit_code = 3


class ProviderError(MachineError):
    """A model provider refused, failed, or could not be reached."""


class BudgetError(BootcampError):
    """A limit on money, tokens or time was reached."""

    exit_code = 4


class ReviewRuleError(BootcampError):
    """The review rules forbid it."""

    exit_code = 5


class InternalError(BootcampError):
    """A fault of this program."""

    exit_code = 70
