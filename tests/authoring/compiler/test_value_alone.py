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
        "The first line should contain a single integer k (0 ≤ k ≤ n) — the least possible length of the moves.",
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


@pytest.mark.parametrize(
    ("sentence", "goal"),
    [
        ("the largest distance between two neighbouring posts", "Place them so as to maximize the distance."),
        ("the smallest value in the resulting array", "Minimize that value."),
        ("the maximum height of a tower", "What is the largest height?"),
        ("the maximum size of a group", "Maximize the size of a group."),
        ("the length of the longest step", "You want to find the longest step."),
        ("the length of the longest rising run of the row", "Determine the longest such run."),
        ("the maximum number of stones on the heaps", "Put as many stones as possible there."),
        ("the largest sum of a row", "What is the largest sum?"),
    ],
)
def test_the_largest_thing_within_an_example_is_no_optimum_unless_the_story_makes_it_the_goal(
    sentence: str, goal: str
) -> None:
    output = f"In the first line print {sentence}. In the second line print the moves. {LEAVE}"
    assert asked(output, story="Move the stones so that no two neighbours are equal.") is None
    assert asked(output, story=f"Move the stones. {goal}") is not None
    assert asked(output, story="Minimize and maximize the weight. Find the shortest and the longest way.") is None


@pytest.mark.parametrize(
    ("story", "sentence"),
    [
        ("It is not required to minimize the number of moves.", ""),
        ("It is enough to find moves that are at most twice as many as needed.", ""),
        ("Move the stones.", "Answers up to two times the optimal one are right too."),
        ("Move the stones.", "You may print a larger number too."),
        ("Move the stones.", "The number is not necessarily the smallest."),
    ],
)
def test_less_than_the_best_may_be_right(story: str, sentence: str) -> None:
    output = f"In the first line print the minimum number of moves. {MOVES} {sentence} {LEAVE}"
    assert asked(output, story=story) is None


@pytest.mark.parametrize("instead", ['"No solution"', "-1 -1", "-1 twice", '"NO WAY"', "0 0"])
def test_not_where_several_words_stand_for_an_impossible_input(instead: str) -> None:
    output = f"If it is impossible, print {instead}. Otherwise in the first line print the minimum number of moves."
    assert asked(f"{output} {MOVES} {LEAVE}") is None


@pytest.mark.parametrize(
    "output",
    [
        'If there is a clique, print "YES" and it. If there is a set of strangers, print "NO". If both, print any.',
        'If there is a clique, print "YES" and it. If there is a set of strangers, print "NO".',
        'If n coins can do, print "YES" and the coins. If 2n coins cannot, print "NO". Else print any of the two.',
        'For each number print "YES" if it can be reached, else "NO". Then print a way.',
        'In the first line print the answer. In the second line print "YES" if it is possible or "NO" if it is not.',
        'Print "YES" and a set if there is one, otherwise "NO". It is allowed to answer "NO" for a third of them.',
        'If the sum of the set is even, print "YES" and the set, otherwise "NO".',
    ],
)
def test_two_words_that_can_both_be_right_are_not(output: str) -> None:
    assert asked(f"{output} {LEAVE}", WORDS) is None


def test_the_samples_have_to_show_the_value_on_its_line() -> None:
    output = f"In the first line print the minimum number of moves.\n\n{MOVES} {LEAVE}"
    assert asked(output, ("2 1 2\n",)) is None
    assert asked(output, ("2\n", "0\n")) is None, "nothing follows it anywhere"
    assert asked(output, ("two\n1 2\n",)) is None


def test_whether_there_is_a_solution_is_asked_for_alone() -> None:
    made = asked(f'If a way exists, print "YES" and then the places. Otherwise print "NO". {LEAVE}', WORDS)
    assert made is not None
    assert made.output.startswith("Print one word and nothing else: YES or NO.")


def test_the_example_may_follow_in_the_same_sentence() -> None:
    output = 'If a way exists, print "YES" in the first line, and in the second line print it. Otherwise print "NO".'
    assert asked(f"{output} You can print each letter in any case. {LEAVE}", WORDS) is not None


@pytest.mark.parametrize("outputs", [("MAYBE\n1 2\n",), ("NO\n1 2\n",), ("YES\n", "NO\n"), ("YES\nNO\nYES\n",)])
def test_not_where_the_samples_show_something_else(outputs: tuple[str, ...]) -> None:
    assert asked(f'If a way exists, print "YES" and the places, otherwise "NO". {LEAVE}', outputs) is None


def test_bounds_of_a_solution_stay_in_the_prompt() -> None:
    bound = "All places have to differ and lie between 1 and 9."
    made = asked(f'If a way exists, print "YES" and the places. {bound} Otherwise print "NO". {LEAVE}', WORDS)
    assert made is not None
    assert bound in made.beside


def test_leave_to_choose_in_the_story_is_of_the_example() -> None:
    output = f"In the first line print the minimum number of moves.\n\n{MOVES}"
    assert asked(output, story="Print any row of moves that does it.") is not None
    assert asked(output, story="A row of at most twice the minimum is right as well.") is None


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
