"""The workflow with the real gate in the real sandbox: the worked example holds, a real hole is found and mended."""

from __future__ import annotations

import pytest

from authoring.outcomes import OutcomeKind
from authoring.workflow import author
from bootcamp_kit.folder import TaskFolder
from bootcamp_kit.report import Report, Verdict
from chat_models.scripted import ScriptedModel
from sandbox.runner import run_gate
from sandbox.service import Sandbox
from tests.authoring.conftest import MakeContext
from tests.authoring.parts import Queue, make_brief, reply_with

pytestmark = pytest.mark.docker
CHECK = """        if len(set(answer)) != len(answer):
            return Score.wrong("a crate is named twice")
"""


async def test_a_hole_in_the_verifier_is_found_told_and_mended(
    sandbox: Sandbox, make_context: MakeContext, queue: Queue
) -> None:
    """The first draft forgets that no crate may be named twice; the second is the worked example of the prompt."""

    def gate(folder: TaskFolder) -> Report:
        return run_gate(sandbox, folder)

    good = reply_with()
    assert CHECK in good
    model = ScriptedModel([good.replace(CHECK, ""), good])
    context = make_context(model=model, gate=gate)
    (outcome,) = (await author([make_brief()], context)).outcomes
    assert (outcome.kind, outcome.turns) == (OutcomeKind.QUEUED, 2), outcome.reason
    report = queue.submissions[outcome.content_hash].report
    assert report.verdict is Verdict.PASS
    told = model.requests[1].messages[1].text
    assert "[blocker]" in told
    assert "names a crate twice" in told
