"""Writes a task folder: ``bootcamp.py`` and ``oracle.py`` here, the other files with the help of their own modules.

Everything written depends on the brief and on this code alone: no clock, no machine, no hash order.
``examples.toml`` has the form that ``sandbox.checks.examples_file`` describes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from authoring.compiler.card_file import brief_file, card_file
from authoring.compiler.emit_instances import Emitter
from authoring.compiler.input_format import InputFormat
from authoring.compiler.levels import Ladder
from authoring.compiler.prompt_text import Rules
from authoring.compiler.shape import Shape
from authoring.compiler.texts import block_literal, literal
from bootcamp_kit.brief import Brief

_BOOTCAMP = '''"""{title}: a case is one input of a contest problem, its answer what the reference solution prints.

Written by {author} from brief.md. ``solver.py``, the reference solution as a pure function, decides what is right;
``oracle.py`` runs the original program instead, so that each checks the other.
"""

from __future__ import annotations

import random
from functools import lru_cache

from bootcamp_kit.answers import {readers}
from bootcamp_kit.case import Answer, Case, Payload, Score
from bootcamp_kit.contract import Bootcamp
from bootcamp_kit.difficulty import Params
{jsondata}
from .instances import draw, render
from .solver import solve

{constants}

class {name}(Bootcamp):
    """{title}."""

    def generate(self, rng: random.Random, params: Params) -> Payload:
        """One input within the bounds{how}."""
{generate}

    def prompt(self, case: Case) -> str:
        """The rules, one input, and how to answer."""
        return f"{{RULES}}\\n```\\n{{render(case.payload)}}```\\n\\n{{ANSWER}}"

    def parse(self, response: str) -> Answer:
        """{form}, and nothing else."""
        return {parse}

    def verify(self, case: Case, answer: Answer) -> Score:
        """Compare with what the solver prints{compared}."""
        if {right}:
            return Score.correct()
        return Score.wrong("not the answer to this input")


def expected(payload: Payload) -> Answer:
    """The right answer, in the form that ``parse`` gives."""
    return {expected}


@lru_cache(maxsize=32)
def solved(stdin: str) -> str:
    """What the solver prints; kept for a while, because one input is judged many times."""
    return solve(stdin)
{kind_of}

BOOTCAMP = {name}()
'''

_ORACLE = '''"""{title}: the reference solution itself, run as the program it came as. For the sandbox only."""

from __future__ import annotations

from bootcamp_kit.case import Case
from bootcamp_kit.contract import Oracle
from bootcamp_kit.stdio_program import run_program

from .instances import render


class Reference(Oracle):
    """Runs ``reference.py`` on the case's input."""

    def solve(self, case: Case) -> str:
        """What the program prints, as an answer."""
        source = __loader__.get_data("reference.py").decode()
        program = compile(source, "reference.py", "exec", dont_inherit=True)
        printed = run_program(program, render(case.payload))
        return f"<answer>{{{printed}}}</answer>"


ORACLE = Reference()
'''

_PLAIN = "        return draw(rng, params)"
_AVOID = """        payload = draw(rng, params)
        for _ in range(TRIES):
            if payload not in SHOWN:
                break
            payload = draw(rng, params)
        return payload"""
_WANTED = """        wanted = rng.choice(WANTED)
        seen: dict[int, Payload] = {}
        payload = draw(rng, params)
        for _ in range(TRIES):
            if payload not in SHOWN:
                kind = kind_of(expected(payload))
                if kind == wanted:
                    return payload
                seen.setdefault(kind, payload)
            payload = draw(rng, params)
        return rng.choice([seen[kind] for kind in sorted(seen)]) if seen else payload"""
_KIND_OF = '''

def kind_of(answer: Answer) -> int:
    """Which of the common answers it is; -1 for any other."""
    return COMMON.index(answer) if answer in COMMON else -1
