"""Proves a translation from C++: compiled original and translated program print the same, or the brief is refused.

The compiled program decides what is right. It has to reproduce the samples itself; the translation has to print what
it prints on every sample, every measured case and on inputs of every mix at every level. An input on which the original
fails, overflows, leaves an array or depends on uninitialised memory is a refusal too: such a program means nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from authoring.compiler import emit, programs, stdio_text, tolerance, value_alone, wording
from authoring.compiler.measure import Measured
from authoring.compiler.outcome import ProgramRunner, Refused, Stage
from authoring.compiler.pieces import MIXES
from authoring.compiler.understood import Understood
from bootcamp_kit.errors import MachineError
from sandbox.calls import JobOutcome, Observation
from sandbox.compiled.programs import CompiledRunner

MORE_PER_LEVEL, AT_ONCE = 24, 15
"""Cases drawn beside the measured ones, of each mix."""
NO_COMPILER = "the reference is written in C++, and this machine has no C++ compiler to check a translation with"


def outputs(run: CompiledRunner, code: str, inputs: Sequence[str], *, stage: Stage) -> list[str]:
    """What the compiled program prints for each input.

    Raises:
        Refused: it does not compile, or fails on one; the reason names the input.
        MachineError: the sandbox itself failed.
    """
    return _printed(inputs, run(code, inputs), stage)


def _printed(inputs: Sequence[str], observed: Sequence[Observation], stage: Stage) -> list[str]:
    found = []
    for text, seen in zip(inputs, observed, strict=True):
        if seen.outcome is JobOutcome.INFRASTRUCTURE:
            raise MachineError("running a compiled reference", seen.error, "try again")
        if not seen.ok or not isinstance(seen.value, dict):
            raise Refused(stage, f"the reference in C++ {programs.failure(seen)} on the input {programs.shown(text)}")
        found.append(str(seen.value["stdout"]))
    return found


def check_samples(understood: Understood, run: CompiledRunner | None) -> None:
    """The compiled reference reproduces every sample.

    Raises:
        Refused: it does not.
    """
    code = understood.readings[0].reference.compiled
    if code and run is not None:
        texts = _sample_texts(understood)
        _reproduced(understood, outputs(run, code, texts, stage=Stage.REFERENCE))


def check_compiler(understood: Understood, run: CompiledRunner | None) -> None:
    """There is a compiler, if one is needed.

    Raises:
        Refused: there is none.
    """
    if understood.readings[0].reference.compiled and run is None:
        raise Refused(Stage.READ, NO_COMPILER)


def _sample_texts(understood: Understood) -> list[str]:
    return [stdio_text.tidy(sample.input) + "\n" for sample in understood.brief.samples]


def _reproduced(understood: Understood, outputs_: Sequence[str]) -> None:
    for number, (sample, printed) in enumerate(zip(understood.brief.samples, outputs_, strict=True), 1):
        wanted = sample.output
        if understood.alone and understood.format.tests is None:
            printed, wanted = value_alone.first(printed), value_alone.first(wanted)
        if wording.in_any_case(understood.sections.output):
            printed, wanted = printed.casefold(), wanted.casefold()
        if not _same(printed, wanted, understood.tolerance):
            detail = programs.difference(wanted, printed)
            raise Refused(Stage.REFERENCE, f"the reference does not reproduce sample {number}: {detail}")


def _same(printed: str, other: str, near: float) -> bool:
    return tolerance.same(printed, other, near) if near else printed.split() == other.split()


def prove(
    understood: Understood, plan: emit.Plan, measured: Measured, run: ProgramRunner, compiled: CompiledRunner | None
) -> int:
    """On how many inputs both print the same; 0 where the reference is no C++. Compiles once, the samples included.

    Raises:
        Refused: they differ on one, the original fails there, or does not reproduce the samples.
    """
    code = understood.readings[0].reference.compiled
    if not code or compiled is None:
        return 0
    pairs = {stdio_text.render(plan.format, [case.payload]): case.printed for case in measured.cases}
    for mix in MIXES:
        pairs |= _more(understood, replace(plan, mix=mix, balance=False, common=(), others=0), run)
    inputs, samples = list(pairs), _sample_texts(understood)
    observed = compiled(code, [*samples, *inputs])
    _reproduced(understood, _printed(samples, observed[: len(samples)], Stage.REFERENCE))
    for text, printed in zip(inputs, _printed(inputs, observed[len(samples) :], Stage.CASES), strict=True):
        printed = value_alone.first(printed) if understood.alone else printed
        if not _same(printed, pairs[text], understood.tolerance * tolerance.SHARE):
            raise Refused(
                Stage.CASES,
                "the reference in C++ and its translation to Python differ on "
                f"{programs.shown(text)}: {programs.difference(printed, pairs[text])}",
            )
    return len(inputs)


def _more(understood: Understood, plan: emit.Plan, run: ProgramRunner) -> dict[str, str]:
    """Inputs of one mix at every level, and what the translation prints."""
    code = emit.code_files(emit.files(understood.brief, plan, "draft"))
    asked = [
        [level, f"more {number}", {axis.name: axis.values[level - 1] for axis in plan.axes}]
        for level in range(1, 6)
        for number in range(MORE_PER_LEVEL)
    ]
    requests = [{"cases": asked[start : start + AT_ONCE]} for start in range(0, len(asked), AT_ONCE)]
    answered = programs.run_task(run, code, understood.brief.id, requests)
    return {case["stdin"]: case["solved"] for answer in answered for case in answer["cases"]}
