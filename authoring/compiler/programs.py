"""Runs the reference and the generated task in the sandbox, and says in words what came back."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from authoring.compiler.outcome import ProgramRunner, Refused, Stage
from bootcamp_kit.errors import MachineError
from bootcamp_kit.jsondata import digest, strict_loads
from sandbox.calls import JobOutcome, Observation

_WORDS = {
    JobOutcome.TIMEOUT: "runs past the time limit",
    JobOutcome.OUT_OF_MEMORY: "runs out of memory",
    JobOutcome.OUTPUT_LIMIT: "prints without end",
    JobOutcome.KILLED: "is killed by the sandbox",
    JobOutcome.PROTOCOL: "tampers with the sandbox's answers",
}
_TASK = """\
import json, sys, time
from importlib import import_module
from bootcamp_kit.case import Case
from bootcamp_kit.loading import load_bootcamp
from bootcamp_kit.seeds import rng_for

FILES = {name: text.encode() for name, text in json.loads(%(files)s).items()}
task = load_bootcamp(%(package)s, FILES)
module = import_module(%(package)s + ".bootcamp")
solve = import_module(%(package)s + ".solver").solve
request = json.load(sys.stdin)
found = []
for level, seed, params in request.get("cases", []):
    payload = json.loads(json.dumps(task.generate(rng_for(%(task_id)s, level, seed), params)))
    prompt = task.prompt(Case(%(task_id)s, level, seed, params, payload))
    stdin = module.render(payload)
    start = time.process_time()
    solved = solve(stdin)
    spent = time.process_time() - start
    found.append({"payload": payload, "stdin": stdin, "prompt": prompt, "solved": solved, "spent": spent})
json.dump({"cases": found, "solved": [solve(text) for text in request.get("inputs", [])]}, sys.stdout)
"""

_COUNTING = """\
import contextlib, io, sys

class Enough(BaseException):
    pass

seen = 0

def trace(frame, event, arg):
    global seen
    seen += 1
    if seen >= %(most)d:
        sys.settrace(None)
        raise Enough
    return trace

code = compile(%(source)s, "<program>", "exec", dont_inherit=True)
try:
    with contextlib.redirect_stdout(io.StringIO()):
        sys.settrace(trace)
        exec(code, {"__name__": "__main__"})
except BaseException:
    pass
finally:
    sys.settrace(None)
print(seen)
"""


def outputs(run: ProgramRunner, source: str, inputs: Sequence[str], *, stage: Stage) -> list[str]:
    """What the reference prints for each input.

    Raises:
        Refused: it fails on one; the reason names the input.
        MachineError: the sandbox itself failed.
    """
    found = []
    for text, observation in zip(inputs, _observed(run, [(source, text) for text in inputs]), strict=True):
        if not observation.ok:
            raise Refused(stage, f"the reference {failure(observation)} on the input {shown(text)}")
        found.append(_stdout(observation))
    return found


def outputs_where_it_runs(run: ProgramRunner, source: str, inputs: Sequence[str]) -> list[str | None]:
    """What a program prints for each input; None where it fails."""
    observed = _observed(run, [(source, text) for text in inputs])
    return [_stdout(observation) if observation.ok else None for observation in observed]


def seconds(run: ProgramRunner, source: str, inputs: Sequence[str]) -> float:
    """The least processor time a run on one of the inputs takes; the first run of a program is the dearest."""
    return min((observation.cpu_s for observation in _observed(run, [(source, text) for text in inputs])), default=0.0)


def steps(run: ProgramRunner, source: str, inputs: Sequence[str], most: int) -> list[int]:
    """How many lines the program executes on each input, counted up to ``most``; the same everywhere."""
    counting = _COUNTING % {"source": repr(source), "most": most}
    return [
        int(text) if text is not None and text.strip().isdecimal() else most
        for text in outputs_where_it_runs(run, counting, inputs)
    ]


def run_task(
    run: ProgramRunner, files: Mapping[str, str], task_id: str, requests: Sequence[Mapping[str, Any]]
) -> list[Any]:
    """Load a draft's files in the sandbox and generate cases, or solve inputs, with its own code.

    Raises:
        Refused: the draft fails there.
        MachineError: the sandbox itself failed.
    """
    text = json.dumps(dict(files))
    # Named by its content: another draft in the same process is another package.
    package = f"draft_{digest(text.encode())[:16]}"
    source = _TASK % {"files": repr(text), "task_id": repr(task_id), "package": repr(package)}
    found = []
    for observation in _observed(run, [(source, json.dumps(request)) for request in requests]):
        if not observation.ok:
            raise Refused(Stage.CASES, f"the generated task {failure(observation)}")
        try:
            found.append(strict_loads(_stdout(observation).encode()))
        except ValueError as error:
            raise Refused(Stage.CASES, f"the generated task's answer cannot be read: {error}") from error
    return found


def _observed(run: ProgramRunner, programs: Sequence[tuple[str, str]]) -> list[Observation]:
    observations = run(programs)
    for observation in observations:
        if observation.outcome is JobOutcome.INFRASTRUCTURE:
            raise MachineError(
                "running a reference in the sandbox", observation.error or "it could not be run", "try again"
            )
    return observations


def _stdout(observation: Observation) -> str:
    value = observation.value
    if not isinstance(value, dict) or not isinstance(value.get("stdout"), str):
        raise MachineError("running a reference in the sandbox", "the answer has no stdout", "report this")
    return str(value["stdout"])


def failure(observation: Observation) -> str:
    """“fails with ValueError: …”, “runs past the time limit”, …."""
    if observation.outcome is JobOutcome.EXCEPTION:
        return f"fails with {observation.error[:200]}"
    words = _WORDS.get(observation.outcome, observation.outcome.value)
    return f"{words} ({observation.error[:120]})" if observation.error else words


def shown(text: str, most: int = 120) -> str:
    """An input or output in one line, shortened and escaped."""
    return ascii(text[:most]) + ("…" if len(text) > most else "")


def difference(expected: str, seen: str) -> str:
    """Where two outputs part, token by token."""
    wanted, got = expected.split(), seen.split()
    for at, (first, second) in enumerate(zip(wanted, got, strict=False)):
        if first != second:
            return f"value {at + 1} is {shown(second, 40)} where the sample has {shown(first, 40)}"
    return f"{len(got)} values where the sample has {len(wanted)}: {shown(seen, 80)} for {shown(expected, 80)}"
