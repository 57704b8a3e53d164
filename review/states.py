"""Where an item of the review queue can stand, and which event leads where. Imports nothing: the CLI names them."""

from __future__ import annotations

from enum import StrEnum


class State(StrEnum):
    """Where an item stands."""

    QUEUED = "queued"
    APPROVED = "approved"
    REJECTED = "rejected"
    RETURNED = "returned"
    MERGED = "merged"
    SUPERSEDED = "superseded"


OPEN = (State.QUEUED, State.RETURNED, State.APPROVED)
"""Something may still happen to these."""

STATE_AFTER = {
    "submitted": State.QUEUED,
    "approved": State.APPROVED,
    "rejected": State.REJECTED,
    "returned": State.RETURNED,
    "merged": State.MERGED,
    "superseded": State.SUPERSEDED,
    "withdrawn": State.QUEUED,
    "calibrated": State.SUPERSEDED,
}
"""Event kind → the state it leads to; kinds that are not here change no state."""


ENDORSED = "endorsed"
DECISION_KINDS = (ENDORSED, "approved", "rejected", "returned")
"""The events that hold a person's decision; ``endorsed`` is the first of two approvals and changes no state."""
