"""``author --dry-run`` shows what was read of foreign formats, what was cleaned, and why."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

ROW: dict[str, Any] = {
    "name": "Adding",
    "description": "Add up.\n\nInput\n\nn (1 ≤ n ≤ 2·105)\n\nOutput\n\nOne number.\n",
    "public_tests": [{"input": "1\n", "output": "1\n"}],
    "solutions": [{"language": "PYTHON3", "solution": "print(int(input()))"}],
    "incorrect_solutions": [{"language": "PYTHON3", "solution": "print(0)"}],
}


def test_a_dry_run_tells_what_was_read_and_cleaned(bootcamp: Any, tmp_path: Path) -> None:
    (tmp_path / "rows.jsonl").write_text(json.dumps(ROW) + "\n")
    (tmp_path / "source.toml").write_text('licence = "CC-BY-4.0"\nattribution = "Ada Frog"\n')
    told = json.loads(bootcamp("author", str(tmp_path / "rows.jsonl"), "--dry-run", "--json", code=0).stdout)
    (brief,) = told["briefs"]
    assert brief["source"] == {"kind": "codecontests", "name": "Adding", "url": "", "attribution": "Ada Frog"}
    assert (brief["licence"], brief["solution"], len(brief["wrong"])) == ("CC-BY-4.0", "python3", 1)
    assert brief["notes"] == ["105 read as 10^5: the statement writes the product 2·105"]
    plain = bootcamp("author", str(tmp_path / "rows.jsonl"), "--dry-run", code=0).stdout
    header, row = plain.splitlines()
    assert header.endswith("\tnotes")
    assert row.startswith("cc_adding\tcodecontests\tAdding\tCC-BY-4.0")
    assert row.endswith("the statement writes the product 2·105")


def test_a_dry_run_tells_of_what_could_not_be_read(bootcamp: Any, tmp_path: Path) -> None:
    (tmp_path / "rows.jsonl").write_text(json.dumps(ROW) + "\n" + json.dumps({"name": "x"}) + "\n")
    done = bootcamp("author", str(tmp_path / "rows.jsonl"), "--dry-run", code=1)
    assert "rows.jsonl:2" in done.stderr
    assert "rows.jsonl:2" in bootcamp("author", str(tmp_path / "rows.jsonl"), "--explain", code=1).stderr


def test_what_would_be_in_vain_is_told_before_anything_is_made(bootcamp: Any, tmp_path: Path) -> None:
    (tmp_path / "rows.jsonl").write_text(json.dumps(ROW) + "\n")
    (tmp_path / "source.toml").write_text('licence = "NotALicence"\n')
    told = bootcamp("author", str(tmp_path / "rows.jsonl"), "--dry-run").stderr
    assert "cc_adding: its licence 'NotALicence'" in told and "never merged" in told
    refused = bootcamp("author", str(tmp_path / "rows.jsonl"), "--role", "solver=openai:m", code=2).stderr
    assert "author --role: the compiler asks no model" in refused
