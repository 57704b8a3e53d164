"""The task that docs/task_format.md writes out is a task: its blocks, put into files, load and judge as it says."""

from __future__ import annotations

import hashlib
import json
import re
import tomllib
from pathlib import Path
from typing import Any

from bootcamp_kit.case import Case
from bootcamp_kit.folder import TaskFolder
from bootcamp_kit.library import load

PAGE = Path(__file__).parents[2] / "docs" / "task_format.md"


def block(heading: str, holds: str) -> str:
    part = PAGE.read_text("utf-8").split(f"\n## {heading}\n", 1)[1].split("\n## ", 1)[0]
    return next(text for text in re.findall(r"```\w+\n(.*?)```", part, re.DOTALL) if holds in text)


def test_the_task_of_the_page_loads_and_its_examples_and_oracle_hold(tmp_path: Path) -> None:
    brief = b"Double a number.\n"
    card = block("card.toml", "[answer]").replace('sha256 = "…"', f'sha256 = "{hashlib.sha256(brief).hexdigest()}"')
    examples, oracle = block("examples.toml", "[[accept]]"), block("oracle.py", "ORACLE")
    files = {
        "card.toml": card,
        "bootcamp.py": block("bootcamp.py", "BOOTCAMP ="),
        "oracle.py": oracle,
        "examples.toml": examples,
    }
    folder = TaskFolder({"brief.md": brief, **{name: text.encode() for name, text in files.items()}})
    place = tmp_path / folder.card.address
    folder.write(place)
    (place / "evidence").mkdir()
    (place / "evidence" / "record.toml").write_text(f'[approval]\ncontent_hash = "{folder.content_hash}"\n')
    task = load(folder.card.id, root=tmp_path)
    for wanted, group in (("correct", "accept"), ("wrong", "reject"), ("malformed", "malformed")):
        (example,) = tomllib.loads(examples)[group]
        case = task.case(example.get("level", 1), example.get("seed", 0))
        if "payload" in example:
            case = Case(case.task_id, case.level, 0, case.params, json.loads(example["payload"]))
        assert task.score(case, example["response"]).outcome.value == wanted
    names: dict[str, Any] = {}
    exec(compile(oracle, "oracle.py", "exec"), names)  # noqa: S102 - our own page
    assert all(
        task.score(case, names["ORACLE"].solve(case)).value == 1.0 for case in (task.case(5, 0), task.case(1, 3))
    )
