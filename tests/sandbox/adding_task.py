"""A sound task that adds two numbers, a place in it for hostile code, and calls on it."""

from __future__ import annotations

from sandbox.calls import Call, Op

BOOTCAMP = """
from bootcamp_kit import answers
from bootcamp_kit.case import Outcome, Score
from bootcamp_kit.contract import Bootcamp

class Sum(Bootcamp):
    def generate(self, rng, params):
        return {"a": rng.randrange(params["top"]), "b": rng.randrange(params["top"])}
    def prompt(self, case):
        return f"What is {case.payload['a']} + {case.payload['b']}?"
    def parse(self, response):
        return answers.integer(answers.last_answer(response))
    def verify(self, case, answer):
        right = case.payload["a"] + case.payload["b"]
        return Score.correct() if answer == right else Score.wrong(f"it is {right}")

class Task(Sum):
    pass
    #BODY#

BOOTCAMP = Task()
"""
ORACLE = """
from bootcamp_kit.contract import Oracle

class Adder(Oracle):
    def solve(self, case):
        return f"<answer>{case.payload['a'] + case.payload['b']}</answer>"

ORACLE = Adder()
"""
CASE = {"task_id": "sum", "level": 1, "seed": 7, "params": {"top": 100}, "payload": {"a": 2, "b": 3}}


def task_files(body: str = "", oracle: str = ORACLE) -> dict[str, bytes]:
    """A task that adds two numbers, with methods of ``body`` (at column 0) in place of the sound ones."""
    indented = "\n".join("    " + line for line in body.splitlines())
    return {"bootcamp.py": BOOTCAMP.replace("    #BODY#", indented).encode(), "oracle.py": oracle.encode()}


def generate(seed: int) -> Call:
    """A generate call of that task."""
    return Call(Op.GENERATE, {"task_id": "sum", "level": 1, "seed": seed, "params": {"top": 1000}})


def program(source: str, stdin: str = "") -> Call:
    """A contest-style program."""
    return Call(Op.PROGRAM, {"source": source, "stdin": stdin})
