"""The compiler: a contest-style brief becomes a task folder, or a refusal that names the stage and the reason."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any
from unicodedata import category

from authoring.compiler import emit, evidence, grammar, measure, programs, prompt_text, shape, stdio_text, wording
from authoring.compiler.examples import Known, examples_file
from authoring.compiler.input_format import InputFormat, Rows
from authoring.compiler.levels import Ladder, ladders
from authoring.compiler.measure import Measured
from authoring.compiler.outcome import AUTHOR, Compiled, Explanation, ProgramRunner, Refusal, Refused, Stage
from authoring.compiler.pieces import MIXES
from authoring.compiler.purify import purify
from authoring.compiler.sections import Sections, cut
from bootcamp_kit.answers import CLOSE, OPEN
from bootcamp_kit.brief import Brief
from bootcamp_kit.errors import UsageError
from bootcamp_kit.folder import TaskFolder

MAX_STATEMENT = 10_000
COMMON_SHARE = 0.08
"""Answers of a larger share are drawn less often in a balanced mix."""


@dataclass(frozen=True, slots=True)
class Understood:
    """A brief after reading, before anything ran."""

    brief: Brief
    sections: Sections
    format: InputFormat
    payloads: tuple[tuple[dict[str, Any], ...], ...]
    solver: str


@dataclass(frozen=True, slots=True)
class OneTest:
    """One test case of a sample with the reference's answer to it alone."""

    payload: dict[str, Any]
    stdin: str
    printed: str


def compile_brief(brief: Brief, run: ProgramRunner) -> Compiled | Refusal:
    """Compile one brief.

    The reference runs through ``run`` only; nothing of the brief is executed in this process. The same brief gives the
    same bytes on every run and machine.

    Raises:
        MachineError: the sandbox itself failed; says nothing about the brief.
    """
    try:
        understood = understand(brief)
        tests = _check_samples(understood, run)
        return _compiled(understood, tests, run)
    except Refused as refused:
        return refused.refusal


def understand(brief: Brief) -> Understood:
    """Everything that can be known without running anything.

    Raises:
        Refused: with the stage and the reason.
    """
    if brief.solution is None:
        raise Refused(Stage.READ, "the brief has no reference solution: it needs a model author")
    if brief.solution.language != "python3":
        raise Refused(
            Stage.READ, f"the reference is written in {brief.solution.language}; only Python 3 is covered yet"
        )
    if OPEN in brief.text or CLOSE in brief.text:
        raise Refused(Stage.READ, f"the statement itself holds {OPEN} or {CLOSE}")
    if found := next((char for char in brief.text if char not in "\n\t" and category(char) in ("Cc", "Cf", "Co")), ""):
        raise Refused(Stage.READ, f"the statement holds the invisible character {found!a}")
    if len(brief.text) > MAX_STATEMENT:
        raise Refused(Stage.READ, f"a statement of {len(brief.text):,} characters; a prompt holds {MAX_STATEMENT:,}")
    sections = cut(brief.text)
    wording.check(sections)
    if not brief.samples:
        raise Refused(Stage.READ, "the brief has no samples to confirm the input format on")
    solver = purify(brief.solution.code, title=emit.title(brief), author=AUTHOR)
    format_ = grammar.read(sections)
    payloads = tuple(_read_samples(brief, format_))
    evidence.check(format_, [payload for sample in payloads for payload in sample])
    return Understood(brief, sections, format_, payloads, solver)


def _read_samples(brief: Brief, format_: InputFormat) -> list[tuple[dict[str, Any], ...]]:
    found = []
    for number, sample in enumerate(brief.samples, 1):
        try:
            payloads = stdio_text.parse(format_, sample.input)
        except stdio_text.Misread as error:
            raise Refused(Stage.SAMPLES, f"sample {number} is not as the Input section says: {error}") from error
        if stdio_text.tidy(stdio_text.render(format_, payloads)) != stdio_text.tidy(sample.input):
            raise Refused(Stage.SAMPLES, f"sample {number}, read and written again, is another text")
        found.append(tuple(payloads))
    return found


def _check_samples(understood: Understood, run: ProgramRunner) -> list[OneTest]:
    """Run the reference on the samples, twice, and on each of their test cases alone.

    Raises:
        Refused: an output differs from the sample, or between the runs.
    """
    brief = understood.brief
    assert brief.solution is not None
    whole = [stdio_text.tidy(sample.input) + "\n" for sample in brief.samples]
    # One run first: a reference that loops for ever is found out once, not on every input.
    programs.outputs(run, brief.solution.code, whole[:1], stage=Stage.REFERENCE)
    printed = programs.outputs(run, brief.solution.code, _twice(whole), stage=Stage.REFERENCE)
    for number, sample in enumerate(brief.samples):
        first, second = printed[2 * number : 2 * number + 2]
        if first != second:
            raise Refused(Stage.REFERENCE, f"two runs on sample {number + 1} print different outputs")
        if first.split() != sample.output.split():
            detail = programs.difference(sample.output, first)
            raise Refused(Stage.REFERENCE, f"the reference does not reproduce sample {number + 1}: {detail}")
    if understood.format.tests is None:
        pairs = zip(understood.payloads, whole, printed[::2], strict=True)
        return [OneTest(payloads[0], text, output) for payloads, text, output in pairs]
    return _single_tests(understood, run)


