"""The wire servers; one task with a hole, measured once."""

from __future__ import annotations

from pathlib import Path

import pytest

from bootcamp_kit.folder import TaskFolder
from sandbox.checks.evidence import Evidence
from sandbox.plan import GatePlan
from sandbox.runner import run_gate
from sandbox.service import Sandbox
from tests.wire_servers.fixtures import openai_server

__all__ = ["openai_server"]
FEW = GatePlan(
    cases_per_level=4, screen_cases=2, second_container_cases=2, near_miss_cases=1, still_right_cases=1,
    other_seeds=4, property_examples=5, response_examples=10, stable_examples=5, huge=1_000, huge_garbage_cases=1,
)  # fmt: skip


@pytest.fixture(scope="session")
def waved_through(sandbox: Sandbox) -> Evidence:
    """Numbers are to be sorted; an answer that is far too long counts as right. One answer is right, says the card."""
    kept: list[Evidence] = []
    folder = TaskFolder.read(Path(__file__).parents[2] / "bestiary" / "long_answers_pass")
    run_gate(sandbox, folder, plan=FEW, keep=kept.append)
    return kept[0]
