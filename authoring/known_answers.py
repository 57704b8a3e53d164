"""What a source knows of right and wrong beside the samples, as examples of a compiled task.

Tests that came with a brief become answers that must be accepted. Submissions that are known to be wrong are run in the
sandbox on samples and tests, those in Python as jobs, those in C++ where there is a compiler; what they print beside
the right output becomes an answer that must be rejected. The gate then holds the task to both.

What is not covered: wrong submissions in other languages, inputs of several test cases, and a submission
whose fault none of the inputs shows. A submission that only fails or runs too long gives no answer to reject.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from authoring.compiler import stdio_text
from authoring.compiler.input_format import InputFormat
from authoring.compiler.outcome import Compiled, ProgramRunner, Refused
from authoring.compiler.reference import readings
from bootcamp_kit.brief import Brief, Sample, Solution
from bootcamp_kit.card import AnswerFormat
from bootcamp_kit.folder import TaskFolder
from bootcamp_kit.jsondata import Json, canonical
from sandbox.calls import Observation
from sandbox.checks.examples_file import Example, with_examples
from sandbox.compiled.programs import CompiledRunner

MAX_INPUTS = 20
MAX_INPUT_CHARS = 2_000
MAX_SUBMISSIONS = 5
MAX_REJECTS_EACH = 2
MAX_ACCEPTS = 5
EXAMPLES = "examples.toml"


@dataclass(frozen=True, slots=True)
class _Known:
    payload: Json
    stdin: str
    right: str


Submission = tuple[Solution, Callable[[Sequence[str]], list[Observation]]]
"""A program, and what runs it on inputs."""


def with_known_answers(
    made: Compiled, brief: Brief, run: ProgramRunner, run_compiled: CompiledRunner | None = None
) -> Compiled:
    """The task with what its source knows as further examples; the same one where the source knows nothing more.

    ``run_compiled`` runs submissions in C++; None where there is no compiler.

    Raises:
        MachineError: the sandbox itself failed.
    """
    wrong = _programs(brief.wrong, run, run_compiled)
    format_ = InputFormat.model_validate(made.explanation.input_format)
    answer = made.folder.card.answer
    tests = _known(format_, brief.tests, answer)[:MAX_INPUTS]
    inputs = _known(format_, (*brief.tests, *brief.samples), answer)[:MAX_INPUTS] if wrong else []
    added = [
        Example("accept", f"test {number}", _response(answer, item.right), payload=item.payload)
        for number, item in enumerate(tests[:MAX_ACCEPTS], 1)
    ]
    rejects, shown = _rejects(wrong, inputs, answer)
    notes = []
    if brief.wrong:
        notes.append(
            f"of {len(brief.wrong)} submissions known to be wrong {len(wrong)} were run on {len(inputs)} inputs;"
            f" {shown} gave an answer that must be rejected"
        )
    if not added and not rejects and not notes:
        return made
    explanation = replace(made.explanation, notes=(*made.explanation.notes, *notes))
    if not added and not rejects:
        return replace(made, explanation=explanation)
    files = dict(made.folder.files)
    files[EXAMPLES] = with_examples(files[EXAMPLES], [*added, *rejects])
    return Compiled(TaskFolder(files), explanation)


def _programs(wrong: Sequence[Solution], run: ProgramRunner, run_compiled: CompiledRunner | None) -> list[Submission]:
    """Those that can be run, Python 2 translated."""
    found: list[Submission] = []
    for item in wrong:
        if len(found) == MAX_SUBMISSIONS:
            break
        if item.language == "cpp":
            found += [(item, partial(run_compiled, item.code))] if run_compiled else []
            continue
        try:
            code = readings(item)[0].code
        except Refused:
            continue
        found.append((item, partial(_in_python, run, code)))
    return found


def _in_python(run: ProgramRunner, code: str, inputs: Sequence[str]) -> list[Observation]:
    return list(run([(code, stdin) for stdin in inputs]))


def _known(format_: InputFormat, samples: Sequence[Sample], answer: AnswerFormat) -> list[_Known]:
    """The inputs that are one test case of this format, each once, with an output of the answer's form."""
    found: dict[bytes, _Known] = {}
    for sample in samples:
        if len(sample.input) > MAX_INPUT_CHARS or not _fits(answer, sample.output, sample.output):
            continue
        try:
            payloads = stdio_text.parse(format_, sample.input)
        except stdio_text.Misread:
            continue
        if len(payloads) == 1:
            stdin = stdio_text.tidy(sample.input) + "\n"
            found.setdefault(canonical(payloads[0]), _Known(payloads[0], stdin, sample.output))
    return list(found.values())


def _rejects(wrong: Sequence[Submission], inputs: Sequence[_Known], answer: AnswerFormat) -> tuple[list[Example], int]:
    """Examples to reject, and how many submissions gave one."""
    found: list[Example] = []
    shown = 0
    for number, (submission, run) in enumerate(wrong, 1):
        seen = run([item.stdin for item in inputs]) if inputs else []
        name = (submission.name.rpartition("/")[2] or f"submission {number}")[:60]
        mine = [
            Example("reject", f"answer of {name}", _response(answer, printed), payload=item.payload)
            for item, observation in zip(inputs, seen, strict=True)
            if (printed := _printed(observation)) is not None and _is_wrong(answer, printed, item.right)
        ]
        found += mine[:MAX_REJECTS_EACH]
        shown += bool(mine)
    return found, shown


def _printed(observation: Observation) -> str | None:
    value = observation.value if observation.ok else None
    text = value.get("stdout") if isinstance(value, dict) else None
    return text if isinstance(text, str) else None


def _is_wrong(answer: AnswerFormat, printed: str, right: str) -> bool:
    """Of the form that is asked for, and another answer, whatever its case."""
    return printed.casefold().split() != right.casefold().split() and _fits(answer, printed, right)


def _fits(answer: AnswerFormat, printed: str, right: str) -> bool:
    """Whether a text has the form of the right output, so that it is an answer and no mere noise."""
    tokens, model = printed.split(), right.split()
    if not tokens or "<" in printed or ">" in printed:
        return False
    if answer.kind in ("integer", "integers"):
        whole = all(token.lstrip("-").isascii() and token.lstrip("-").isdigit() for token in tokens)
        return whole and (answer.kind == "integers" or len(tokens) == 1)
    if answer.kind == "choice":
        return printed.strip() in answer.choices
    if answer.kind == "grid":
        shape = [len(line) for line in printed.split("\n") if line.strip()]
        same = shape == [len(line) for line in right.split("\n") if line.strip()]
        return same and set("".join(tokens)) <= set("".join(model))
    return answer.kind in ("string", "strings") and len(tokens) == len(model)


def _response(answer: AnswerFormat, printed: str) -> str:
    text = " ".join(printed.split()) if answer.kind in ("integers", "strings") else printed.strip()
    return f"<answer>{text}</answer>"
