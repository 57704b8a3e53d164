"""Changes of a verifier's source: which are made, where, and that each is one that compiles."""

from __future__ import annotations

import ast

from sandbox.audit.operators import Edit, edits
from sandbox.audit.reach import judging_functions

SOURCE = b'''\
from bootcamp_kit import answers
from bootcamp_kit.answers import word
from bootcamp_kit.case import Score


class Task:
    def parse(self, response):
        return answers.integers(answers.last_answer(response))

    def verify(self, case, answer) -> Score:
        """Judge. \xc3\xa9"""
        if len(answer) != 3 or min(answer) < 1:
            return Score.wrong("shape")
        try:
            right = helper(answer, tolerance=0.01)
        except IndexError:
            return Score.wrong("place")
        return Score.correct() if right else Score.wrong("no")

    def generate(self, rng, params):
        return [rng.randint(1, 3)]


def helper(answer, tolerance):
    return all(left < right for left, right in zip(answer, answer[1:])) and answer[-1] == 3


def word(text):
    return text == ""
'''


def made() -> list[Edit]:
    files = {"bootcamp.py": SOURCE}
    return edits("bootcamp.py", SOURCE, judging_functions(files)["bootcamp.py"])


def texts(operator: str) -> set[str]:
    return {edit.text for edit in made() if edit.operator == operator}


def test_only_what_parse_and_verify_reach_is_changed() -> None:
    reached = judging_functions({"bootcamp.py": SOURCE, "solver.py": b"def helper(): pass", "bad.py": b"def ("})
    assert reached == {"bootcamp.py": frozenset({"Task.parse", "Task.verify", "helper"})}


def test_every_change_compiles_and_changes_the_text_once() -> None:
    found = made()
    assert len(found) > 30
    assert len({(edit.start, edit.end, edit.text) for edit in found}) == len(found)
    for edit in found:
        changed = edit.apply(SOURCE)
        assert changed != SOURCE
        ast.parse(changed)


def test_the_changes_are_those_a_careless_author_makes() -> None:
    assert "any((left < right for left, right in zip(answer, answer[1:])))" in texts("any for all")
    assert {"(len(answer) >= 3)", "(len(answer) == 3)"} & texts("another comparison")
    assert texts("drop a check") == {"False"}
    assert "(min(answer) < 1)" in texts("drop a condition")
    assert texts("tolerance times 1000") == {"10.0"}
    assert "answer[0]" in texts("first for last")
    assert texts("accept here") == {"Score.correct()"}
    assert any("[:-1]" in text for text in texts("skip the last"))
    assert texts("first answer for last") and texts("accept everything") and texts("a failure is right")
    assert "(answer[-1] == answer[-1])" in texts("compare with itself")


def test_the_same_source_gives_the_same_changes() -> None:
    assert made() == made()
