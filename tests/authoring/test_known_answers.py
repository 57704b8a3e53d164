"""Tests and wrong submissions of a source hold the compiled task to what the source knows."""

from __future__ import annotations

from dataclasses import replace

import pytest

from authoring.author import Assignment, Refused
from authoring.compiler import Compiled, compile_brief, program_runner
from authoring.compiler_author import CompilerAuthor
from authoring.known_answers import with_known_answers
from bootcamp_kit.brief import Sample, Solution
from bootcamp_kit.report import Verdict
from sandbox.checks.examples_file import parse_examples
from sandbox.compiled.programs import compiled_runner
from sandbox.runner import run_gate
from sandbox.service import Sandbox
from tests.authoring.compiler.contest import contest, nothing_may_run
from tests.authoring.conftest import MakeContext

RIGHT_ON_SAMPLES = Solution(
    "python3",
    "n = int(input())\na = list(map(int, input().split()))\nprint(sum(x * x % 97 for x in a[:2]) + n)\n",
    "submissions/wrong_answer/first_two.py",
)
OLD = Solution("python2", "n = input()\na = map(int, raw_input().split())\nprint a[0] * a[0] % 97 + n\n", "old.py")
NOISE = Solution("python3", "print('no idea')\n", "noise.py")
CRASH = Solution("python3", "raise SystemExit(3)\n", "crash.py")
OTHER = Solution("cpp", "int main() {}\n", "other.cc")
ONE_MORE = Solution(
    "cpp",
    "#include <iostream>\nint main() { long n, a, s = 1; std::cin >> n; while (std::cin >> a) s += a * a % 97;"
    " std::cout << s + n << std::endl; }\n",
    "one_more.cc",
)
TESTS = (Sample("3\n1 2 3\n", "17\n"), Sample("2\n3 5\n", "36\n"), Sample("4\nnot numbers\n", "1\n"))


@pytest.mark.docker
def test_a_wrong_submission_becomes_an_answer_that_must_be_rejected_and_the_gate_holds_the_task_to_it(
    sandbox: Sandbox,
) -> None:
    source = replace(contest().source, attribution="Ada Frog")
    brief = replace(
        contest(),
        source=source,
        notes=("105 read as 10^5: proven",),
        wrong=(RIGHT_ON_SAMPLES, OLD, NOISE, CRASH, OTHER),
        tests=TESTS,
    )
    with program_runner(sandbox) as run:
        plain = compile_brief(brief, run)
        assert isinstance(plain, Compiled)
        made = with_known_answers(plain, brief, run)
        with compiled_runner(sandbox) as run_compiled:
            in_cpp = with_known_answers(plain, replace(brief, wrong=(ONE_MORE, OTHER)), run, run_compiled)
            if run_compiled is not None:
                rejected = {item for item in examples_of(in_cpp) if "one_more" in item[1]}
                assert rejected == {
                    ("reject", "answer of one_more.cc", "<answer>18</answer>"),
                    ("reject", "answer of one_more.cc", "<answer>37</answer>"),
                }
                assert "of 2 submissions known to be wrong 2 were run" in in_cpp.explanation.notes[-1]
    examples = parse_examples(made.folder.files["examples.toml"], made.folder.card.difficulty.levels)
    new = examples_of(made) - examples_of(plain)
    assert new == {
        ("accept", "test 1", "<answer>17</answer>"),
        ("accept", "test 2", "<answer>36</answer>"),
        ("reject", "answer of first_two.py", "<answer>8</answer>"),
        ("reject", "answer of old.py", "<answer>4</answer>"),
        ("reject", "answer of old.py", "<answer>11</answer>"),
    }
    (reject,) = [item for item in examples if item.name == "answer of first_two.py"]
    assert reject.payload == {"n": 3, "a": [1, 2, 3]}
    assert "of 5 submissions known to be wrong 4 were run on 3 inputs; 2 gave" in made.explanation.notes[-1]
    page = made.folder.files["brief.md"].decode()
    assert "Licence: CC0-1.0. By Ada Frog" in page
    assert page.endswith("\n- 105 read as 10^5: proven\n")
    assert made.folder.card.source.attribution == "Ada Frog"
    report = run_gate(sandbox, made.folder)
    assert report.verdict is Verdict.PASS, [finding.message for finding in report.findings]


def examples_of(made: Compiled) -> set[tuple[str, str, str]]:
    found = parse_examples(made.folder.files["examples.toml"], made.folder.card.difficulty.levels)
    return {(item.group, item.name, item.response) for item in found}


@pytest.mark.parametrize("judge", ["custom", "interactive", "tolerance"])
async def test_a_source_that_does_not_compare_exactly_is_refused_before_anything_runs(
    judge: str, make_context: MakeContext
) -> None:
    brief = replace(contest(), judge=judge)
    draft = await CompilerAuthor(nothing_may_run).draft(Assignment(brief, 0, 1, make_context().run))
    assert isinstance(draft, Refused)
    assert draft.stage == "wording"
    assert "source" in draft.reason
