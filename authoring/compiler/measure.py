"""Generates cases with a draft's own code in the sandbox, solves each twice, and measures how the answers spread."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from authoring.compiler import emit, programs, stdio_text, tolerance, value_alone
from authoring.compiler.outcome import LevelFigures, ProgramRunner, Refused, Stage
from authoring.compiler.prompt_text import MAX_PROMPT
from authoring.compiler.shape import Shape
from bootcamp_kit.brief import Brief

CASES_PER_LEVEL, PROBED_PER_LEVEL, AT_ONCE, BALANCED_AT_ONCE, HARDEST, SLOWEST = 30, 24, 15, 4, 6, 2
MAX_OVERALL_SHARE = 0.18
MAX_LEVEL_SHARE = 0.34
NATURAL_SHARE, NATURAL_LEVEL_SHARE = 0.38, 0.62
CHOICE_SLACK, CHOICE_LEVEL_SLACK = 0.1, 0.2
FEW, RARE = 3, 0.05
"""So few answers, others being exceptions of that share, may come as often as those of a choice among so many words."""


@dataclass(frozen=True, slots=True)
class Solved:
    """One generated case and what both forms of the reference printed for it."""

    level: int
    seed: int
    payload: dict[str, Any]
    printed: str
    prompt_characters: int

    def answer(self, shape: Shape) -> object:
        """The answer in the form that the task's ``parse`` gives."""
        parts = self.printed.split()
        if shape.kind == "integer":
            return int(parts[0])
        if shape.kind == "decimal":
            return float(parts[0])
        if shape.kind == "integers":
            return [int(part) for part in parts]
        return parts[0] if shape.kind in ("choice", "string") else parts


@dataclass(frozen=True, slots=True)
class Measured:
    """All cases of one draft."""

    cases: tuple[Solved, ...]

    def figures(self, axes: Mapping[str, Sequence[int]]) -> tuple[LevelFigures, ...]:
        """One entry a level."""
        found = []
        for level in sorted({case.level for case in self.cases}):
            here = [case for case in self.cases if case.level == level]
            counts = Counter(tuple(case.printed.split()) for case in here)
            found.append(
                LevelFigures(
                    level=level,
                    params={name: values[level - 1] for name, values in axes.items()},
                    cases=len(here),
                    distinct_answers=len(counts),
                    top_share=round(max(counts.values()) / len(here), 3),
                    longest_prompt=max(case.prompt_characters for case in here),
                )
            )
        return tuple(found)

    def concentration(self, shape: Shape, *, natural: bool = False) -> str:
        """What is wrong with the spread of answers, or "".

        Args:
            shape: The form of the answers.
            natural: By the wider limits for a problem that has only few answers, declared as the floor.
        """
        overall, per_level = (NATURAL_SHARE, NATURAL_LEVEL_SHARE) if natural else (MAX_OVERALL_SHARE, MAX_LEVEL_SHARE)
        few = len(shape.choices) if shape.kind == "choice" else self.common()
        if shape.kind == "choice":
            overall, per_level = 1 / few + CHOICE_SLACK, 1 / few + CHOICE_LEVEL_SLACK
        elif natural and 2 <= few <= FEW:
            overall, per_level = 1 / few + CHOICE_SLACK, max(per_level, 1 / few + CHOICE_LEVEL_SLACK)
        groups = [("all levels", self.cases, overall)]
        for level in sorted({case.level for case in self.cases}):
            groups.append((f"level {level}", tuple(case for case in self.cases if case.level == level), per_level))
        for name, cases, most in groups:
            counts = Counter(tuple(case.printed.split()) for case in cases)
            top, times = counts.most_common(1)[0]
            if times > most * len(cases):
                answer = programs.shown(" ".join(top), 40)
                return f"{answer} is the answer of {times} of {len(cases)} cases ({name})"
        return ""

    def top_share(self) -> float:
        """Share of the most frequent answer."""
        counts = Counter(tuple(case.printed.split()) for case in self.cases)
        return max(counts.values()) / len(self.cases)

    def common(self) -> int:
        """How many answers are no exceptions."""
        counts = Counter(tuple(case.printed.split()) for case in self.cases)
        return sum(count > RARE * len(self.cases) for count in counts.values())

    def kinds(self) -> int:
        """How many different answers there are."""
        return len({tuple(case.printed.split()) for case in self.cases})


def probe(
    brief: Brief, plan: emit.Plan, run: ProgramRunner, *, check: Callable[[Sequence[str]], None] | None = None
) -> Measured:
    """Generate cases and solve them with the pure function alone: how the answers of a plan spread.

    ``check`` is given the inputs of some of the hardest cases before the others are drawn, then the dearest ones.

    Raises:
        Refused: the draft fails, an input does not read back within the bounds, or a prompt is too long.
    """
    code = emit.code_files(emit.files(brief, plan, "draft"))
    asked = _asked(plan, PROBED_PER_LEVEL)
    requests = _requests(plan, asked)
    # The largest first: a prompt that is too long, or a reference that is too slow, is found out on few cases.
    (largest,) = programs.run_task(run, code, brief.id, [{"cases": asked[-HARDEST:]}])
    _solved(plan, 5, 0, largest["cases"][-1], largest["cases"][-1]["solved"])
    if check:
        check([case["stdin"] for case in largest["cases"]])
    answered = programs.run_task(run, code, brief.id, requests)
    cases = [case for answer in answered for case in answer["cases"]]
    if check:
        check([case["stdin"] for case in sorted(cases, key=lambda case: -float(case["spent"]))[:SLOWEST]])
    return Measured(
        tuple(
            _solved(plan, level, seed, case, case["solved"])
            for (level, seed, _), case in zip(asked, cases, strict=True)
        )
    )


