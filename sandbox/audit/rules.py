"""The audit's policy: the gate's, with what the deeper tier adds."""

from __future__ import annotations

from importlib import resources

from sandbox.checks.policy import Policy, default_policy, parse_policy


def audit_policy() -> Policy:
    """Both shipped files as one policy; its version names both."""
    gate, more = default_policy(), own_policy()
    return Policy(
        version=f"{gate.version}+audit.{more.version}",
        thresholds={**gate.thresholds, **more.thresholds},
        severities={**gate.severities, **more.severities},
    )


def own_policy() -> Policy:
    """What the deeper tier adds."""
    return parse_policy(resources.files("sandbox.audit").joinpath("policy.toml").read_bytes())
