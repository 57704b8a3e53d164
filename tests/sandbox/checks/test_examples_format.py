"""The format of examples.toml and its errors."""

from __future__ import annotations

import pytest

from bootcamp_kit.errors import UsageError
from sandbox.checks.examples_file import Example, parse_examples

LEVELS = range(1, 4)


def test_groups_defaults_and_hand_written_payloads_are_read() -> None:
    text = """
    [[reject]]
    name = "off by one"
    level = 2
    seed = 9
    response = "<answer>8</answer>"
    [[accept]]
    payload = '{"n": [1, 2]}'
    response = "<answer>7</answer>"
    """
    assert parse_examples(text.encode(), LEVELS) == (
        Example("accept", "accept 1", "<answer>7</answer>", 1, 0, {"n": [1, 2]}),
        Example("reject", "off by one", "<answer>8</answer>", 2, 9),
    )


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[[accept", "not TOML"),
        ("\udcff", "not TOML"),
        ("[[approve]]\nresponse='x'", "unknown table 'approve'"),
        ("accept = 3", "not a list"),
        ("accept = [3]", "not a table"),
        ("[[accept]]\nname='x'", "response is missing"),
        ("[[accept]]\nresponse='x'\nscore=1", "unknown key 'score'"),
        ("[[accept]]\nresponse='x'\nlevel=4", "level 4"),
        ("[[accept]]\nresponse='x'\nlevel=true", "level True"),
        ("[[accept]]\nresponse='x'\nseed=-1", "seed -1"),
        ("[[accept]]\nresponse='x'\npayload='{1: 2}'", "not JSON"),
        ("[[accept]]\nresponse='x'\npayload='NaN'", "not JSON"),
        ("[[accept]]\nresponse='x'\n" * 201, "201 examples"),
    ],
)
def test_what_is_wrong_is_named(text: str, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        parse_examples(text.encode("utf-8", "surrogateescape"), LEVELS)
