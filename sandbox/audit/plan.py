"""How much an audit measures. Numbers only; nothing here runs anything."""

from __future__ import annotations

from dataclasses import dataclass, field

from sandbox.audit.adversary.search import AdversaryPlan
from sandbox.audit.mutation import MutationPlan
from sandbox.audit.truth import TruthPlan
from sandbox.plan import GatePlan

AUDIT = GatePlan(
    cases_per_level=120,
    screen_cases=20,
    second_container_cases=20,
    near_miss_cases=60,
    still_right_cases=60,
    garbage_cases=12,
    huge_garbage_cases=4,
    perturbed_cases=4,
    property_examples=150,
    response_examples=300,
    stable_examples=60,
    calls_after_failure=200,
    salt="audit",
)


@dataclass(frozen=True, slots=True)
class AuditPlan:
    """The gate's checks with more of everything, mutation testing, independent truth, a search for exploits."""

    gate: GatePlan = AUDIT
    mutation: MutationPlan = field(default_factory=MutationPlan)
    truth: TruthPlan = field(default_factory=TruthPlan)
    adversary: AdversaryPlan = field(default_factory=AdversaryPlan)
