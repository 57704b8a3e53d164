"""Problems written for this: sound ones become tasks that the audit certifies, each trap is refused where it should.

The reading of all of them is tested always; compiling and auditing all of them takes the better part of an hour, so
that part runs only with ``BOOTCAMP_COMPILER_CORPUS=1``.
"""

from __future__ import annotations

import os
import tomllib
from pathlib import Path

import pytest

from authoring.compiler import Compiled, Refusal, compile_brief, program_runner
from authoring.compiler.compile import understand
from authoring.compiler.outcome import Refused
from authoring.sources.read import read_briefs
from bootcamp_kit.brief import Brief
from bootcamp_kit.report import Verdict
from sandbox.audit.audit import run_audit
from sandbox.compiled.programs import compiled_runner
from sandbox.service import Sandbox

CORPUS = Path(__file__).parent / "corpus"
EXPECTED = tomllib.loads((CORPUS / "expected.toml").read_text("utf-8"))
SOUND = {brief.id: brief for brief in read_briefs(CORPUS / "sound").briefs}
TRAPS = {brief.id: brief for brief in read_briefs(CORPUS / "traps").briefs}
A_FEW = ("wrong_solution", "always_four", "running_total", "painted_benches")
whole = pytest.mark.skipif(
    not os.environ.get("BOOTCAMP_COMPILER_CORPUS"), reason="takes long: set BOOTCAMP_COMPILER_CORPUS=1"
)


def _refusal(brief: Brief) -> Refusal:
    with pytest.raises(Refused) as refused:
        understand(brief)
    return refused.value.refusal


def test_every_trap_is_listed() -> None:
    assert set(TRAPS) == set(EXPECTED)
    assert len(SOUND) + len(TRAPS) >= 40


@pytest.mark.parametrize("name", sorted(SOUND))
def test_a_sound_problem_is_understood(name: str) -> None:
    understood = understand(SOUND[name])
    assert understood.payloads


@pytest.mark.parametrize("name", sorted(name for name, expected in EXPECTED.items() if not expected["runs"]))
def test_a_trap_is_refused_on_reading(name: str) -> None:
    refusal = _refusal(TRAPS[name])
    assert refusal.stage.value == EXPECTED[name]["stage"], refusal
    assert EXPECTED[name]["words"] in refusal.reason


@pytest.mark.docker
@pytest.mark.parametrize("name", A_FEW)
def test_a_trap_is_refused_by_what_runs(sandbox: Sandbox, name: str) -> None:
    _refused_after_running(sandbox, name)


@pytest.mark.docker
def test_a_text_that_fails_as_python_2_is_python_3(sandbox: Sandbox) -> None:
    """``input()`` of a word: read as Python 2 it would be evaluated, and fails; that is no disagreement."""
    with program_runner(sandbox) as run:
        made = compile_brief(SOUND["run_product"], run)
    assert isinstance(made, Compiled), made


@whole
@pytest.mark.docker
@pytest.mark.timeout(600)
@pytest.mark.parametrize("name", sorted(name for name, expected in EXPECTED.items() if expected["runs"]))
def test_every_trap_is_refused(sandbox: Sandbox, name: str) -> None:
    _refused_after_running(sandbox, name)


@whole
@pytest.mark.docker
@pytest.mark.timeout(600)
@pytest.mark.parametrize("name", sorted(SOUND))
def test_a_sound_problem_is_certified(sandbox: Sandbox, name: str) -> None:
    with program_runner(sandbox) as run, compiled_runner(sandbox) as run_compiled:
        made = compile_brief(SOUND[name], run, run_compiled)
    assert isinstance(made, Compiled), made
    report = run_audit(sandbox, made.folder).report
    assert report.verdict is Verdict.PASS, [finding.message for finding in report.findings]


def _refused_after_running(sandbox: Sandbox, name: str) -> None:
    with program_runner(sandbox) as run, compiled_runner(sandbox) as run_compiled:
        made = compile_brief(TRAPS[name], run, run_compiled)
    assert isinstance(made, Refusal), made
    assert made.stage.value == EXPECTED[name]["stage"], made
    assert EXPECTED[name]["words"] in made.reason
