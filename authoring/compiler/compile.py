"""The compiler: a contest-style brief becomes a task folder, or a refusal that names the stage and the reason."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any
from unicodedata import category

from authoring.compiler import (
    accepted,
    budget,
    compiled,
    emit,
    evidence,
    grammar,
    hand_written,
    lost_powers,
    mixes,
    programs,
    promises,
    reference,
    stdio_text,
    tolerance,
    unique,
    value_alone,
    wording,
)
from authoring.compiler.card_file import brief_file
from authoring.compiler.examples import Known, examples_file
from authoring.compiler.flattened import repaired, without_invisible
from authoring.compiler.input_format import InputFormat
from authoring.compiler.levels import ladders
from authoring.compiler.measure import Measured
from authoring.compiler.outcome import AUTHOR, Compiled, Explanation, ProgramRunner, Refusal, Refused, Stage
from authoring.compiler.purify import purify
from authoring.compiler.sections import Sections, cut
from authoring.compiler.understood import OneTest, Reading, Understood
from bootcamp_kit.answers import CLOSE, OPEN
from bootcamp_kit.brief import Brief
from bootcamp_kit.errors import UsageError
from bootcamp_kit.folder import TaskFolder
from sandbox.compiled.programs import CompiledRunner

MAX_STATEMENT = 10_000


def compile_brief(
    brief: Brief, run: ProgramRunner, run_compiled: CompiledRunner | None = None, *, format_by: str = ""
) -> Compiled | Refusal:
    """Compile one brief.

    The reference runs through ``run`` only; nothing of the brief is executed in this process. The same brief gives the
    same bytes on every run and machine.

    Args:
        brief: The brief.
        run: Runs Python programs in the sandbox.
        run_compiled: Compiles and runs C++ programs there; without it references in C++ are refused.
        format_by: The model that wrote the ``input-format`` in the statement; then the promises of the Input section
            are looked for too.

    Raises:
        MachineError: the sandbox itself failed; says nothing about the brief.
    """
    try:
        understood = understand(brief, format_by=format_by)
        compiled.check_compiler(understood, run_compiled)
        run = budget.limited(run)
        try:
            understood, tests = _confirmed(understood, run)
        except Refused:
            compiled.check_samples(understood, run_compiled)  # whose fault is it, the translation's or the original's?
            raise
        return _compiled(understood, tests, run, run_compiled)
    except Refused as refused:
        return refused.refusal


def understand(brief: Brief, *, format_by: str = "") -> Understood:
    """Everything that can be known without running anything.

    Raises:
        Refused: with the stage and the reason.
    """
    if brief.solution is None:
        raise Refused(Stage.READ, "the brief has no reference solution: it needs a model author")
    if OPEN in brief.text or CLOSE in brief.text:
        raise Refused(Stage.READ, f"the statement itself holds {OPEN} or {CLOSE}")
    solution = brief.solution
    handed_in = without_invisible(brief.text)
    text, written = hand_written.taken_out(handed_in)
    brief = replace(brief, text=repaired(text))
    if found := next((char for char in brief.text if char not in "\n\t" and category(char) in ("Cc", "Cf", "Co")), ""):
        raise Refused(Stage.READ, f"the statement holds the invisible character {found!a}")
    if len(brief.text) > MAX_STATEMENT:
        raise Refused(Stage.READ, f"a statement of {len(brief.text):,} characters; a prompt holds {MAX_STATEMENT:,}")
    sections = cut(brief.text)
    if near := tolerance.stated(sections):
        sections = tolerance.taken_out(sections)
    sections = _worded(sections, [sample.output for sample in brief.samples], near=near > 0)
    if not brief.samples:
        raise Refused(Stage.READ, "the brief has no samples to confirm the input format on")
    readings = _pure(brief, reference.readings(solution), alone=bool(sections.beside))
    told = replace(sections, output=f"{sections.beside}\n\n{sections.output}") if sections.beside else sections
    format_, kept = (written, ()) if written else grammar.read_all(told)
    told = replace(told, story=f"{told.story}\n\n{told.input}") if format_by else told
    promises.check(told, format_, kept)
    lost_powers.check(sections, format_, flattened=brief.text != without_invisible(text))
    payloads = tuple(_read_samples(brief, format_))
    evidence.check(format_, [payload for sample in payloads for payload in sample], told.input)
    return Understood(brief, sections, format_, payloads, readings, handed_in, near, format_by)


def _worded(sections: Sections, outputs: Sequence[str], *, near: bool) -> Sections:
    """The statement, if its answer can be compared exactly: as it is, or asking for its first value alone.

    Raises:
        Refused: neither.
    """
    alone = None if near else value_alone.reduced(sections, outputs)
    try:
        wording.check(sections, near=near, unique=unique.is_one_number(sections, outputs))
        if alone is not None:
            wording.check_list(sections)
    except Refused as refused:
        if alone is None or not refused.refusal.reason.startswith(value_alone.OPEN):
            raise
        return alone
    return sections


def _pure(brief: Brief, readings: Sequence[reference.Reference], *, alone: bool) -> tuple[Reading, ...]:
    """Those readings of the reference that become a pure function.

    Raises:
        Refused: none does; why the first does not.
    """
    found, first = list[Reading](), None
    for one in readings:
        try:
            found.append(Reading(one, purify(one.code, title=emit.title(brief), author=AUTHOR, alone=alone)))
        except Refused as refused:
            first = first or refused
    if not found:
        assert first is not None
        raise first
    return tuple(found)


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


def _confirmed(understood: Understood, run: ProgramRunner) -> tuple[Understood, list[OneTest]]:
    """The first reading of the reference that reproduces the samples.

    Raises:
        Refused: none does; why the first does not.
    """
    first: Refused | None = None
    for one in understood.each_reading():
        try:
            return one, _check_samples(one, run)
        except Refused as refused:
            first = first or refused
    assert first is not None
    raise first


def _check_samples(understood: Understood, run: ProgramRunner) -> list[OneTest]:
    """Run the reference on the samples, twice, and on each of their test cases alone.

    Raises:
        Refused: an output differs from the sample, or between the runs.
    """
    brief = understood.brief
    code = understood.program
    whole = [stdio_text.tidy(sample.input) + "\n" for sample in brief.samples]
    # One run first: a reference that loops for ever is found out once, not on every input.
    programs.outputs(run, code, whole[:1], stage=Stage.REFERENCE)
    printed = programs.outputs(run, code, _twice(whole), stage=Stage.REFERENCE)
    for number, sample in enumerate(brief.samples):
        first, second = (_asked(understood, text) for text in printed[2 * number : 2 * number + 2])
        wanted = _asked(understood, sample.output)
        if first != second:
            raise Refused(Stage.REFERENCE, f"two runs on sample {number + 1} print different outputs")
        if not _agrees(understood, first, wanted):
            detail = programs.difference(wanted, first)
            raise Refused(Stage.REFERENCE, f"the reference does not reproduce sample {number + 1}: {detail}")
    if understood.format.tests is None:
        pairs = zip(understood.payloads, whole, printed[::2], strict=True)
        return [OneTest(payloads[0], text, _asked(understood, output)) for payloads, text, output in pairs]
    return _single_tests(understood, run)


def _asked(understood: Understood, printed: str) -> str:
    """What is asked for of an output; with several test cases only each one's own output can be cut."""
    return value_alone.first(printed) if understood.alone and understood.format.tests is None else printed


