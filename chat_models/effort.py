"""``MODEL@high``: how much a model is to think before it answers, where the provider offers that.

The suffix is part of the model's name in lineage, cache and ledger: another effort gives other answers. A price is
looked up under the name with it, then under the name without.
"""

from __future__ import annotations

EFFORTS = ("minimal", "low", "medium", "high", "xhigh", "max")
"""The words providers know; which of them a model takes is for the provider to say."""


def split_effort(model: str) -> tuple[str, str]:
    """The model as the provider calls it, and the effort; "" for the provider's default. An ``@`` of its own stays."""
    name, mark, effort = model.rpartition("@")
    return (name, effort) if mark and name and effort in EFFORTS else (model, "")