'''
TRIES = 32


@dataclass(frozen=True, slots=True)
class Plan:
    """What a draft is made of, beside the brief.

    Attributes:
        mix: A key of ``pieces.MIXES``.
        balance: Draw again until the answer is of a wanted kind: one of the common ones, or any other.
        common: Those answers that came too often, in the form of ``expected``.
        others: How many answers besides there are to want; 0 where there is hardly another one.
        floor: Share of the most frequent answer, declared on the card where it is high by nature.
        shown: Payloads of the samples; never drawn.
        alone: Whether the first value of what the reference prints is asked for alone.
    """

    format: InputFormat
    axes: tuple[Ladder, ...]
    shape: Shape
    rules: Rules
    solver: str
    mix: str = "mixed"
    balance: bool = False
    common: tuple[object, ...] = ()
    others: int = 0
    floor: float = 0.0
    shown: tuple[Mapping[str, object], ...] = ()
    summary: str = ""
    examples: str = field(default="")
    alone: bool = False


@dataclass(frozen=True, slots=True)
class _Form:
    readers: str
    parse: str
    expected: str
    form: str
    right: str = "canonical(answer) == canonical(expected(case.payload))"


def _form(shape: Shape) -> _Form:
    printed = "solved(render(payload))"
    if shape.kind == "integer":
        return _Form("integer, last_answer", "integer(last_answer(response))", f"int({printed})", "One integer")
    if shape.kind == "decimal":
        return _Form(
            "close, decimal, last_answer",
            "decimal(last_answer(response))",
            f"float({printed})",
            "One decimal number",
            "close(answer, expected(case.payload), absolute=TOLERANCE)",
        )
    if shape.kind == "integers":
        return _Form(
            "integers, last_answer",
            "integers(last_answer(response))",
            f"[int(token) for token in {printed}.split()]",
            "Integers between white space or commas",
        )
    if shape.kind == "choice":
        return _Form(
            "choice, last_answer", "choice(last_answer(response), CHOICES)", f"{printed}.strip()", "One of the choices"
        )
    if shape.kind == "string":
        return _Form("last_answer, word", "word(last_answer(response))", f"{printed}.strip()", "One word")
    if shape.kind == "strings":
        return _Form(
            "last_answer, tokens", "tokens(last_answer(response))", f"{printed}.split()", "Words between white space"
        )
    return _Form(
        "grid, last_answer",
        "grid(last_answer(response), symbols=SYMBOLS)",
        f"{printed}.split()",
        "Rows of cells",
    )


def _printed(plan: Plan) -> str:
    shape = plan.shape
    if plan.alone:
        return "' '.join(printed.split()[:1])"
    return "' '.join(printed.split())" if shape.kind in ("integers", "strings") else "printed.strip()"


def class_name(task_id: str) -> str:
    """``lamp_row`` → ``LampRow``; never a name the module imports."""
    return "".join(part.capitalize() for part in task_id.split("_")) + "Task"


def _constants(plan: Plan) -> str:
    lines = [block_literal("RULES", plan.rules.before), block_literal("ANSWER", plan.rules.after)]
    if plan.shape.kind == "choice":
        lines.append(f"CHOICES = ({', '.join(literal(choice) for choice in plan.shape.choices)})\n")
    if plan.shape.tolerance:
        lines.append(f"TOLERANCE = {plan.shape.tolerance!r}\n")
    if plan.shape.kind == "grid":
        lines.append(f"SYMBOLS = {literal(plan.shape.symbols)}\n")
    if plan.shown:
        lines.append("SHOWN = (\n" + "".join(f"    {data(payload)},\n" for payload in plan.shown) + ")\n")
    elif plan.balance:
        lines.append("SHOWN = ()\n")
    if plan.balance:
        wanted = [*range(len(plan.common)), *[-1] * plan.others] or [-1]
        lines.append(f"COMMON = ({''.join(data(answer) + ', ' for answer in plan.common).strip()})\n")
        lines.append(f"WANTED = ({', '.join(map(str, wanted))},)\n")
    if plan.shown or plan.balance:
        lines.append(f"TRIES = {TRIES}\n")
    return "\n".join(lines)


def data(value: object) -> str:
    """Plain data as Python source."""
    if isinstance(value, str):
        return literal(value)
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{literal(key)}: {data(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(data(item) for item in value) + "]"
    return repr(int(value)) if isinstance(value, int) else repr(value)


def _bootcamp(brief: Brief, plan: Plan, author: str) -> str:
    form = _form(plan.shape)
    if plan.balance:
        generate, how = _WANTED, ", common answers no more often than others"
    else:
        generate, how = (_AVOID, ", and none of the samples") if plan.shown else (_PLAIN, "")
    return _BOOTCAMP.format(
        title=title(brief),
        author=author,
        readers=form.readers,
        constants=_constants(plan),
        name=class_name(brief.id),
        how=how,
        generate=generate,
        form=form.form,
        parse=form.parse,
        expected=form.expected,
        right=form.right,
        compared=", within the tolerance" if plan.shape.tolerance else ", value by value",
        jsondata="" if plan.shape.tolerance else "from bootcamp_kit.jsondata import canonical\n",
        kind_of=_KIND_OF if plan.balance else "",
    )


def title(brief: Brief) -> str:
    """The brief's title, fit for a docstring."""
    return brief.title.replace("\\", "").replace('"', "'").rstrip(".")


def files(brief: Brief, plan: Plan, author: str) -> dict[str, str]:
    """All files of the task, path → text."""
    assert brief.solution is not None
    return {
        "card.toml": card_file(
            brief, plan.shape, plan.axes, summary=plan.summary, author=author, floor=plan.floor, alone=plan.alone
        ),
        "brief.md": brief_file(brief),
        "bootcamp.py": _bootcamp(brief, plan, author),
        "instances.py": Emitter(plan.format, (axis.name for axis in plan.axes)).text(title=title(brief), mix=plan.mix),
        "solver.py": plan.solver,
        "oracle.py": _ORACLE.format(title=title(brief), printed=_printed(plan)),
        "reference.py": brief.solution.code,
        "examples.toml": plan.examples,
    }


def code_files(files_: Mapping[str, str]) -> dict[str, str]:
    """Those that run."""
    return {name: text for name, text in files_.items() if name.endswith(".py") and name != "reference.py"}


def frequent(answers: Sequence[object], share: float) -> tuple[object, ...]:
    """Answers whose share of all is above ``share``, most frequent first."""
    from collections import Counter

    counts = Counter(repr(answer) for answer in answers)
    first = {repr(answer): answer for answer in reversed(answers)}
    return tuple(first[text] for text, count in counts.most_common() if count > share * len(answers))
