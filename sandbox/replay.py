"""Replays one finding: exactly its witness, nothing else, and whether the same thing is seen again."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

from bootcamp_kit.case import Case
from bootcamp_kit.errors import UsageError
from bootcamp_kit.folder import TaskFolder
from bootcamp_kit.report import Finding, Witness
from sandbox.calls import Call, Observation, Op, case_to_json
from sandbox.checks import contract, generator, static
from sandbox.checks.determinism import differs, fails_once
from sandbox.checks.evidence import Evidence
from sandbox.checks.examples_file import parse_examples
from sandbox.checks.observed import describe
from sandbox.checks.policy import Policy, default_policy
from sandbox.collect import Asker
from sandbox.escaping import escaped
from sandbox.plan import GatePlan, derived
from sandbox.runner import job_limits
from sandbox.service import Sandbox
from sandbox.told import UNDECIDED, limit_of, same_as_told

MAX_TEXT = 4_000
TIMES = 6


@dataclass(frozen=True, slots=True)
class Replay:
    """What came of it.

    Attributes:
        reproduced: The same thing was seen as the finding says; None where one replay cannot say.
        steps: (label, text) to show, escaped and capped.
        limit: What of the claim was not tried again, or "".
    """

    reproduced: bool | None
    steps: tuple[tuple[str, str], ...]
    limit: str = ""

    @property
    def words(self) -> str:
        """How it came out, in a line."""
        if self.reproduced is None:
            return f"shown again: {self.limit}"
        said = "reproduced" if self.reproduced else "NOT reproduced"
        return f"{said}: {self.limit}" if self.limit else said


def reproduce_command(target: str, finding: Finding) -> str:
    """The command that replays a finding on a folder or a task id."""
    import shlex

    return f"bootcamp check {shlex.quote(target)} --replay {finding.id}"


def find(findings: tuple[Finding, ...], finding_id: str) -> Finding:
    """The finding of that id.

    Raises:
        UsageError: there is none.
    """
    for finding in findings:
        if finding.id == finding_id:
            return finding
    known = ", ".join(finding.id for finding in findings[:8]) or "it has none"
    raise UsageError(f"replaying {finding_id[:40]!r}", "the report has no such finding", f"its findings: {known}")


def replay(sandbox: Sandbox, folder: TaskFolder, finding: Finding, *, policy: Policy | None = None) -> Replay:
    """Run the witness again.

    Args:
        sandbox: An entered sandbox.
        folder: The task, the bytes of the report or later ones.
        finding: What to replay.
        policy: For findings about the source; the shipped policy.

    Raises:
        UsageError: the finding has no witness that can be run, or the card can no longer be read.
        MachineError: the engine failed.
    """
    witness = finding.witness
    if witness is None or witness.kind == "review":
        found = "the finding has no witness" if witness is None else "its witness is a reviewer's words"
        raise UsageError(f"replaying {finding.id}", found, "read its message")
    if witness.kind == "source":
        done = _source(folder, finding, witness, policy or default_policy())
    elif witness.kind == "determinism":
        done = _determinism(sandbox, folder, witness)
    elif witness.kind == "second":
        done = _second(sandbox, folder, finding, witness)
    else:
        done = _call(sandbox, folder, finding, witness)
    if finding.code in UNDECIDED:
        return dataclasses.replace(done, reproduced=None, limit=UNDECIDED[finding.code])
    return dataclasses.replace(done, limit=limit_of(finding.code, reproduced=done.reproduced))


def _steps(*pairs: tuple[str, str | None]) -> tuple[tuple[str, str], ...]:
    return tuple((label, _capped(text)) for label, text in pairs if text is not None)


def _capped(text: str) -> str:
    return escaped(text, MAX_TEXT) + (f" ({len(text):,} characters)" if len(text) > MAX_TEXT else "")


def _source(folder: TaskFolder, finding: Finding, witness: Witness, policy: Policy) -> Replay:
    try:
        card, error = folder.card, ""
    except UsageError as problem:
        card, error = None, f"{problem.asked}: {problem.found}"
    evidence = Evidence(folder, card, error)
    judged = [static.judge(evidence, policy), contract.judge_card(evidence, policy)]
    judged += [generator.judge_axes(evidence, policy)] if card else []
    again: bool | None = any(item.id == finding.id for judgement in judged for item in judgement.findings)
    if finding.code.startswith("mutation."):
        again = None
    lines = folder.files.get(witness.file, b"").decode("utf-8", "replace").splitlines()
    near = range(max(0, witness.line - 3), min(len(lines), witness.line + 2))
    shown = "\n".join(f"{number + 1:>4}{'>' if number + 1 == witness.line else ' '} {lines[number]}" for number in near)
    return Replay(
        again,
        _steps(
            (f"{witness.file}:{witness.line}", shown),
            ("expected", witness.expected),
            ("seen", "not there any more" if again is False else witness.seen or None),
        ),
    )


def _determinism(sandbox: Sandbox, folder: TaskFolder, witness: Witness) -> Replay:
    card = folder.card
    seeds = witness.hash_seeds or GatePlan().hash_seeds_for(folder.content_hash)
    pairs: dict[str, list[Observation]] = {"payload": [], "prompt": [], "score": [], "oracle": []}
    payload: object = None
    for number, hash_seed in enumerate(seeds):
        with sandbox.box(folder.sources, job_limits(card), hash_seed=hash_seed) as box:
            shuffle = derived(folder.content_hash, "order") if number else None
            asker = Asker(box, card, shuffle=shuffle)
            key = _key(witness)
            keys = list(dict.fromkeys([*((key[0], seed) for seed in range(4)), key]))
            made = asker.generate(keys)[key]
            pairs["payload"].append(made)
            payload = made.value if number == 0 else payload
            case = asker.case(*key, payload)
            pairs["prompt"].append(asker.on_cases(Op.PROMPT, [case])[key])
            pairs["oracle"].append(asker.on_cases(Op.SOLVE, [case])[key])
            if witness.response is not None:
                pairs["score"].append(asker.score({key: (case, witness.response)})[key])
    what = next((name for name in pairs if f"same {name} " in witness.expected), "payload")
    both = pairs[what]
    again = len(both) == 2 and (differs(*both) or fails_once(*both))
    found = "; ".join(f"hash seed {seed}: {describe(item)}" for seed, item in zip(seeds, both, strict=False))
    return Replay(again, _steps(("response", witness.response), ("expected", witness.expected), ("seen", found)))


def _call(sandbox: Sandbox, folder: TaskFolder, finding: Finding, witness: Witness) -> Replay:
    card = folder.card
    with sandbox.box(
        folder.sources, job_limits(card), hash_seed=GatePlan().hash_seeds_for(folder.content_hash)[0]
    ) as box:
        asker = Asker(box, card)
        if witness.kind == "load":
            return _judged(finding, witness, box.fresh(Call(Op.LOAD, {})), None)
        if witness.kind == "parse" and witness.level is None:
            return _judged(finding, witness, box.fresh(Call(Op.PARSE, {"response": witness.response or ""})), None)
        key = _key(witness)
        made = box.fresh(asker.generate_call(*key))
        by_hand = _case_by_hand(folder, witness)
        if witness.kind == "generate" or (not made.ok and by_hand is None):
            return _judged(finding, witness, made, None)
        case = by_hand or asker.case(*key, made.value)
        arguments = {"case": case_to_json(case)}
        prompt = box.fresh(Call(Op.PROMPT, arguments))
        if witness.kind == "prompt":
            return _judged(finding, witness, prompt, prompt)
        if witness.kind == "solve":
            return _judged(finding, witness, box.fresh(Call(Op.SOLVE, arguments)), prompt)
        response = witness.response or ""
        if witness.kind == "parse":
            return _judged(finding, witness, box.fresh(Call(Op.PARSE, {"response": response})), prompt)
        if witness.kind == "relabel":
            arguments = {"case": case_to_json(dataclasses.replace(case, seed=witness.line))}
        scoring = Call(Op.SCORE, {**arguments, "response": response})
        if finding.code == "properties.stable":
            return _scored_again(witness, box.batch([scoring] * TIMES))
        return _judged(finding, witness, box.fresh(scoring), prompt)


def _second(sandbox: Sandbox, folder: TaskFolder, finding: Finding, witness: Witness) -> Replay:
    """The second oracle's answers to the case."""
    from sandbox.audit.second import ask_call, second_files

    card, key = folder.card, _key(witness)
    with sandbox.box(folder.sources, job_limits(card)) as box:
        asker = Asker(box, card)
        case = asker.case(*key, box.fresh(asker.generate_call(*key)).value)
    with sandbox.box(second_files(folder), job_limits(card)) as box:
        return _judged(finding, witness, box.fresh(ask_call(case)), None)


