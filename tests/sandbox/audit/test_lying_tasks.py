"""Tasks that lie, crash, hang or return what is no data: each ends in a report with a reason, audited to the end."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path

import pytest

from bootcamp_kit.folder import TaskFolder
from bootcamp_kit.report import Status, Verdict
from sandbox.audit.adversary.search import AdversaryPlan
from sandbox.audit.audit import run_audit
from sandbox.audit.certificate import certificate
from sandbox.audit.mutation import MutationPlan
from sandbox.audit.page import page
from sandbox.audit.plan import AuditPlan
from sandbox.audit.summary import lines
from sandbox.audit.truth import TruthPlan
from sandbox.plan import GatePlan
from sandbox.service import Sandbox

pytestmark = [
    pytest.mark.docker,
    pytest.mark.skipif(not os.environ.get("BOOTCAMP_LYING_TASKS"), reason="takes a minute: set BOOTCAMP_LYING_TASKS=1"),
]
TASK = TaskFolder.read(Path(__file__).parents[2] / "sound_tasks" / "digit_total")
TINY = AuditPlan(
    GatePlan(
        cases_per_level=4, screen_cases=2, second_container_cases=2, near_miss_cases=1, still_right_cases=1,
        other_seeds=4, perturbed_cases=1, property_examples=4, response_examples=6, stable_examples=4,
        calls_after_failure=10, huge=1_000, huge_garbage_cases=1,
    ),
    MutationPlan(mutants=6, questions=60, wider=60),
    TruthPlan(listed_cases=1, listed_answers=60),
    AdversaryPlan(calls=120, seconds=60.0),
)  # fmt: skip
BODY = TASK.files["bootcamp.py"].decode()
GENERATE = BODY[BODY.index("    def generate") : BODY.index("    def prompt")]
PAYLOADS = {
    "a generator": "return (n for n in range(3))",
    "a set": 'return {"numbers": {1, 2}}',
    "a tuple": 'return {"numbers": (1, 2)}',
    "not a number": 'return {"x": float("nan")}',
    "an object": 'return {"x": object()}',
    "holds itself": "found = []; found.append(found); return found",
    "a million elements": "return list(range(1_000_000))",
    "too deep": "found = []\n        for _ in range(100_000):\n            found = [found]\n        return found",
    "a huge number": 'return {"x": 10**6_000}',
    "a lonely surrogate": 'return {"x": "\\ud800"}',
    "nothing left": 'return {"x": "a" * 10**9 * 10}',
    "the process gone": "import sys; sys.exit(0)",
    "no end": "while True: pass",
    "no random": "return {}",
}


def changed(old: str, new: str, file: str = "bootcamp.py") -> TaskFolder:
    text = TASK.files[file].decode()
    assert old in text
    return replace(TASK, files={**TASK.files, file: text.replace(old, new, 1).encode()})


def told(sandbox: Sandbox, folder: TaskFolder) -> set[str]:
    """The codes found; everything that follows an audit works on it, whatever it is."""
    card = folder.files["card.toml"] + b"\n[limits]\nseconds_per_call = 0.5\nmemory_mb = 128\n"
    audit = run_audit(sandbox, replace(folder, files={**folder.files, "card.toml": card}), plan=TINY)
    made = certificate(audit, "lies")
    assert json.loads(json.dumps(made))["verdict"] == audit.report.verdict.value
    assert "</html>" in page(made) and lines(made)
    assert not [result for result in audit.report.results if result.status is Status.ERROR]
    assert all(result.reason for result in audit.report.results if result.status is Status.SKIP)
    assert audit.report.verdict is Verdict.FAIL
    return {finding.code for finding in audit.report.findings}


@pytest.mark.parametrize("name", PAYLOADS)
def test_a_payload_that_is_no_data_is_a_finding(sandbox: Sandbox, name: str) -> None:
    made = "    def generate(self, rng: random.Random, params: Params) -> Payload:\n        " + PAYLOADS[name] + "\n\n"
    codes = told(sandbox, changed(GENERATE, made))
    assert any(code.startswith(("contract.", "generator.")) for code in codes), codes


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (
            "class Task(Bootcamp):\n",
            "class Task(Bootcamp):\n    def __init__(self) -> None:\n        raise OSError(5)\n\n",
        ),
        ("import random\n", "import random\n\nimport numpy\n"),
        ("BOOTCAMP = Task()", 'BOOTCAMP = Task(open("words.txt").read())'),
        ("BOOTCAMP = Task()", "BOOTCAMP = Task"),
        ("BOOTCAMP = Task()", "BOOTCAMP = Task()\nraise SystemExit(0)"),
    ],
    ids=["raises in __init__", "a missing package", "a missing file", "a class", "leaves at import"],
)
def test_a_task_that_does_not_load_is_a_finding(sandbox: Sandbox, old: str, new: str) -> None:
    assert any(code.startswith("contract.load_") for code in told(sandbox, changed(old, new)))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('kind = "integer"', 'kind = "choice"\nchoices = ["yes", "no"]'),
        ('example = "<answer>31</answer>"', 'example = "<answer>seven</answer>"'),
        ('"trailing_period"]', '"trailing_period", "thousands_and_more"]'),
        ("sha256", "sha265"),
        ("[difficulty.axes]", "[difficulty.axes]\ncolour = [1, 2, 3]"),
    ],
    ids=["another kind", "another form", "an unknown rewrite", "an unknown key", "axes of different lengths"],
)
def test_a_card_that_lies_is_audited_to_the_end(sandbox: Sandbox, old: str, new: str) -> None:
    folder = changed(old, new, "card.toml")
    card = folder.files["card.toml"] + b"\n[limits]\nseconds_per_call = 2.0\n"
    audit = run_audit(sandbox, replace(folder, files={**folder.files, "card.toml": card}), plan=TINY)
    assert [item for item in audit.report.findings if item.severity.rank > 0] or audit.report.verdict is Verdict.FAIL
    assert "</html>" in page(certificate(audit, "lies"))
