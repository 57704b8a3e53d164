"""Compiled tasks on a real engine: they pass the gate, answer to their samples, and are the same bytes every time."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from authoring.compiler import AUTHOR, Compiled, ProgramRunner, Refusal, Stage, compile_brief, program_runner
from authoring.sources import read_briefs
from bootcamp_kit.answers import CLOSE, OPEN
from bootcamp_kit.brief import Brief
from bootcamp_kit.case import Case
from bootcamp_kit.report import Severity, Verdict
from sandbox.calls import Call, Op, case_to_json
from sandbox.plan import GatePlan
from sandbox.runner import run_gate
from sandbox.service import Sandbox
from tests.authoring.compiler.contest import contest

pytestmark = pytest.mark.docker
ROOT = Path(__file__).parents[3]
CONTEST = ("ivy_nights", "limping_hand", "pebble_scale", "ribbon_machine")
QUICK = GatePlan(
    cases_per_level=6,
    screen_cases=2,
    second_container_cases=2,
    near_miss_cases=1,
    still_right_cases=1,
    perturbed_cases=1,
    property_examples=8,
    response_examples=10,
    stable_examples=4,
    huge=20_000,
)
READ_LIST = "n = int(input())\na = list(map(int, input().split()))\n"

OTHERS: dict[str, Brief] = {
    "a choice": contest(
        output="Print 'YES' if more numbers are odd than even, otherwise 'NO'.",
        solution=READ_LIST + "print('YES' if sum(x % 2 for x in a) * 2 > n else 'NO')\n",
        samples=(("2\n3 5\n", "YES\n"), ("1\n10\n", "NO\n")),
    ),
    "a rare yes": contest(
        output="Print 'YES' if the numbers add up to a multiple of seven, otherwise 'NO'.",
        solution=READ_LIST + "print('YES' if sum(a) % 7 == 0 else 'NO')\n",
        samples=(("2\n3 5\n", "NO\n"), ("1\n14\n", "YES\n")),
    ),
    "only one and zero": contest(
        solution=READ_LIST + "print(1 if sum(a) % 5 == 0 else 0)\n",
        samples=(("2\n3 5\n", "0\n"), ("1\n10\n", "1\n")),
    ),
    "often minus one": contest(
        solution=READ_LIST + "print(sum(a) * 7 % 1009 if sum(a) % 2 else -1)\n",
        samples=(("2\n3 5\n", "-1\n"), ("1\n9\n", "63\n")),
    ),
    "a permutation": contest(
        input_="The first line contains n (2 ≤ n ≤ 40). The second line contains a permutation p_1, …, p_n of 1, …, n.",
        output="Print the numbers.",
        solution="n = int(input())\np = list(map(int, input().split()))\nprint(*[p[x - 1] for x in p])\n",
        samples=(("3\n2 3 1\n", "3 1 2\n"), ("2\n2 1\n", "1 2\n")),
    ),
    "queries and words": contest(
        input_="The first line contains a string s (2 ≤ |s| ≤ 30) of lowercase English letters and an integer q "
        "(1 ≤ q ≤ 20). Each of the next q lines contains two integers l and r (1 ≤ l ≤ r ≤ 9).",
        output="Print two values.",
        solution="s, q = input().split()\nk = 0\nfor _ in range(int(q)):\n    l, r = map(int, input().split())\n"
        "    k = (3 * k + l * r) % 1009\nprint(s[k % len(s):] + s[:k % len(s)], k)\n",
        samples=(("abc 1\n2 3\n", "abc 6\n"),),
    ),
    "a matrix": contest(
        input_="The first line contains integers n and m (1 ≤ n, m ≤ 9). Each of the next n lines contains m integers "
        "c_i, each between -50 and 50.",
        solution="n, m = map(int, input().split())\nt = 0\nfor i in range(n):\n"
        "    t += sum(x * (i + j) for j, x in enumerate(map(int, input().split())))\nprint(t)\n",
        samples=(("1 2\n3 -5\n", "-5\n"),),
    ),
}


@pytest.fixture(scope="module")
def run(sandbox: Sandbox) -> Iterator[ProgramRunner]:
    with program_runner(sandbox) as runner:
        yield runner


@pytest.fixture(scope="module")
def bundled() -> dict[str, Brief]:
    found = read_briefs(ROOT / "examples" / "briefs")
    assert not found.problems
    return {brief.id: brief for brief in found.briefs}


@pytest.fixture(scope="module")
def compiled(run: ProgramRunner) -> Callable[[Brief], Compiled]:
    """Compiles each brief once."""
    kept: dict[str, Compiled] = {}

    def compile_once(brief: Brief) -> Compiled:
        if brief.hash not in kept:
            made = compile_brief(brief, run)
            assert isinstance(made, Compiled), str(made)
            kept[brief.hash] = made
        return kept[brief.hash]

    return compile_once


@pytest.mark.parametrize("name", CONTEST)
def test_a_bundled_contest_brief_becomes_a_task_that_passes_the_gate(
    name: str, bundled: dict[str, Brief], compiled: Callable[[Brief], Compiled], sandbox: Sandbox
) -> None:
    made = compiled(bundled[name])
    report = run_gate(sandbox, made.folder, plan=QUICK)
    weighty = [finding for finding in report.findings if finding.severity is not Severity.NOTE]
    assert (report.verdict, weighty) == (Verdict.PASS, [])
    assert made.folder.card.author == AUTHOR
    assert made.folder.card.source == bundled[name].source


@pytest.mark.parametrize("name", OTHERS)
def test_other_forms_of_input_and_answer_pass_the_gate_too(
    name: str, compiled: Callable[[Brief], Compiled], sandbox: Sandbox
) -> None:
    made = compiled(OTHERS[name])
    report = run_gate(sandbox, made.folder, plan=QUICK)
    weighty = [finding for finding in report.findings if finding.severity.rank >= Severity.MAJOR.rank]
    assert (report.verdict, weighty) == (Verdict.PASS, [])


def test_answers_spread_at_every_level(bundled: dict[str, Brief], compiled: Callable[[Brief], Compiled]) -> None:
    for name in CONTEST:
        levels = compiled(bundled[name]).explanation.levels
        assert [figures.level for figures in levels] == [1, 2, 3, 4, 5]
        assert all(figures.top_share <= 0.3 and figures.distinct_answers >= 10 for figures in levels)
        assert all(figures.longest_prompt < 3_000 for figures in levels)
    rare = compiled(OTHERS["a rare yes"])
    assert all(figures.top_share <= 0.7 for figures in rare.explanation.levels)
    assert rare.explanation.mix[-1].endswith("balanced")


def test_a_prompt_holds_rules_instance_and_answer_format_but_no_delimited_answer(
    bundled: dict[str, Brief], compiled: Callable[[Brief], Compiled], sandbox: Sandbox
) -> None:
    folder = compiled(bundled["limping_hand"]).folder
    payload = {"m": 12, "p": 5, "q": 3, "d": 2, "k": 9}
    case = Case("limping_hand", 1, 0, folder.card.difficulty.params(1), payload)
    with sandbox.box(folder.sources) as box:
        prompt, right, wrong = box.batch(
            [
                Call(Op.PROMPT, {"case": case_to_json(case)}),
                Call(Op.SCORE, {"case": case_to_json(case), "response": "<answer>1</answer>"}),
                Call(Op.SCORE, {"case": case_to_json(case), "response": "<answer>4</answer>"}),
            ]
        )
    assert isinstance(prompt.value, str)
    assert "it moves on by $p$ marks" in prompt.value and "```\n1\n12 5 3 2 9\n```" in prompt.value
    assert "so t = 1" in prompt.value and f"between {OPEN} and {CLOSE}" in prompt.value
    scores = [answer.value["value"] for answer in (right, wrong) if isinstance(answer.value, dict)]
    assert scores == [1.0, 0.0]


@pytest.mark.parametrize("name", ["tents_beside_trees", "watchful_towers"])
def test_a_plain_rule_description_is_left_to_a_model(name: str, bundled: dict[str, Brief], run: ProgramRunner) -> None:
    made = compile_brief(bundled[name], run)
    assert isinstance(made, Refusal)
    assert made.stage is Stage.READ and "needs a model" in made.reason


_COMPILE = """
import sys
from pathlib import Path
from authoring.compiler import compile_brief, program_runner
from authoring.sources import read_briefs
from sandbox.service import Sandbox, SandboxSettings

with Sandbox(SandboxSettings()) as sandbox, program_runner(sandbox) as run:
    for brief in read_briefs(Path(sys.argv[1])).briefs:
        made = compile_brief(brief, run)
        print(brief.id, made.folder.content_hash)
"""


def test_the_same_brief_compiles_to_the_same_bytes_in_another_process_and_hash_order(
    bundled: dict[str, Brief], compiled: Callable[[Brief], Compiled]
) -> None:
    name = "pebble_scale"
    here = compiled(bundled[name]).folder.content_hash
    for seed in ("1", "77"):
        done = subprocess.run(
            [sys.executable, "-c", _COMPILE, str(ROOT / "examples" / "briefs" / f"{name}.md")],
            env={**os.environ, "PYTHONHASHSEED": seed},
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=True,
        )
        assert done.stdout.split() == [name, here]
