"""What compiling one brief may cost is bounded in processor time, and the refusal says so."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from authoring.compiler import budget
from authoring.compiler.outcome import Refused
from sandbox.calls import Call, JobOutcome, Observation, Op


def one_second_each(programs: Sequence[tuple[str, str]]) -> list[Observation]:
    return [
        Observation(Call(Op.PROGRAM, {}), JobOutcome.OK, value={"stdout": given}, cpu_s=1.0) for _, given in programs
    ]


def test_what_was_asked_comes_back_in_order_while_there_is_time() -> None:
    run = budget.limited(one_second_each, most=100)
    asked = [("", str(number)) for number in range(20)]
    assert [one.value["stdout"] for one in run(asked)] == [given for _, given in asked]


def test_a_brief_that_computes_for_too_long_is_refused_between_its_programs() -> None:
    run = budget.limited(one_second_each, most=20)
    run([("", "")] * 15)
    with pytest.raises(Refused, match="takes more than 20 s of processor time"):
        run([("", "")] * 40)
