"""A task as models are shown it: some cases of each level with their prompts; and how a response to one is tried."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import resources

from bootcamp_kit.case import Case
from bootcamp_kit.errors import InternalError
from bootcamp_kit.folder import TaskFolder
from bootcamp_kit.jsondata import digest
from sandbox.box import Box
from sandbox.checks.evidence import CaseEvidence, Evidence, Probe, Scored
from sandbox.checks.probes import first_of_each_level
from sandbox.collect import parse_call, score_call

MAX_PROMPT_SHOWN, MAX_PAYLOAD_SHOWN, MAX_CODE_SHOWN = 6_000, 2_000, 60_000
HIDDEN = ("oracle.py", "second_oracle.py", "reference.py")
_MARK = re.compile(r"\{\{([a-z_]+)\}\}")


@dataclass(frozen=True, slots=True)
class Shown:
    """One case with a right answer, and its prompt."""

    evidence: CaseEvidence
    case: Case
    prompt: str


def shown_cases(evidence: Evidence, per_level: int) -> list[Shown]:
    """Some cases of each level that the oracle solves."""
    return [
        Shown(item, item.case, item.prompt_text)
        for item in first_of_each_level(evidence.right, per_level)
        if item.case is not None and item.prompt_text is not None
    ]


def tried(box: Box, item: Shown, response: str, kind: str) -> Scored:
    """A response scored and parsed in processes of its own."""
    scored, parsed = box.fresh(score_call(item.case, response)), box.fresh(parse_call(response))
    return Scored(Probe("opponents", kind, item.case, response), scored, parsed)


def cases_text(cases: Sequence[Shown]) -> str:
    """Cases as an attacker sees them: number, level, data, prompt."""
    parts = []
    for place, item in enumerate(cases):
        data = json.dumps(item.case.payload, ensure_ascii=False)[:MAX_PAYLOAD_SHOWN]
        head = f"case {place} (level {item.case.level})\ndata: {data}\nprompt:\n"
        parts.append(head + item.prompt[:MAX_PROMPT_SHOWN])
    return fenced("cases", "\n\n".join(parts))


def code_text(folder: TaskFolder) -> str:
    """The files that judge, and the card; what knows the answers is left out."""
    files = {name: data for name, data in folder.sources.items() if name not in HIDDEN}
    parts = (f"=== {name} ===\n{data.decode('utf-8', 'replace')}" for name, data in files.items())
    return fenced("files", "\n\n".join(parts)[:MAX_CODE_SHOWN])


def fenced(kind: str, text: str) -> str:
    """Text from outside between lines that it cannot contain: they carry a hash of it."""
    token = digest(text.encode("utf-8", "surrogatepass"))[:16]
    return f"<<<DATA {kind} {token}\n{text}\nDATA {kind} {token}>>>"


def prompt(name: str, **values: str) -> str:
    """One prompt file with its ``{{marks}}`` replaced; values are inserted as they are.

    Raises:
        InternalError: a mark without a value.
    """
    text = resources.files("evaluation.opponents").joinpath(f"{name}.md").read_text("utf-8").strip()
    missing = set(_MARK.findall(text)) - set(values)
    if missing:
        raise InternalError(f"filling prompt {name}.md", f"no value for {sorted(missing)}", "report this as a bug")
    return _MARK.sub(lambda match: values[match[1]], text)


def prompts_hash() -> str:
    """One hash of all prompts: what an audit with models depends on, beside the models."""
    names = ("attack", "attack_source", "blind", "correct", "helper")
    folder = resources.files("evaluation.opponents")
    return digest(b"\0".join(folder.joinpath(f"{name}.md").read_bytes() for name in names))[:16]
