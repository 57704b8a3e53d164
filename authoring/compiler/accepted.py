"""Further solutions that the source accepts: where two print something else, one is wrong, and nothing says which.

Solutions in Python run as jobs, those in C++ where there is a compiler. One that fails on an input, or runs too long
there, says nothing about it; one that does not even reproduce the samples was read wrongly, and is left out.
"""

from __future__ import annotations

from collections.abc import Sequence

from authoring.compiler import programs, stdio_text, tolerance, value_alone
from authoring.compiler.measure import Measured
from authoring.compiler.outcome import ProgramRunner, Refused, Stage
from authoring.compiler.reference import readings
from authoring.compiler.shape import Shape
from authoring.compiler.understood import Understood
from bootcamp_kit.brief import Solution
from bootcamp_kit.errors import MachineError
from sandbox.calls import JobOutcome
from sandbox.compiled.programs import CompiledRunner

MOST = 3
"""So many of them are asked."""


def check(
    understood: Understood,
    shape: Shape,
    measured: Measured,
    run: ProgramRunner,
    run_compiled: CompiledRunner | None,
) -> int:
    """How many further solutions print what the reference prints on every measured case they answer.

    Raises:
        Refused: one prints something else.
        MachineError: the sandbox itself failed.
    """
    inputs = {stdio_text.render(understood.format, [case.payload]): case.printed for case in measured.cases}
    samples = [(stdio_text.tidy(sample.input) + "\n", sample.output) for sample in understood.brief.samples]
    agreeing = 0
    for solution in understood.brief.accepted:
        if agreeing == MOST:
            break
        texts = [text for text, _ in samples] + list(inputs)
        printed = _printed(solution, texts, run, run_compiled)
        shown, cases = printed[: len(samples)], printed[len(samples) :]
        cut = understood.alone and understood.format.tests is None
        if not all(
            one is not None and _same(shape, one, wanted, alone=cut)
            for one, (_, wanted) in zip(shown, samples, strict=True)
        ):
            continue
        for (text, wanted), one in zip(inputs.items(), cases, strict=True):
            if one is not None and not _same(shape, one, wanted, alone=understood.alone):
                raise Refused(
                    Stage.CASES,
                    f"two solutions that the source accepts differ on {programs.shown(text)}: "
                    f"{programs.difference(wanted, one)}",
                )
        agreeing += 1
    return agreeing


def _printed(
    solution: Solution, inputs: Sequence[str], run: ProgramRunner, run_compiled: CompiledRunner | None
) -> Sequence[str | None]:
    if solution.language == "cpp":
        if run_compiled is None:
            return [None] * len(inputs)
        seen = run_compiled(solution.code, inputs)
        if any(one.outcome is JobOutcome.INFRASTRUCTURE for one in seen):
            raise MachineError("running an accepted solution", "it could not be run", "try again")
        return [str(one.value["stdout"]) if one.ok and isinstance(one.value, dict) else None for one in seen]
    try:
        code = readings(solution)[0].code
    except Refused:
        return [None] * len(inputs)
    return programs.outputs_where_it_runs(run, code, inputs)


def _same(shape: Shape, printed: str, wanted: str, *, alone: bool) -> bool:
    """Whether two outputs are one answer: words in any letter case, real numbers within twice the tolerance."""
    if alone:
        printed, wanted = value_alone.first(printed), value_alone.first(wanted)
    if shape.tolerance:
        return tolerance.same(printed, wanted, 2 * shape.tolerance)
    if shape.kind == "choice":
        printed, wanted = printed.casefold(), wanted.casefold()
    return printed.split() == wanted.split()
