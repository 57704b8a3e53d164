"""Which mix of inputs a task draws: tried in turn, each as it is and then balanced, until the answers spread."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from authoring.compiler import emit, measure, programs, prompt_text, shape
from authoring.compiler.input_format import InputFormat, Rows
from authoring.compiler.levels import Ladder
from authoring.compiler.measure import Measured
from authoring.compiler.outcome import ProgramRunner, Refused, Stage
from authoring.compiler.pieces import MIXES
from authoring.compiler.seen_letters import narrowed
from authoring.compiler.understood import OneTest, Understood

COMMON_SHARE, MAX_COMMON = 0.05, 12
"""Answers of a larger share are drawn no more often than others in a balanced mix; so many at most."""
FEWEST_ANSWERS = 2
MAX_STEPS, MAX_CASE_STEPS, MAX_SECONDS = 1_500_000, 700_000, 0.3
"""Executed lines decide, which are the same on every machine; time only where built-in functions do all the work. So
much, times ``emit.TRIES``, stays about the limit of a call."""


def best(
    understood: Understood,
    tests: Sequence[OneTest],
    run: ProgramRunner,
    axes: tuple[Ladder, ...],
    attempts: list[str],
) -> tuple[emit.Plan, Measured]:
    """Try the mixes in turn, each as it is and then balanced against its frequent answers, until answers spread.

    A problem that has few answers by nature is taken where none of them is too frequent; the share is declared.

    Raises:
        Refused: none of them spreads.
    """
    _check_cost(understood, tests, run)
    plan = _plan(understood, tests, axes, shape_of_samples(understood, tests))
    worst, natural = "", list[tuple[float, emit.Plan]]()
    for mix, format_, told in _ways(understood):
        plan = replace(plan, mix=mix, format=format_, balance=False, common=(), others=0)
        for balance in (False, True):
            try:
                plan, probed = _probed(understood, tests, run, plan, first=not attempts)
            except Refused:
                if format_ == understood.format and not balance:
                    raise
                break  # too dear to draw so often, or what the statement promises cannot be kept with few letters
            attempts.append(f"{told}{', balanced' if balance else ''}")
            fault = probed.concentration(plan.shape)
            if not fault:
                plan, measured = _measured(understood, tests, run, plan)
                fault = measured.concentration(plan.shape)
                if not fault:
                    return plan, measured
                probed = measured
            worst = worst or fault
            if balance and plan.shape.kind != "choice" and not probed.concentration(plan.shape, natural=True):
                natural.append((probed.top_share(), plan))
            if probed.kinds() == 1:
                break  # there is nothing to balance
            plan = _balanced(plan, probed)
    for _, plan in sorted(natural, key=lambda one: one[0])[:2]:
        plan, measured = _measured(understood, tests, run, plan)
        if measured.kinds() >= FEWEST_ANSWERS and not measured.concentration(plan.shape, natural=True):
            return replace(plan, floor=round(measured.top_share() + 0.02, 2)), measured
    raise Refused(Stage.ANSWERS, f"{worst}, and no mix of inputs changes that")


def _ways(understood: Understood) -> Iterator[tuple[str, InputFormat, str]]:
    """A mix, the format it draws from, and both in words: every mix, and one with the samples' letters alone."""
    yield from ((mix, understood.format, mix) for mix in MIXES)
    few = narrowed(understood.format, [payload for sample in understood.payloads for payload in sample])
    if few != understood.format:
        yield next(iter(MIXES)), few, "the samples' letters"


def _balanced(plan: emit.Plan, probed: Measured) -> emit.Plan:
    """Want each common answer as often as the next, and the rest together as often as several of them."""
    answers = [case.answer(plan.shape) for case in probed.cases]
    if plan.shape.kind == "choice":
        return replace(plan, balance=True, common=plan.shape.choices, others=0)
    common = emit.frequent(answers, COMMON_SHARE)[:MAX_COMMON]
    rest = sum(answer not in common for answer in answers)
    others = 0 if rest < 0.03 * len(answers) else max(2, 8 - len(common))
    return replace(plan, balance=True, common=common, others=others)


def _check_cost(understood: Understood, tests: Sequence[OneTest], run: ProgramRunner) -> None:
    """Refuse a reference that is too dear to score with. What is written never depends on a measured time.

    Raises:
        Refused: one answer takes too long.
    """
    inputs = [test.stdin for test in tests[:4]]
    if min(programs.steps(run, understood.program, inputs, MAX_STEPS)) >= MAX_STEPS:
        raise Refused(
            Stage.REFERENCE, f"the reference executes more than {MAX_STEPS:,} lines on a sample: too dear to score with"
        )
    seconds = programs.seconds(run, understood.program, inputs)
    if seconds > MAX_SECONDS:
        raise Refused(
            Stage.REFERENCE, f"the reference computes for {seconds:.2f} s on a sample: too dear to score with"
        )


