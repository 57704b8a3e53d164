"""A value that the input alone determines is asked for alone; one that belongs to the example is not."""

from __future__ import annotations

import pytest

from authoring.compiler.compile import understand
from authoring.compiler.outcome import Refused
from authoring.compiler.sections import Sections
from authoring.compiler.value_alone import first, reduced
from tests.authoring.compiler.contest import contest

LEAVE = "If there are several solutions, print any of them."
MOVES = "Then print k lines with a move each."
NUMBERS = ("2\n1 2\n3 4\n", "0\n")
WORDS = ("YES\n1 2\n", "NO\n")


def asked(output: str, outputs: tuple[str, ...] = NUMBERS, *, story: str = "Move the stones.") -> Sections | None:
    return reduced(Sections(story, "One integer n.", output), outputs)


@pytest.mark.parametrize(
    "sentence",
    [
        "In the first line print k — the minimum number of moves.",
        "On the first line, output a single integer k, denoting the least possible number of moves.",
        "The first line should contain a single integer k (0 ≤ k ≤ n) — the length of the shortest row of moves.",
        "Print the minimum total cost of the moves in the first line.",
        "The first line of the output should contain the required maximum sum.",
        "If it is impossible, print -1. Otherwise, in the first line print the smallest possible difference.",
        "For each test case, firstly print the minimum possible value of f(A) among all tables.",
        "Print two lines. In the first line print the answer to the problem — the maximum number of moves.",
        "In the first line print your maximum possible final score.",
    ],
)
def test_an_optimum_is_asked_for_alone(sentence: str) -> None:
    made = asked(f"{sentence}\n\n{MOVES} {LEAVE}")
    assert made is not None
    assert made.output.startswith("Print one value and nothing else: ")
    assert MOVES in made.beside
    assert LEAVE not in made.beside


@pytest.mark.parametrize(
    "sentence",
    [
        "In the first line print k — the number of moves.",
        "In the first line print k — the number of moves, minimizing the noise they make.",
        "In the first line print the number of stones in a set with the largest total weight.",
        "In the first line print two integers: the maximum sum and its place.",
        "In the first line print the maximum sum and the place where it is reached.",
        "In the first line print the size of an optimum set.",
        "In the first line print the largest value in the set you found.",
        "In the first line print the largest number in the set.",
        "Print the moves. In the last line print the minimum number of moves.",
        "Print any row of moves of the minimum length.",
    ],
)
def test_what_belongs_to_the_example_is_not(sentence: str) -> None:
    assert asked(f"{sentence}\n\n{MOVES} {LEAVE}") is None


def test_the_samples_have_to_show_the_value_on_its_line() -> None:
    output = f"In the first line print the minimum number of moves.\n\n{MOVES} {LEAVE}"
    assert asked(output, ("2 1 2\n",)) is None
    assert asked(output, ("2\n", "0\n")) is None, "nothing follows it anywhere"
    assert asked(output, ("two\n1 2\n",)) is None


def test_whether_there_is_a_solution_is_asked_for_alone() -> None:
    made = asked(f'If a way exists, print "YES" and then the places. Otherwise print "NO". {LEAVE}', WORDS)
    assert made is not None
    assert made.output.startswith("Print one word and nothing else: YES or NO.")


@pytest.mark.parametrize("outputs", [("MAYBE\n1 2\n",), ("NO\n1 2\n",), ("YES\n", "NO\n"), ("YES\nNO\nYES\n",)])
def test_not_where_the_samples_show_something_else(outputs: tuple[str, ...]) -> None:
    assert asked(f'If a way exists, print "YES" and the places, otherwise "NO". {LEAVE}', outputs) is None


def test_bounds_of_a_solution_stay_in_the_prompt() -> None:
    bound = "All places have to differ and lie between 1 and 9."
    made = asked(f'If a way exists, print "YES" and the places. {bound} Otherwise print "NO". {LEAVE}', WORDS)
    assert made is not None
    assert bound in made.beside


def test_leave_to_choose_in_the_story_stays_a_refusal() -> None:
    output = f"In the first line print the minimum number of moves.\n\n{MOVES}"
    assert asked(output, story="Print any row of moves that does it.") is None


def test_a_statement_is_understood_that_way_only_where_several_answers_are_right() -> None:
    output = "In the first line print the minimum sum. In the second line print the numbers{}."
    samples = (("2\n3 5\n", "36\n3 5\n"),)
    free = contest(output=f"{output.format('')} {LEAVE}", samples=samples)
    assert understand(free).alone
    assert "alone" not in understand(contest()).solver
    assert not understand(contest()).alone
    one = "In the first line print the minimum sum. In the second line print the lexicographically smallest set."
    assert not understand(contest(output=one, samples=samples)).alone
    with pytest.raises(Refused, match="several"):
        understand(contest(output=f"Print a sum. Then print any set that has it. {LEAVE}", samples=samples))


def test_the_solver_gives_the_first_value_back() -> None:
    output = f"In the first line print the minimum sum. In the second line print the set. {LEAVE}"
    understood = understand(contest(output=output, samples=(("2\n3 5\n", "36\n3 5\n"),)))
    assert '"".join(run(_program, stdin).split(maxsplit=1)[:1])' in understood.solver
    assert (first("12\n1 2\n"), first(" YES 3"), first("")) == ("12", "YES", "")
