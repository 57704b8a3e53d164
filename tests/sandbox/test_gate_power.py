"""Whether the gate finds faults: every bestiary task is caught, no sound task is accused. Prints the table.

The gate runs on every task in the real sandbox, two at a time; the broken ones with a tiny plan first, and a small one
where that misses something, to save time: what a smaller plan catches, the full one catches too. Sound tasks get the
full plan, for that is where false alarms matter.
What the audit adds without a model runs on all sound tasks, and on the broken ones whose ``expected.toml`` says
``tier = "audit"``: those the gate must *not* catch, or they would show nothing about the audit.
"""

from __future__ import annotations

import tomllib
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from bootcamp_kit.folder import TaskFolder
from bootcamp_kit.report import Report, Severity, Status
from sandbox.audit.adversary.search import AdversaryPlan
from sandbox.audit.audit import deepen
from sandbox.audit.mutation import MutationPlan
from sandbox.audit.plan import AuditPlan
from sandbox.audit.truth import TruthPlan
from sandbox.checks.evidence import Evidence
from sandbox.plan import GatePlan
from sandbox.replay import find, replay, reproduce_command
from sandbox.runner import run_gate
from sandbox.service import Sandbox

TESTS = Path(__file__).parents[1]
BROKEN = sorted(path.parent.name for path in (TESTS / "bestiary").glob("*/expected.toml"))
SOUND = sorted(path.parent.name for path in (TESTS / "sound_tasks").glob("*/card.toml"))
TINY = GatePlan(
    cases_per_level=6,
    screen_cases=2,
    second_container_cases=2,
    near_miss_cases=2,
    other_seeds=12,
    still_right_cases=1,
    perturbed_cases=1,
    property_examples=8,
    response_examples=12,
    stable_examples=6,
    huge=30_000,
)
SMALL = GatePlan(
    cases_per_level=14,
    screen_cases=4,
    second_container_cases=5,
    near_miss_cases=3,
    still_right_cases=1,
    property_examples=25,
    response_examples=30,
    huge=30_000,
)
QUICK = AuditPlan(
    mutation=MutationPlan(mutants=0),
    truth=TruthPlan(listed_cases=3, listed_answers=800, opinions=500),
    adversary=AdversaryPlan(calls=1_200, seconds=300.0),
)
pytestmark = [pytest.mark.docker, pytest.mark.timeout(1_200)]  # the first test waits for all gates


@dataclass(frozen=True)
class Power:
    """All reports, by task name; ``gate_alone`` holds what the gate says to tasks that only the audit catches."""

    broken: dict[str, Report]
    sound: dict[str, Report]
    gate_alone: dict[str, Report]


def expected(name: str) -> dict[str, Any]:
    return tomllib.loads((TESTS / "bestiary" / name / "expected.toml").read_text())


def wanted(name: str) -> set[str]:
    return set(expected(name)["must_find"])


def found(report: Report) -> set[str]:
    return {finding.code for finding in report.findings}


def alarms(report: Report) -> list[str]:
    return [f"{item.code}: {item.message}" for item in report.findings if item.severity is not Severity.NOTE]


AUDITED = [name for name in BROKEN if expected(name).get("tier") == "audit"]


@pytest.fixture(scope="module")
def power(sandbox: Sandbox) -> Power:
    alone: dict[str, Report] = {}

    def gate(place: str, name: str, plan: GatePlan) -> tuple[Report, Evidence]:
        kept: list[Evidence] = []
        report = run_gate(sandbox, TaskFolder.read(TESTS / place / name), plan=plan, keep=kept.append)
        return report, kept[0]

    def broken_task(name: str) -> Report:
        if name in AUDITED:
            alone[name], evidence = gate("bestiary", name, SMALL)
            return deepen(sandbox, evidence, alone[name], QUICK).report
        report, _ = gate("bestiary", name, TINY)
        return report if wanted(name) <= found(report) else gate("bestiary", name, SMALL)[0]

    def sound_task(name: str) -> Report:
        report, evidence = gate("sound_tasks", name, GatePlan())
        return deepen(sandbox, evidence, report, QUICK).report

    with ThreadPoolExecutor(2) as pool:
        broken = {name: pool.submit(broken_task, name) for name in BROKEN}
        sound = {name: pool.submit(sound_task, name) for name in SOUND}
        return Power(
            {name: future.result() for name, future in broken.items()},
            {name: future.result() for name, future in sound.items()},
            alone,
        )