def _agrees(understood: Understood, printed: str, wanted: str) -> bool:
    if understood.tolerance:
        return tolerance.same(printed, wanted, understood.tolerance)
    if wording.in_any_case(understood.sections.output):
        printed, wanted = printed.casefold(), wanted.casefold()
    return printed.split() == wanted.split()


def _twice(texts: Sequence[str]) -> list[str]:
    return [text for text in texts for _ in range(2)]


def _single_tests(understood: Understood, run: ProgramRunner) -> list[OneTest]:
    """Test cases must be independent: the answers to each alone, joined, are the sample's output."""
    brief = understood.brief
    found = []
    for number, (sample, payloads) in enumerate(zip(brief.samples, understood.payloads, strict=True), 1):
        alone = [stdio_text.render(understood.format, [payload]) for payload in payloads[:20]]
        printed = programs.outputs(run, understood.program, alone, stage=Stage.REFERENCE)
        joined, wanted = " ".join(printed).split(), sample.output.split()
        if understood.tolerance:
            raise Refused(Stage.OUTPUT, "several test cases with real numbers are not covered")
        if len(alone) < len(payloads):
            wanted = wanted[: len(joined)]
        if not _agrees(understood, " ".join(joined), " ".join(wanted)):
            raise Refused(
                Stage.REFERENCE,
                f"the test cases of sample {number}, run one by one, do not print what they do together",
            )
        asked = [value_alone.first(text) if understood.alone else text for text in printed]
        found += [OneTest(*one) for one in zip(payloads, alone, asked, strict=False)]
    return found


def _compiled(
    understood: Understood, tests: Sequence[OneTest], run: ProgramRunner, run_compiled: CompiledRunner | None
) -> Compiled:
    attempts: list[str] = []
    first = mixes.shape_of_samples(understood, tests)
    if first.kind != "choice" and not understood.alone:
        wording.check_defined(understood.sections, is_list=first.kind != "integer")
    if first.kind not in ("integer", "choice") and not understood.alone:
        wording.check_list(understood.sections)
    plan, measured = mixes.best(understood, tests, run, ladders(understood.format), attempts)
    if plan.shape.kind not in ("integer", "choice") and not understood.alone:
        wording.check_list(understood.sections)
    proven = compiled.prove(understood, plan, measured, run, run_compiled)
    agreeing = accepted.check(understood, plan.shape, measured, run, run_compiled)
    return _folder(understood, tests, plan, measured, attempts, proven, agreeing)


def _folder(
    understood: Understood,
    tests: Sequence[OneTest],
    plan: emit.Plan,
    measured: Measured,
    attempts: Sequence[str],
    proven: int,
    agreeing: int,
) -> Compiled:
    samples = [Known(test.printed, payload=json.dumps(test.payload, ensure_ascii=False)) for test in tests[:8]]
    firsts = [next(case for case in measured.cases if case.level == level) for level in range(1, 6)]
    cases = [Known(case.printed, level=case.level, seed=case.seed) for case in firsts]
    files = emit.files(understood.brief, replace(plan, examples=examples_file(plan.shape, samples, cases)), AUTHOR)
    files["brief.md"] = brief_file(replace(understood.brief, text=understood.handed_in))
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
        notes=(
            *(f"{axis.name}: {axis.meaning}" for axis in plan.axes),
            *([f"reference: {origin}"] if (origin := understood.readings[0].reference.origin) else []),
            *(["the first value of the output is asked for alone"] if understood.alone else []),
            *([f"input format written by {understood.format_by}"] if understood.format_by else []),
            *([f"compiled and translated reference print the same on {proven} inputs"] if proven else []),
            *([f"{agreeing} further accepted solutions print the same"] if agreeing else []),
        ),
    )
    return Compiled(folder, explanation)