def _twice(texts: Sequence[str]) -> list[str]:
    return [text for text in texts for _ in range(2)]


def _single_tests(understood: Understood, run: ProgramRunner) -> list[OneTest]:
    """Test cases must be independent: the answers to each alone, joined, are the sample's output."""
    brief = understood.brief
    assert brief.solution is not None
    found = []
    for number, (sample, payloads) in enumerate(zip(brief.samples, understood.payloads, strict=True), 1):
        alone = [stdio_text.render(understood.format, [payload]) for payload in payloads[:20]]
        printed = programs.outputs(run, brief.solution.code, alone, stage=Stage.REFERENCE)
        joined = " ".join(printed).split()
        if joined != sample.output.split()[: len(joined)] or (
            len(alone) == len(payloads) and joined != sample.output.split()
        ):
            raise Refused(
                Stage.REFERENCE,
                f"the test cases of sample {number}, run one by one, do not print what they do together",
            )
        found += [OneTest(*one) for one in zip(payloads, alone, printed, strict=False)]
    return found


def _compiled(understood: Understood, tests: Sequence[OneTest], run: ProgramRunner) -> Compiled:
    attempts: list[str] = []
    plan, measured = _best_mix(understood, tests, run, ladders(understood.format), attempts)
    if plan.shape.kind in ("integers", "strings"):
        wording.check_order(understood.sections)
    return _folder(understood, tests, plan, measured, attempts)


def _best_mix(
    understood: Understood,
    tests: Sequence[OneTest],
    run: ProgramRunner,
    axes: tuple[Ladder, ...],
    attempts: list[str],
) -> tuple[emit.Plan, Measured]:
    """Try the mixes in turn, each as it is and then balanced against its frequent answers, until answers spread.

    Raises:
        Refused: none of them spreads.
    """
    plan = _plan(
        understood, tests, axes, _shape(understood, [test.printed for test in tests], _rows_of(tests, understood))
    )
    worst = ""
    for mix in MIXES:
        common: tuple[object, ...] = ()
        for balance in (False, True):
            plan = replace(plan, mix=mix, balance=balance, common=common)
            plan, measured = _measured(understood, tests, run, plan)
            attempts.append(f"{mix}{', balanced' if balance else ''}")
            fault = measured.concentration(plan.shape)
            if not fault:
                return plan, measured
            worst = worst or fault
            if plan.shape.kind != "choice":
                common = emit.frequent([case.answer(plan.shape) for case in measured.cases], COMMON_SHARE)
    raise Refused(Stage.ANSWERS, f"{worst}, and no mix of inputs changes that")


def _measured(
    understood: Understood, tests: Sequence[OneTest], run: ProgramRunner, plan: emit.Plan
) -> tuple[emit.Plan, Measured]:
    """Measure a plan; where its outputs have a wider form than the samples showed, once more in that form."""
    for _ in range(3):
        measured = measure.measure(understood.brief, plan, run)
        printed = [test.printed for test in tests] + [case.printed for case in measured.cases]
        rows = _rows_of(tests, understood) + [_grid_rows(understood.format, case.payload) for case in measured.cases]
        found = _shape(understood, printed, rows)
        if found == plan.shape:
            return plan, measured
        plan = replace(
            _plan(understood, tests, plan.axes, found), mix=plan.mix, balance=plan.balance, common=plan.common
        )
    raise Refused(Stage.OUTPUT, "the form of the answer changes from run to run")


def _shape(understood: Understood, printed: Sequence[str], rows: Sequence[int | None]) -> shape.Shape:
    return shape.infer(printed, understood.sections.output, grid_rows=rows)


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
    )


def _folder(
    understood: Understood, tests: Sequence[OneTest], plan: emit.Plan, measured: Measured, attempts: Sequence[str]
) -> Compiled:
    samples = [Known(test.printed, payload=json.dumps(test.payload, ensure_ascii=False)) for test in tests[:8]]
    firsts = [next(case for case in measured.cases if case.level == level) for level in range(1, 6)]
    cases = [Known(case.printed, level=case.level, seed=case.seed) for case in firsts]
    files = emit.files(understood.brief, replace(plan, examples=examples_file(plan.shape, samples, cases)), AUTHOR)
    try:
        folder = TaskFolder({name: text.encode() for name, text in files.items()})
        _ = folder.card
    except UsageError as error:
        raise Refused(Stage.READ, f"the task folder would not be valid: {error.asked}: {error.found}") from error
    explanation = Explanation(
        input_format=understood.format.model_dump(),
        output=str(plan.shape),
        mix=tuple(attempts),
        levels=measured.figures({axis.name: axis.values for axis in plan.axes}),
        samples=len(understood.brief.samples),
        compared=len(measured.cases) + len(tests),
        notes=tuple(f"{axis.name}: {axis.meaning}" for axis in plan.axes),
    )
    return Compiled(folder, explanation)
