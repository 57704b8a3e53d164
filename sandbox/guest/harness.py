"""The base of what is sent into the sandbox in the place of a task, to ask it things: ``parse`` is the one entry."""

from __future__ import annotations

import random

from bootcamp_kit.case import Answer, Case, Payload, Score
from bootcamp_kit.contract import Bootcamp
from bootcamp_kit.difficulty import Params


class AskedByParse(Bootcamp):
    """A bootcamp of which only ``parse`` is called: a request as JSON text in, JSON data out."""

    def generate(self, rng: random.Random, params: Params) -> Payload:
        """Not used."""
        raise NotImplementedError

    def prompt(self, case: Case) -> str:
        """Not used."""
        raise NotImplementedError

    def verify(self, case: Case, answer: Answer) -> Score:
        """Not used."""
        raise NotImplementedError
