"""Off a terminal, long work says now and then what it does, and quick work nothing."""

from __future__ import annotations

import pytest

from bootcamp_cli.progress import EVERY_S, _Plain, spinner


def test_long_work_speaks_now_and_then(capsys: pytest.CaptureFixture[str]) -> None:
    now = 0.0
    tell = _Plain("auditing x", lambda: now)
    for step in range(100):
        now = step * EVERY_S / 10
        tell(f"step {step}")
    said = capsys.readouterr().err.splitlines()
    assert said[0] == "auditing x: step 10 …" and len(said) == 9


def test_quick_work_says_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    with spinner("checking x") as tell:
        tell("load")
    assert capsys.readouterr().err == ""
