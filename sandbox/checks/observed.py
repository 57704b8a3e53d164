"""Strict reading of observations, and how one is put into words.

The container is not trusted: a value is believed to be a score, a prompt or an answer only after it was rebuilt here.
The words are the same every time (no addresses, no durations), so a witness found twice has the same id.
"""

from __future__ import annotations

import re

from bootcamp_kit.case import Outcome, Score
from bootcamp_kit.jsondata import Json, canonical, digest
from sandbox.calls import JobOutcome, Observation, Op

_ADDRESS = re.compile(r"0x[0-9a-fA-F]{6,16}")
_PLACE = re.compile(r"""File "<task>/([A-Za-z0-9_.]+\.py)", line (\d+), in (\S+)""")
_PLAIN = {
    JobOutcome.TIMEOUT: "no answer within the time limit",
    JobOutcome.OUT_OF_MEMORY: "out of memory",
    JobOutcome.OUTPUT_LIMIT: "more output than allowed",
    JobOutcome.KILLED: "the process died",
    JobOutcome.PROTOCOL: "not an answer",
    JobOutcome.INFRASTRUCTURE: "our machinery failed",
}
LIMITS = (JobOutcome.TIMEOUT, JobOutcome.OUT_OF_MEMORY, JobOutcome.OUTPUT_LIMIT)
MAX_SHOWN = 200


def score_of(observation: Observation) -> Score | None:
    """The score, when one came back and it is well formed."""
    value = observation.value
    if observation.score is not None and observation.ok:
        return observation.score
    if not observation.ok or not isinstance(value, dict) or set(value) != {"value", "outcome", "reason"}:
        return None
    try:
        return Score(value["value"], Outcome(value["outcome"]), value["reason"])
    except (TypeError, ValueError):
        return None


def answer_of(observation: Observation | None) -> tuple[str, Json] | None:
    """(``answer``, value) or (``malformed``, reason), when parse came back well formed."""
    value = observation.value if observation is not None and observation.ok else None
    if not isinstance(value, dict) or len(value) != 1:
        return None
    name, inner = next(iter(value.items()))
    if name == "answer" or (name == "malformed" and isinstance(inner, str)):
        return name, inner
    return None


def same_answer(left: Observation | None, right: Observation | None) -> bool:
    """Whether both responses were parsed to the same answer; two malformed ones are not the same answer."""
    first, second = answer_of(left), answer_of(right)
    return bool(first and second and first[0] == second[0] == "answer" and canonical(first[1]) == canonical(second[1]))


def well_formed(observation: Observation) -> bool:
    """Whether the call came back with a value of the type its op promises."""
    if not observation.ok:
        return False
    if observation.call.op in (Op.SCORE, Op.VERIFY):
        return score_of(observation) is not None
    if observation.call.op is Op.PARSE:
        return answer_of(observation) is not None
    if observation.call.op in (Op.PROMPT, Op.SOLVE):
        return isinstance(observation.value, str)
    return True


def failure_kind(observation: Observation) -> str:
    """``crash``, ``limit``, ``shape`` or "" for an observation that is fine; machine faults count as fine here."""
    if observation.outcome is JobOutcome.INFRASTRUCTURE or well_formed(observation):
        return ""
    if observation.ok or observation.outcome is JobOutcome.PROTOCOL:
        return "shape"
    return "limit" if observation.outcome in LIMITS else "crash"


def describe(observation: Observation) -> str:
    """What came back, in words that are the same each time."""
    if observation.outcome is JobOutcome.EXCEPTION:
        return f"exception {steady(observation.error, 300)}{_places(observation.traceback)}"
    if observation.outcome is JobOutcome.KILLED or observation.outcome is JobOutcome.PROTOCOL:
        return f"{_PLAIN[observation.outcome]}: {steady(observation.error, 300)}"
    if not observation.ok:
        return _PLAIN[observation.outcome]
    return _describe_value(observation)


def _describe_value(observation: Observation) -> str:
    value, op = observation.value, observation.call.op
    if op in (Op.SCORE, Op.VERIFY):
        score = score_of(observation)
        return f"score {score.value} ({score.outcome.value})" if score else f"not a score: {shown(repr(value))}"
    if op is Op.PARSE:
        parsed = answer_of(observation)
        return f"{parsed[0]}: {shown(repr(parsed[1]))}" if parsed else f"not an answer: {shown(repr(value))}"
    if op in (Op.PROMPT, Op.SOLVE):
        return (
            f"{len(value):,} characters, SHA-256 {digest(value.encode())[:12]}"
            if isinstance(value, str)
            else f"not text: {shown(repr(value))}"
        )
    if op is Op.GENERATE:
        return f"payload with SHA-256 {digest(canonical(value))[:12]}"
    return shown(repr(value))


def _places(traceback: str) -> str:
    places = _PLACE.findall(traceback)
    if not places:
        return ""
    file, line, function = places[-1]
    return f" at {file}:{line} in {function}"


def steady(text: str, cap: int) -> str:
    """Untrusted text, escaped, capped, without memory addresses."""
    return shown(_ADDRESS.sub("0x…", text), cap)


def shown(text: str, cap: int = MAX_SHOWN) -> str:
    """Untrusted text on one line, escaped and capped."""
    cut = text[:cap].replace("\n", "\\n").replace("\r", "\\r").replace("\t", "\\t")
    safe = "".join(char if char.isprintable() else f"\\u{{{ord(char):x}}}" for char in cut)
    return safe + ("…" if len(text) > cap else "")