def _scored_again(witness: Witness, seen: list[Observation]) -> Replay:
    texts = [describe(item) for item in seen]
    return Replay(
        len(set(texts)) > 1,
        _steps(("response", witness.response), ("expected", witness.expected), ("seen", ", then ".join(texts))),
    )


def _case_by_hand(folder: TaskFolder, witness: Witness) -> Case | None:
    """The case of an example that was written by hand, found again by what the witness holds."""
    if witness.file != "examples.toml":
        return None
    card = folder.card
    for example in parse_examples(folder.files["examples.toml"], card.difficulty.levels):
        same = (example.level, example.seed, example.response) == (witness.level, witness.seed, witness.response)
        if same and example.payload is not None:
            return Case(card.id, example.level, example.seed, card.difficulty.params(example.level), example.payload)
    return None


def _judged(finding: Finding, witness: Witness, observation: Observation, prompt: Observation | None) -> Replay:
    seen = describe(observation)
    text = prompt.value if prompt is not None and isinstance(prompt.value, str) else None
    value = observation.value if observation.call.op is Op.SOLVE and isinstance(observation.value, str) else None
    return Replay(
        same_as_told(finding, observation),
        _steps(
            ("prompt", text),
            ("response", witness.response),
            ("oracle", value),
            ("expected", witness.expected),
            ("seen", seen),
            ("traceback", observation.traceback or None),
            ("stderr", observation.stderr or None),
        ),
    )


def _key(witness: Witness) -> tuple[int, int]:
    if witness.level is None or witness.seed is None:
        raise UsageError(f"replaying a {witness.kind} witness", "it names no case", "run `bootcamp check` again")
    return witness.level, witness.seed