@pytest.mark.parametrize("name", AUDITED)
def test_what_only_the_audit_catches_passes_the_gate(power: Power, name: str) -> None:
    assert alarms(power.gate_alone[name]) == []


@pytest.mark.parametrize("name", BROKEN)
def test_every_broken_task_is_caught(power: Power, name: str) -> None:
    report = power.broken[name]
    assert wanted(name) <= found(report), f"found only {sorted(found(report))}"
    heaviest = max(item.severity.rank for item in report.findings if item.code in wanted(name))
    assert heaviest >= Severity.MAJOR.rank, "it must not pass the gate as a trifle"


@pytest.mark.parametrize("name", SOUND)
def test_no_sound_task_is_accused(power: Power, name: str) -> None:
    report = power.sound[name]
    assert alarms(report) == []
    assert report.verdict.value == "pass"
    assert not [result for result in report.results if result.status is Status.ERROR]


def test_the_table_is_printed(power: Power, capsys: pytest.CaptureFixture[str]) -> None:
    caught = {name: wanted(name) <= found(report) for name, report in power.broken.items()}
    lines = ["", f"{'broken task':26} caught  by"]
    for name, report in power.broken.items():
        heavy = sorted({item.code for item in report.findings if item.severity.rank >= Severity.MAJOR.rank})
        lines.append(f"{name:26} {'yes' if caught[name] else 'NO':6}  {', '.join(heavy)}")
    accused = [name for name, report in power.sound.items() if alarms(report)]
    seconds = sorted(report.seconds["all"] for report in power.sound.values())
    lines.append(
        f"caught {sum(caught.values())} of {len(caught)}; false alarms in {len(accused)} of {len(power.sound)}"
    )
    lines.append(
        f"seconds for a full gate, two at a time: median {seconds[len(seconds) // 2]:.1f}, most {seconds[-1]:.1f}"
    )
    with capsys.disabled():
        print("\n".join(lines))
    assert all(caught.values())
    assert accused == []


REPLAYED = {
    "superscript_crashes": "contract.score_crash",
    "set_order": "determinism.payload",
    "hash_in_prompt": "determinism.prompt",
    "answer_is_executed": "static.executes_text",
    "top_level_crashes": "contract.generate_crash",
    "oracle_wrong_sometimes": "oracle.not_one",
    "zero_wraps_round": "near_miss.accepted",
    "prompt_too_long": "prompt.too_long",
    "example_contradicts": "examples.accept",
    "counts_its_calls": "properties.stable",
    "axis_unused": "generator.unused_axis",
    "nearly_always_no": "floor.answer_wins",
    "oracle_suboptimal": "truth.oracle_suboptimal",
    "two_answers_one_declared": "truth.not_unique",
    "long_answers_pass": "adversary.wrong_accepted",
}


@pytest.mark.parametrize("name", REPLAYED)
def test_a_finding_is_replayed_from_its_witness(sandbox: Sandbox, power: Power, name: str) -> None:
    folder, report = TaskFolder.read(TESTS / "bestiary" / name), power.broken[name]
    finding = next(item for item in report.findings if item.code == REPLAYED[name])
    assert find(report.findings, finding.id) is finding
    result = replay(sandbox, folder, finding)
    assert result.reproduced, result.steps
    assert {"expected", "seen"} <= {label for label, _ in result.steps}
    assert reproduce_command("a folder", finding) == f"bootcamp check 'a folder' --replay {finding.id}"
