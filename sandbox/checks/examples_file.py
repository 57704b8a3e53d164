"""``examples.toml``: responses a task must accept, must reject, and must call malformed.

::

    [[accept]]                      # must score 1
    name = "the worked example"
    level = 1                       # default 1
    seed = 0                        # default 0; or, instead of a seed, a case written by hand as JSON text:
    payload = '{"heights": [3, 1, 2]}'
    response = "It must be so: <answer>2</answer>"

    [[reject]]                      # well-formed and wrong: must score below 1; named for its mistake
    name = "counts the first one twice"
    payload = '{"heights": [3, 1, 2]}'
    response = "<answer>3</answer>"

    [[malformed]]                   # no well-formed answer: outcome malformed
    name = "no delimiters"
    response = "The answer is 2"
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from bootcamp_kit.errors import UsageError
from bootcamp_kit.jsondata import Json, canonical, strict_loads
from bootcamp_kit.tomldata import read_toml

GROUPS = ("accept", "reject", "malformed")
MAX_EXAMPLES = 200
MAX_TEXT = 100_000
REPORTED = "reported: "
"""Begins the name of an example that came of a bug report; a repair may not take such a one away."""
_KEYS = {"name", "level", "seed", "payload", "response"}


@dataclass(frozen=True, slots=True)
class Example:
    """One entry. ``payload`` is None where the case comes from the generator at (level, seed)."""

    group: str
    name: str
    response: str
    level: int = 1
    seed: int = 0
    payload: Json = None


def parse_examples(data: bytes, levels: range) -> tuple[Example, ...]:
    """Read the file.

    Raises:
        UsageError: not UTF-8, not TOML, an unknown key or group, a level that does not exist; names the entry.
    """
    try:
        raw = read_toml(data)
    except ValueError as error:
        raise UsageError("examples.toml", f"not TOML: {str(error)[:200]}", "see docs/task_format.md") from error
    unknown = sorted(set(raw) - set(GROUPS))
    if unknown:
        raise UsageError("examples.toml", f"unknown table {unknown[0][:40]!r}", f"use {', '.join(GROUPS)}")
    found: list[Example] = []
    for group in GROUPS:
        entries = raw.get(group, [])
        if not isinstance(entries, list):
            raise UsageError(f"examples.toml {group}", "not a list of tables", f"write [[{group}]]")
        found += [_example(group, number, entry, levels) for number, entry in enumerate(entries, 1)]
    if len(found) > MAX_EXAMPLES:
        raise UsageError("examples.toml", f"{len(found)} examples", f"at most {MAX_EXAMPLES}")
    return tuple(found)


def with_examples(data: bytes, added: Sequence[Example]) -> bytes:
    """The file with more entries: behind what stands there, or written anew where TOML does not allow that.

    Raises:
        UsageError: the file cannot be read, or would hold too many examples.
    """
    import tomli_w

    try:
        raw: dict[str, Any] = read_toml(data)
    except ValueError as error:
        raise UsageError("examples.toml", f"not TOML: {str(error)[:200]}", "mend it first") from error
    blocks = []
    for example in added:
        entry: dict[str, Json] = {"name": example.name, "level": example.level, "seed": example.seed}
        if example.payload is not None:
            entry["payload"] = canonical(example.payload).decode()
        entry["response"] = example.response
        raw[example.group] = [*raw.get(example.group, []), entry]
        blocks.append(f"\n[[{example.group}]]\n{tomli_w.dumps(entry)}")
    if any(len(raw.get(group, [])) > MAX_EXAMPLES for group in GROUPS):
        raise UsageError("examples.toml", f"more than {MAX_EXAMPLES} examples", "take some away")
    longer = data.rstrip(b"\n") + b"\n" * bool(data.strip()) + "".join(blocks).encode()
    try:
        if read_toml(longer) == raw:
            return longer
    except ValueError:  # a list written in brackets cannot be added to
        pass
    return tomli_w.dumps(raw).encode()


def _example(group: str, number: int, entry: Any, levels: range) -> Example:
    where = f"examples.toml {group} {number}"
    if not isinstance(entry, dict):
        raise UsageError(where, "not a table", f"write [[{group}]]")
    unknown = sorted(set(entry) - _KEYS)
    if unknown:
        raise UsageError(where, f"unknown key {unknown[0][:40]!r}", f"known keys: {', '.join(sorted(_KEYS))}")
    name, response = entry.get("name", ""), entry.get("response")
    if not isinstance(name, str) or not isinstance(response, str) or len(response) > MAX_TEXT:
        raise UsageError(where, "name or response is missing or not text", "give both as strings")
    level, seed = entry.get("level", 1), entry.get("seed", 0)
    if type(level) is not int or level not in levels:
        raise UsageError(where, f"level {str(level)[:20]}", f"levels run from 1 to {levels[-1]}")
    if type(seed) is not int or not 0 <= seed < 2**63:
        raise UsageError(where, f"seed {str(seed)[:20]}", "a non-negative integer")
    payload = None
    if "payload" in entry:
        try:
            payload = strict_loads(str(entry["payload"]).encode())
        except ValueError as error:
            raise UsageError(where, f"payload is not JSON: {str(error)[:200]}", "write JSON text in quotes") from error
        if payload is None:
            raise UsageError(where, "payload is null", "leave the key out to use the generator")
    return Example(group, name or f"{group} {number}", response, level, seed, payload)