def _requests(plan: emit.Plan, asked: Sequence[list[Any]]) -> list[dict[str, Any]]:
    """Cases for one process each: fewer of a balanced plan, which solves many inputs for one case."""
    many = BALANCED_AT_ONCE if plan.balance else AT_ONCE
    return [{"cases": asked[start : start + many]} for start in range(0, len(asked), many)]


def _asked(plan: emit.Plan, per_level: int) -> list[list[Any]]:
    return [
        [level, seed, {axis.name: axis.values[level - 1] for axis in plan.axes}]
        for level in range(1, 6)
        for seed in range(per_level)
    ]


def _solved(plan: emit.Plan, level: int, seed: int, case: Mapping[str, Any], printed: str) -> Solved:
    _check_inside(plan, case)
    if len(case["prompt"]) > MAX_PROMPT:
        raise Refused(Stage.LEVELS, f"a prompt of {len(case['prompt']):,} characters at level {level}")
    return Solved(level, seed, case["payload"], printed, len(case["prompt"]))


def measure(
    brief: Brief, plan: emit.Plan, run: ProgramRunner, *, rivals: Sequence[str] = (), other: str = ""
) -> Measured:
    """Generate ``CASES_PER_LEVEL`` cases a level and solve each with the pure function and with the original program.

    Raises:
        Refused: one of the two fails, they differ, the original differs from run to run, an input does not read back
            within the bounds, or a prompt is too long.
    """
    assert brief.solution is not None
    code = emit.code_files(emit.files(brief, plan, "draft"))
    asked = _asked(plan, CASES_PER_LEVEL)
    requests = _requests(plan, asked)
    answered = programs.run_task(run, code, brief.id, requests)
    cases = [case for answer in answered for case in answer["cases"]]
    inputs = [case["stdin"] for case in cases]
    printed = _originals(run, brief.solution.code, inputs, alone=plan.alone)
    for rival in rivals:
        _agree(inputs, printed, programs.outputs(run, rival, inputs, stage=Stage.CASES), alone=plan.alone)
    if other:
        _agree(inputs, printed, programs.outputs_where_it_runs(run, other, inputs), alone=plan.alone)
    if plan.shape.tolerance:
        noisy = programs.outputs(run, tolerance.with_noise(brief.solution.code), inputs, stage=Stage.CASES)
        tolerance.check_exact(printed, noisy, plan.shape.tolerance)
    found: list[Solved] = []
    for (level, seed, _), case, original in zip(asked, cases, printed, strict=True):
        if case["solved"] != original:
            raise Refused(
                Stage.CASES,
                "the reference as a pure function prints something else than the program on "
                f"{programs.shown(case['stdin'])}: {programs.difference(original, case['solved'])}",
            )
        found.append(_solved(plan, level, seed, case, original))
    return Measured(tuple(found))


def _agree(inputs: Sequence[str], printed: Sequence[str], rival: Sequence[str | None], *, alone: bool) -> None:
    """Another reading of the same text, as Python 2 or with every order of a dictionary turned, says the same."""
    for text, one, other in zip(inputs, printed, rival, strict=True):
        if other is not None and one.split() != other.split()[: 1 if alone else None]:
            raise Refused(
                Stage.CASES,
                "the reference can be read in two ways (its language, the order of a dictionary) that differ on "
                f"{programs.shown(text)}: {programs.difference(one, other)}",
            )


def _check_inside(plan: emit.Plan, case: Mapping[str, Any]) -> None:
    """The generated input, read by the input format, is the payload: the generator keeps every bound."""
    try:
        read = stdio_text.parse(plan.format, case["stdin"])
    except stdio_text.Misread as error:
        raise Refused(Stage.CASES, f"a generated input breaks the input format: {error}") from error
    if read != [case["payload"]]:
        raise Refused(Stage.CASES, f"a generated input reads back as another one: {programs.shown(case['stdin'])}")


def _originals(run: ProgramRunner, source: str, inputs: Sequence[str], *, alone: bool) -> list[str]:
    """The program's outputs; one input first, so that a reference that hangs is found out once, not on each input."""
    programs.outputs(run, source, [inputs[0], inputs[0]], stage=Stage.CASES)
    printed = programs.outputs(run, source, [text for text in inputs for _ in range(2)], stage=Stage.CASES)
    if alone:
        printed = [value_alone.first(text) for text in printed]
    for text, one, other in zip(inputs, printed[::2], printed[1::2], strict=True):
        if one != other:
            raise Refused(Stage.CASES, f"two runs of the reference print different outputs for {programs.shown(text)}")
    return printed[::2]
