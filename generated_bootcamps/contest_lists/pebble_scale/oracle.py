"""Pebbles in a tube: the reference solution itself, run as the program it came as. For the sandbox only."""

from __future__ import annotations

from bootcamp_kit.case import Case
from bootcamp_kit.contract import Oracle
from bootcamp_kit.stdio_program import run_program

from .instances import render


class Reference(Oracle):
    """Runs ``reference.py`` on the case's input."""

    def solve(self, case: Case) -> str:
        """What the program prints, as an answer."""
        source = __loader__.get_data("reference.py").decode()
        program = compile(source, "reference.py", "exec", dont_inherit=True)
        return f"<answer>{run_program(program, render(case.payload)).strip()}</answer>"


ORACLE = Reference()
