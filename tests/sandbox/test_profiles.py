"""Library profiles: chosen by the card, built from pinned wheels, preloaded before any job."""

from __future__ import annotations

from pathlib import Path

import pytest

from bootcamp_kit.errors import MachineError, UsageError
from sandbox.backends import profile_of
from sandbox.calls import JobOutcome
from sandbox.image.build import content_of
from sandbox.image.libraries import find_profile, known_profiles
from sandbox.limits import JobLimits
from sandbox.service import Sandbox
from tests.sandbox.adding_task import program

CARD = (Path(__file__).parents[1] / "sound_tasks" / "weights_to_target" / "card.toml").read_bytes()
USES = """
import sys
loaded = {"numpy", "networkx", "sympy"} <= set(sys.modules)
import numpy, networkx, sympy
x = sympy.Symbol('x')
print(numpy.arange(4).sum(), networkx.path_graph(3).number_of_edges(), sympy.expand((x + 1) ** 2), loaded)
"""

SOLVES = """
import sys
loaded = {"z3", "ortools.sat.python.cp_model"} <= set(sys.modules)
import z3
from ortools.sat.python import cp_model
x, y = z3.Ints("x y")
solver = z3.Solver()
solver.add(x + y == 7, x * y == 12, x < y)
print(solver.check(), solver.model()[x], solver.model()[y])
model = cp_model.CpModel()
a, b = model.new_int_var(0, 9, "a"), model.new_int_var(0, 9, "b")
model.add(a + b == 7)
model.add(a - b == 1)
solver = cp_model.CpSolver()
print(solver.solve(model) == cp_model.OPTIMAL, solver.value(a), solver.value(b), loaded)
"""


def test_the_card_chooses() -> None:
    assert profile_of({}) == profile_of({"card.toml": CARD}) == profile_of({"card.toml": b"no"}) == "plain"
    assert profile_of({"card.toml": CARD + b'\n[limits]\nprofile = "numerical"\n'}) == "numerical"


def test_a_profile_that_does_not_exist_is_refused_by_name() -> None:
    with pytest.raises(UsageError, match="does not exist") as caught:
        find_profile("quantum")
    assert "plain or numerical or solver" in str(caught.value)
    assert known_profiles() == ("plain", "numerical", "solver")


@pytest.mark.parametrize("name", ["numerical", "solver"])
def test_every_pin_has_hashes_and_no_address(name: str) -> None:
    lock = find_profile(name).lock
    pins = [line for line in lock.splitlines() if "==" in line]
    assert len(pins) >= 4 and all(line.endswith("\\") for line in pins)
    assert "://" not in lock and lock.count("--hash=sha256:") >= len(pins)


def test_each_profile_is_another_image_and_the_plain_one_is_the_base() -> None:
    plain, numerical = content_of("plain"), content_of("numerical")
    assert plain.digest != numerical.digest and plain.base_digest == numerical.base_digest
    assert plain.packages_digest == plain.base_digest != numerical.packages_digest


@pytest.mark.docker
def test_a_task_of_the_numerical_profile_finds_its_libraries_loaded(sandbox: Sandbox) -> None:
    files = {"card.toml": CARD + b'\n[limits]\nprofile = "numerical"\n'}
    try:
        box = sandbox.box(files, JobLimits(wall_s=100))
    except MachineError as error:
        pytest.skip(f"no wheels: {error}")
    with box:
        seen = box.fresh(program(USES))
        assert seen.value == {"stdout": "6 2 x**2 + 2*x + 1 True\n"}, seen
        leave = program("import numpy\nnumpy.random.seed(1)\nnumpy.pi = 3\nprint(numpy.random.rand())")
        look = program("import numpy\nprint(numpy.pi > 3.1, numpy.random.rand())")
        assert box.fresh(leave).ok
        first, second = box.fresh(look).value, box.fresh(look).value
        assert first is not None and first["stdout"].startswith("True ")
        assert second is not None
        solve = "import numpy as n\na = n.random.rand(200, 200)\nprint(n.allclose(n.linalg.inv(a) @ a, n.eye(200)))"
        assert box.fresh(program(solve)).value == {"stdout": "True\n"}
    environment = sandbox.environment_of("numerical")
    assert environment.image_digest != sandbox.environment.image_digest


@pytest.mark.docker
def test_a_task_of_the_solver_profile_finds_both_solvers_loaded(sandbox: Sandbox) -> None:
    try:
        box = sandbox.box({}, JobLimits(wall_s=100), profile="solver")
    except MachineError as error:
        pytest.skip(f"no wheels: {error}")
    with box:
        seen = box.fresh(program(SOLVES))
        assert seen.value == {"stdout": "sat 3 4\nTrue 4 3 True\n"}, seen


@pytest.mark.docker
def test_the_plain_profile_has_none_of_them(sandbox: Sandbox) -> None:
    with sandbox.box({}) as box:
        seen = box.fresh(program("import numpy"))
    assert seen.outcome is JobOutcome.EXCEPTION and "No module named 'numpy'" in seen.error
    with pytest.raises(UsageError, match="does not exist"):
        sandbox.box({}, profile="quantum")
