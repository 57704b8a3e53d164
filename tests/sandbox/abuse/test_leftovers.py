"""Nothing of one job is in the next: globals, files, environment, generators, memory."""

from __future__ import annotations

import pytest

from tests.sandbox.abuse.conftest import Fort
from tests.sandbox.adding_task import program

pytestmark = pytest.mark.docker
LEAVE = """
import builtins, json, math, os, random, sys
sys.marks = [1]
builtins.mark = 1
math.pi = 3
json.loads = None
os.environ['MARK'] = '1'
os.umask(0o777)
random.seed(1)
try: os.chdir('/tmp')
except OSError: pass
print('left')
"""
LOOK = """
import builtins, json, math, os, sys
print(hasattr(sys, 'marks'), hasattr(builtins, 'mark'), math.pi > 3.1, json.loads('1'), 'MARK' in os.environ)
print(os.umask(0), os.getcwd(), sorted(os.listdir('/tmp')))
"""


def test_a_job_leaves_nothing(fort: Fort) -> None:
    before = fort.box.fresh(program(LOOK)).value
    assert before is not None and before["stdout"].startswith("False False True 1 False\n")
    for _ in range(3):
        assert fort.box.fresh(program(LEAVE)).value == {"stdout": "left\n"}
        assert fort.box.fresh(program(LOOK)).value == before


def test_the_global_generator_differs_between_processes(fort: Fort) -> None:
    """Otherwise forks of one zygote would agree and hide a task that uses it."""
    values = {str(fort.box.fresh(program("import random; print(random.random())")).value) for _ in range(4)}
    assert len(values) == 4


def test_every_job_is_another_user(fort: Fort) -> None:
    values = {str(fort.box.fresh(program("import os; print(os.getuid(), os.getgid())")).value) for _ in range(4)}
    assert len(values) == 4
