"""``bootcamp audit`` from the outside: files it writes, exit codes, a second run that does nothing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bootcamp_cli.main import call

ROOT = Path(__file__).parents[2]
SOUND = str(ROOT / "tests" / "sound_tasks" / "mean_height")
BROKEN = str(ROOT / "tests" / "bestiary" / "always_right")


def test_an_audit_without_a_task_is_a_usage_error(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    assert call(["audit"]) == 2
    assert call(["audit", SOUND, "--fail-on", "sometimes"]) == 2
    assert call(["audit", SOUND, "--attacker", "no_such_provider:m"]) == 2
    assert call(["audit", SOUND, "--solver", "scripted:"]) == 2
    assert call(["audit", SOUND, "--adversary-calls", "-1"]) == 2
    assert call(["audit", "--foreign", "no_such_library"]) == 2
    assert call(["audit", "--foreign", "internbootcamp"]) == 2
    assert call(["audit", "--replay", "F-00000000"]) == 2
    assert call(["audit", "--foreign", f"callable:{tmp_path}", "--out", str(tmp_path), "--replay", "F-00000000"]) == 2


@pytest.mark.docker
@pytest.mark.timeout(1_200)  # two audits: minutes on a busy machine
def test_certificates_are_written_and_a_second_run_reads_them(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    out, sarif = tmp_path / "out", tmp_path / "found.sarif"
    little = ("--adversary-calls", "300", "--adversary-seconds", "3")
    arguments = ["audit", SOUND, BROKEN, *little, "--out", str(out), "--sarif", str(sarif), "--json"]
    assert call(arguments) == 1
    first = json.loads(capsys.readouterr().out)
    assert [item["verdict"] for item in first] == ["pass", "fail"]
    assert len(list(out.glob("*/certificate.html"))) == len(list(out.glob("*/report.json"))) == 2
    rows = [json.loads(line) for line in (out / "audit.jsonl").read_text().splitlines()]
    assert [row["verdict"] for row in rows] == ["pass", "fail"]
    assert {"task", "verdict", "findings", "skipped", "figures"} <= set(rows[0])
    assert json.loads(sarif.read_text())["runs"][0]["results"]
    assert call(arguments) == 1
    told = capsys.readouterr()
    assert json.loads(told.out) == first and told.err.count("measured before") == 2
    assert call([*arguments[:3], *little, "--out", str(out), "--fail-on", "never"]) == 0
