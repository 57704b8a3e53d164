"""The one exception inside this package for a fault of our own machinery; it never leaves it."""

from __future__ import annotations


class InfrastructureFault(Exception):
    """Engine, container, agent or stream failed: retried in a new container, never the candidate's failure."""


class EngineGone(InfrastructureFault):
    """Nobody answers at the engine's address: it may be restarting."""
