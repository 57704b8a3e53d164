"""A row of the registry, and what its judge returns."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from bootcamp_kit.jsondata import Json
from bootcamp_kit.report import Finding
from sandbox.checks.evidence import Evidence
from sandbox.checks.policy import Policy


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a check found and measured; ``skipped`` is a reason not to have judged, or ""."""

    findings: tuple[Finding, ...] = ()
    figures: dict[str, Json] = field(default_factory=dict)
    skipped: str = ""


@dataclass(frozen=True, slots=True)
class Check:
    """One check.

    Attributes:
        name: ``family.what``.
        judge: Pure: the same evidence and policy give the same judgement.
        shows: What a pass is evidence of.
        cannot: What a pass does not show.
        needs: What must hold before it says anything: ``card``, ``load``, ``cases``, ``deterministic``, ``right``.
        probes: The probe families it reads.
        rfc008: OpenEnv RFC 008's id for it, or "".
    """

    name: str
    judge: Callable[[Evidence, Policy], Judgement]
    shows: str
    cannot: str
    needs: tuple[str, ...] = ()
    probes: tuple[str, ...] = ()
    rfc008: str = ""

    @property
    def family(self) -> str:
        """The part of the name before the dot."""
        return self.name.partition(".")[0]
