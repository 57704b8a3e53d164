"""Runs *inside* the sandbox in the place of a task's ``bootcamp.py``: hands questions to its ``second_oracle.py``.

``parse`` is the one entry: it is given a case, and perhaps a response to it, and returns what the second oracle says.
Neither the task's bootcamp nor its oracle is there, so nothing can be asked of them.
"""

from __future__ import annotations

import json

from bootcamp_kit.case import Answer, Case
from bootcamp_kit.contract import SecondOracle
from sandbox.guest.harness import AskedByParse

MOST_ANSWERS = 8


class Harness(AskedByParse):
    """Answers ``{"case": …}`` with right answers, ``{"case": …, "response": …}`` with verdict and cost."""

    def parse(self, response: str) -> Answer:
        """Ask the second oracle.

        Raises:
            TypeError: ``SECOND`` is missing or no ``SecondOracle``.
        """
        from . import second_oracle  # type: ignore[attr-defined]

        second = getattr(second_oracle, "SECOND", None)
        if not isinstance(second, SecondOracle):
            raise TypeError("second_oracle.py must set SECOND to an instance of bootcamp_kit.contract.SecondOracle")
        asked = json.loads(response)
        raw = asked["case"]
        case = Case(raw["task_id"], raw["level"], raw["seed"], raw["params"], raw["payload"])
        if "response" in asked:
            return {"right": second.judge(case, asked["response"]), "cost": second.cost(case, asked["response"])}
        found = second.answers(case)
        return None if found is None else list(found)[:MOST_ANSWERS]


BOOTCAMP = Harness()
