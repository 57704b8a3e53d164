"""The severity policy: one versioned file of thresholds and of how much each finding code weighs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources

from bootcamp_kit.errors import UsageError
from bootcamp_kit.report import Finding, Severity, Witness
from bootcamp_kit.tomldata import read_toml

MAX_WITNESS_TEXT = 2_000


@dataclass(frozen=True, slots=True)
class Policy:
    """Thresholds by name and severities by code, as ``policy.toml`` gives them."""

    version: str
    thresholds: Mapping[str, float]
    severities: Mapping[str, Severity]

    def threshold(self, name: str) -> float:
        """One threshold.

        Raises:
            UsageError: the policy does not set it.
        """
        if name not in self.thresholds:
            raise UsageError("severity policy", f"no threshold {name!r}", "add it under [thresholds]")
        return self.thresholds[name]

    def finding(self, code: str, message: str, witness: Witness, hint: str = "") -> Finding:
        """A finding of the severity this policy gives its code.

        Raises:
            UsageError: the policy does not know the code.
        """
        if code not in self.severities:
            raise UsageError("severity policy", f"no severity for {code!r}", "add it under [severity]")
        return Finding(code, self.severities[code], message, witness, hint)


def parse_policy(data: bytes) -> Policy:
    """Read a policy file.

    Raises:
        UsageError: not TOML, an unknown severity, a threshold that is no number, no version.
    """
    try:
        raw = read_toml(data)
        return Policy(
            version=str(raw["version"]),
            thresholds={str(key): float(value) for key, value in raw["thresholds"].items()},
            severities={str(key): Severity(value) for key, value in raw["severity"].items()},
        )
    except (KeyError, AttributeError, TypeError, ValueError) as error:
        raise UsageError("severity policy", f"not usable: {error!r}", "see sandbox/checks/policy.toml") from error


def default_policy() -> Policy:
    """The policy shipped with the product."""
    return parse_policy(resources.files("sandbox.checks").joinpath("policy.toml").read_bytes())