def _check_cost_of_cases(program: str, inputs: Sequence[str], run: ProgramRunner) -> None:
    """The same for some of the hardest cases.

    Raises:
        Refused: one of them takes too long.
    """
    if max(programs.steps(run, program, inputs, MAX_CASE_STEPS)) >= MAX_CASE_STEPS:
        raise Refused(
            Stage.CASES, f"the reference executes more than {MAX_CASE_STEPS:,} lines on a case: too dear to score with"
        )


def _probed(
    understood: Understood, tests: Sequence[OneTest], run: ProgramRunner, plan: emit.Plan, *, first: bool
) -> tuple[emit.Plan, Measured]:
    """How a plan's answers spread; once more where they have a wider form than the samples showed."""

    def check(inputs: Sequence[str]) -> None:
        _check_cost_of_cases(understood.program, inputs, run)

    for number in range(3):
        probed = measure.probe(understood.brief, plan, run, check=check if first and not number else None)
        found = _shape_of(understood, tests, probed)
        if found == plan.shape:
            return plan, probed
        plan = _reshaped(understood, tests, plan, found)
    raise Refused(Stage.OUTPUT, "the form of the answer changes from run to run")


def _shape_of(understood: Understood, tests: Sequence[OneTest], measured: Measured) -> shape.Shape:
    printed = [test.printed for test in tests] + [case.printed for case in measured.cases]
    rows = _rows_of(tests, understood) + [_grid_rows(understood.format, case.payload) for case in measured.cases]
    return _shape(understood, printed, rows)


def _reshaped(understood: Understood, tests: Sequence[OneTest], plan: emit.Plan, found: shape.Shape) -> emit.Plan:
    made = _plan(understood, tests, plan.axes, found)
    common = plan.common if found.kind == plan.shape.kind and found.kind != "choice" else ()
    keeps = plan.balance and (bool(common) or found.kind == "choice")
    common = found.choices if found.kind == "choice" and keeps else common
    return replace(
        made, mix=plan.mix, format=plan.format, balance=keeps, common=common, others=plan.others if keeps else 0
    )


def _measured(
    understood: Understood, tests: Sequence[OneTest], run: ProgramRunner, plan: emit.Plan
) -> tuple[emit.Plan, Measured]:
    """Measure a plan; where its outputs have a wider form than the samples showed, once more in that form."""
    program = understood.readings[0].reference
    for _ in range(3):
        measured = measure.measure(understood.brief, plan, run, rivals=program.rivals, other=program.other)
        found = _shape_of(understood, tests, measured)
        if found == plan.shape:
            return plan, measured
        plan = _reshaped(understood, tests, plan, found)
    raise Refused(Stage.OUTPUT, "the form of the answer changes from run to run")


def shape_of_samples(understood: Understood, tests: Sequence[OneTest]) -> shape.Shape:
    """The form of the answer as far as the samples show it.

    Raises:
        Refused: it has none.
    """
    return _shape(understood, [test.printed for test in tests], _rows_of(tests, understood))


def _shape(understood: Understood, printed: Sequence[str], rows: Sequence[int | None]) -> shape.Shape:
    return shape.infer(printed, understood.sections.output, grid_rows=rows, near=understood.tolerance)


def _rows_of(tests: Sequence[OneTest], understood: Understood) -> list[int | None]:
    return [_grid_rows(understood.format, test.payload) for test in tests]


def _grid_rows(format_: InputFormat, payload: dict[str, Any]) -> int | None:
    for block in format_.blocks:
        if isinstance(block, Rows) and block.is_grid:
            return len(payload[block.name])
    return None


def _plan(understood: Understood, tests: Sequence[OneTest], axes: tuple[Ladder, ...], found: shape.Shape) -> emit.Plan:
    shown = min(tests, key=lambda test: (len(test.stdin) < 4, tests.index(test)))
    rules = prompt_text.rules(
        understood.brief,
        understood.sections,
        found,
        example=(shown.stdin, shown.printed),
        tests=understood.format.tests,
    )
    return emit.Plan(
        format=understood.format,
        axes=axes,
        shape=found,
        rules=rules,
        solver=understood.solver,
        shown=tuple(test.payload for test in tests[:8]),
        summary=prompt_text.summary(understood.sections),
        alone=understood.alone,
    )
