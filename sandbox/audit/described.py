"""What the deeper tier's own checks show and cannot show, for ``docs/checks.md``."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Described:
    """One check of the audit."""

    name: str
    shows: str
    cannot: str
    needs: str


CHECKS = (
    Described(
        "mutation.verifier",
        "careless versions of the verifier give another verdict on some answer that was tried",
        "carelessness that no operator stands for; a version that no answer tells apart may be the same or not",
        "a right answer",
    ),
    Described(
        "truth.listed",
        "how many answers of their form are right, where all can be listed: one, where the card says unique",
        "answers of another form or beyond the range listed; larger cases; right answers that the verifier rejects",
        "a right answer that is a choice, a number, a short list, grid or word",
    ),
    Described(
        "truth.second_oracle",
        "oracle and verifier agree with a second oracle: its answers score 1, none costs less, verdicts are the same",
        "a mistake that the second oracle shares; cases that are too large for it",
        "`second_oracle.py`",
    ),
    Described(
        "adversary.search",
        "no response that a grammar-guided search made wins on all cases or is a wrong answer that scores 1",
        "exploits that its grammar does not reach; wrong answers where the card allows several",
        "a right answer",
    ),
    Described(
        "adversary.model",
        "no claim of an attacking model (cases alone, then with the source) was borne out when it was tried",
        "exploits that this model does not think of; claims that nothing decides are notes for a reader",
        "a right answer, `--attacker MODEL`",
    ),
    Described(
        "prompt.blind_solver",
        "nothing by itself: how often a model that sees the prompt alone is right, and what it says is missing",
        "whether a wrong answer is the solver's fault or the prompt's",
        "a right answer, `--solver MODEL`",
    ),
)
