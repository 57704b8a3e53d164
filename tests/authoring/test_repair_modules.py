"""A task of several modules, as the compiler makes them, is shown whole to the model that repairs it."""

from __future__ import annotations

import pytest

from authoring.outcomes import OutcomeKind
from authoring.workflow import repair_all
from bootcamp_kit.candidate import Candidate, Lineage
from bootcamp_kit.decision import RepairOrder
from bootcamp_kit.errors import UsageError
from bootcamp_kit.folder import TaskFolder
from bootcamp_kit.report import Finding, Severity, Witness
from chat_models.scripted import ScriptedModel
from tests.authoring.conftest import MakeContext
from tests.authoring.parts import Queue, draft_folder, make_brief

SOLVER = "def solve(text):\n    return 1\n"
FINDING = Finding("report.example", Severity.MAJOR, "it is wrong", Witness("score", 1, 0, "<answer>2</answer>"))


def an_order(number: int = 1) -> RepairOrder:
    folder = TaskFolder({**draft_folder().files, "solver.py": SOLVER.encode()})
    brief = make_brief(number)
    return RepairOrder(brief, Candidate(folder, Lineage("compiler/1", brief.hash)), (FINDING,), "")


async def test_a_further_module_is_shown_and_may_be_changed(make_context: MakeContext, queue: Queue) -> None:
    mended = SOLVER.replace("1", "2")
    model = ScriptedModel([f"=== FILE solver.py ===\n{mended}=== END FILE ===\n"])
    (outcome,) = (await repair_all([an_order()], make_context(model=model))).outcomes
    assert outcome.kind is OutcomeKind.QUEUED, outcome.reason
    assert "=== FILE solver.py ===\ndef solve" in model.requests[0].messages[1].text
    assert queue.submissions[outcome.content_hash].candidate.folder.files["solver.py"] == mended.encode()


async def test_a_module_that_is_not_there_is_not_added(make_context: MakeContext) -> None:
    model = ScriptedModel(["=== FILE helper.py ===\nX = 1\n=== END FILE ===\n"] * 3)
    (outcome,) = (await repair_all([an_order()], make_context(model=model, repairs=1))).outcomes
    assert outcome.kind is OutcomeKind.EXHAUSTED
    assert "was not asked for" in outcome.reason


async def test_two_orders_about_one_task_are_refused(make_context: MakeContext) -> None:
    with pytest.raises(UsageError, match="named twice"):
        await repair_all([an_order(), an_order()], make_context())
