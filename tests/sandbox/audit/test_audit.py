"""The audit in the real sandbox: what it measures, what it finds, and that it measures the same twice."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from bootcamp_kit.folder import TaskFolder
from bootcamp_kit.report import Report, Status, to_json
from sandbox.audit.adversary.search import AdversaryPlan
from sandbox.audit.audit import Audit, run_audit
from sandbox.audit.certificate import certificate
from sandbox.audit.mutation import MutationPlan, all_edits, diff
from sandbox.audit.page import page
from sandbox.audit.plan import AuditPlan
from sandbox.audit.sarif import sarif
from sandbox.audit.summary import lines
from sandbox.audit.truth import TruthPlan
from sandbox.plan import GatePlan
from sandbox.service import Sandbox

TESTS = Path(__file__).parents[2]
SMALL = AuditPlan(
    GatePlan(
        cases_per_level=14,
        screen_cases=4,
        second_container_cases=5,
        near_miss_cases=8,
        still_right_cases=3,
        property_examples=25,
        response_examples=30,
        stable_examples=10,
        huge=30_000,
    ),
    MutationPlan(mutants=60, questions=800, wider=800),
    TruthPlan(listed_cases=2, listed_answers=300),
    AdversaryPlan(calls=600, seconds=300.0),
)
pytestmark = pytest.mark.docker


def task(place: str) -> TaskFolder:
    return TaskFolder.read(TESTS / place)


@pytest.fixture(scope="module")
def coins(sandbox: Sandbox) -> Audit:
    return run_audit(sandbox, task("sound_tasks/fewest_coins"), plan=SMALL)


def test_most_careless_verifiers_are_noticed_and_the_rest_is_told_apart(coins: Audit) -> None:
    run = coins.mutation
    assert not run.fault and len(run.mutants) == 49
    assert run.count("killed") >= 30
    survivors = {(item.edit.operator, item.edit.line) for item in run.mutants if item.status == "surviving"}
    assert ("drop a check", 33) in survivors  # a coin that does not exist, with the right sum and count
    same = {item.edit.text for item in run.mutants if item.status == "not distinguished"}
    assert "(len(answer) <= best[amount])" in same  # equivalent: nothing sums up with fewer coins


def test_a_survivor_is_a_note_with_the_answer_that_would_show_it(coins: Audit) -> None:
    found = [item for item in coins.report.findings if item.code == "mutation.survivor"]
    assert found and all(item.severity.value == "note" for item in found)
    assert found[0].witness is not None and found[0].witness.response
    assert "--- a/bootcamp.py" in found[0].hint and "add an example" in found[0].hint
    assert len({item.id for item in found}) == len(found)


def test_the_same_audit_twice_gives_the_same_bytes_but_for_the_run(coins: Audit, sandbox: Sandbox) -> None:
    again = run_audit(sandbox, coins.folder, plan=SMALL)
    first, second = (certificate(item, "coins") for item in (coins, again))
    assert {**first, "run": 0} == {**second, "run": 0}
    assert first["hash"] == second["hash"]
    assert coins.report.hash == again.report.hash


def test_the_certificate_names_the_worst_class_with_its_n_and_bound(coins: Audit) -> None:
    made = json.loads(json.dumps(certificate(coins, "coins")))
    assert made["schema"] == 2 and made["verdict"] == "pass"
    assert set(made["levels"]) == {"1", "2", "3", "4", "5"}
    for measured in (made["all_levels"], *made["levels"].values()):
        for name in ("false_accept", "false_reject"):
            worst = measured[name]["worst"]
            assert worst["hits"] == 0 and worst["n"] > 0 and 0 < worst["below"] <= 1
            assert worst["classes"] == len(measured[name]["by_class"])
        assert measured["distinct"]["birthday"] <= measured["distinct"]["n"] ** 2
    assert made["all_levels"]["rates"]["j"] == 1.0
    assert made["determinism"]["payloads"]["hits"] == 0
    assert lines(made)[0][0] == "wrong answers accepted"


def test_the_report_of_an_audit_reads_back(coins: Audit) -> None:
    assert Report.from_json(to_json(coins.report)) == coins.report
    assert coins.report.tier == "audit"


def test_a_verifier_that_never_fails_has_no_mutation_score_to_be_proud_of(sandbox: Sandbox) -> None:
    measured = run_audit(sandbox, task("bestiary/length_unchecked"), plan=SMALL)
    made = certificate(measured, "length")
    assert made["verdict"] == "fail"
    worst = made["all_levels"]["false_accept"]["worst"]
    assert worst["hits"] > 0 and made["all_levels"]["rates"]["j"] < 1


def test_a_task_that_does_not_load_has_a_certificate_that_says_so(sandbox: Sandbox) -> None:
    folder = task("sound_tasks/fewest_coins")
    broken = replace(folder, files={**folder.files, "bootcamp.py": b"import nothing_of_this_name\n"})
    made = certificate(run_audit(sandbox, broken, plan=SMALL))
    assert made["verdict"] == "fail"
    assert made["mutation"] == {"skipped": "no response of the oracle scores 1"}
    assert any(item["status"] == Status.SKIP for item in made["not_measured"])
    assert "<h2>Not measured</h2>" in page(made)


def test_the_page_is_one_file_without_scripts_or_addresses(coins: Audit) -> None:
    text = page(certificate(coins, "coins<script>"))
    assert text.count("<svg") >= 4 and "</html>" in text
    assert "<script" not in text and "http" not in text


def test_findings_in_sarif_have_a_place_and_a_command(coins: Audit) -> None:
    made = sarif([("tests/coins", coins.report.findings)])
    results = made["runs"][0]["results"]
    assert made["version"] == "2.1.0" and len(results) == len(coins.report.findings)
    assert all(item["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for item in results)
    assert all("--replay F-" in item["message"]["text"] for item in results)


def test_a_diff_shows_the_task_s_own_lines() -> None:
    folder = task("sound_tasks/fewest_coins")
    edit = next(item for item in all_edits(folder) if item.operator == "drop a check")
    assert "+        if False:" in diff(folder, edit)
