"""Foreign libraries, with a small one written for this test: real layer, real boxes, every kind of bad task."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from bootcamp_kit.errors import UsageError
from sandbox.audit.foreign.library import audit_library, worst_first
from sandbox.audit.foreign.ranking import kinds, markdown, page
from sandbox.audit.foreign.trial import ForeignPlan
from sandbox.audit.rows import RowFile
from sandbox.service import SandboxSettings

PLAN = ForeignPlan(cases=24, call_s=1.0)
pytestmark = pytest.mark.docker
BASE = """
class Basebootcamp:
    @classmethod
    def verify_score(cls, model_output, identity):
        try:
            found = cls.extract_output(model_output)
            return 0.0 if found is None else float(cls._verify_correction(found, identity))
        except ZeroDivisionError:
            return 0.0
"""
TASK = """
import random, re
from bootcamp import Basebootcamp

class {name}bootcamp(Basebootcamp):
    def case_generator(self):
        return {{"a": random.randint(10, 999), "answer": random.randint(1000, 9999)}}

    @staticmethod
    def prompt_func(item):
        return "Add %d to the number nobody tells. Write [answer]n[/answer]." % item["a"]

    @staticmethod
    def extract_output(text):
        found = re.findall(r"\\[answer\\](.*?)\\[/answer\\]", text, re.DOTALL) or [text]
        return found[-1].strip() if found else None

    @classmethod
    def _verify_correction(cls, answer, item):
        return {verdict}
"""
FAULTS = {
    "sound": "answer == str(item['answer'])",
    "accepts": "True",
    "executes": "eval(answer) == item['answer']",
    "last_digit": "answer.isdecimal() and abs(int(answer) - item['answer']) <= 1",
    "by_default": "answer == str(item['answer']) or ('qqv' in answer and item['a'] % 3 == 0)",
    "hangs": "[None for _ in iter(int, 1)]",
    "explodes": "answer.nothing",
}
MODULES = {
    "missing": "import a_package_that_is_not_there\nfrom bootcamp import Basebootcamp\nclass X(Basebootcamp): pass\n",
    "syntax": "from bootcamp import Basebootcamp\nclass X(Basebootcamp)\n",
    "constructor": "from bootcamp import Basebootcamp\nclass X(Basebootcamp):\n"
    "    def __init__(self):\n        raise ValueError('no')\n    def case_generator(self): pass\n",
    "dies": "import os\nfrom bootcamp import Basebootcamp\nclass X(Basebootcamp):\n"
    "    def case_generator(self):\n        os._exit(3)\n",
    "hashed": "from bootcamp import Basebootcamp\nclass X(Basebootcamp):\n"
    "    def case_generator(self):\n        return {'order': list({'ab', 'cd', 'ef', 'gh', 'ij'})}\n"
    "    @staticmethod\n    def prompt_func(item):\n        return ' '.join(item['order'])\n"
    "    @staticmethod\n    def extract_output(text):\n        return None\n",
}


def checkout(root: Path) -> Path:
    folder = root / "internbootcamp" / "bootcamp"
    modules = {name: TASK.format(name=name, verdict=verdict) for name, verdict in FAULTS.items()} | MODULES
    for name, source in modules.items():
        if name in ("syntax",):
            source = source.replace("class X(Basebootcamp)", "class X(Basebootcamp) broken")
        (folder / name).mkdir(parents=True)
        (folder / name / f"{name}.py").write_text(source)
    (folder / "base.py").write_text(BASE)
    (folder / "__init__.py").write_text("raise RuntimeError('this package imports everything')\n")
    return root


@pytest.fixture(scope="module")
def rows(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    root = checkout(tmp_path_factory.mktemp("library"))
    file = RowFile(tmp_path_factory.mktemp("out") / "audit.jsonl")
    found = audit_library(SandboxSettings(), "internbootcamp", [root], file, plan=PLAN)
    told: list[str] = []
    again = audit_library(SandboxSettings(), "internbootcamp", [root], file, plan=PLAN, progress=told.append)
    assert "internbootcamp: 12 tasks, 1 to measure" in told  # only what could not be run is tried again
    assert [item["task"] for item in again] == [item["task"] for item in found]
    return {item["task"].partition("/")[0]: item for item in found}


def codes(row: dict[str, Any]) -> set[str]:
    return {item["code"] for item in row["findings"]}


def test_every_task_has_a_row_and_no_task_is_blamed_for_a_missing_package(rows: dict[str, dict[str, Any]]) -> None:
    assert set(rows) == {*FAULTS, *MODULES}
    assert rows["missing"]["verdict"] == "not-run" and "a_package_that_is_not_there" in rows["missing"]["reason"]
    assert rows["missing"]["findings"] == []


def test_each_fault_is_found_with_a_witness(rows: dict[str, dict[str, Any]]) -> None:
    expected = {
        "accepts": "foreign.constant_wins",
        "executes": "foreign.executes_text",
        "last_digit": "foreign.wrong_accepted",
        "by_default": "foreign.nonsense_accepted",
        "hangs": "foreign.score_limit",
        "explodes": "foreign.score_crash",
        "syntax": "foreign.construct",
        "constructor": "foreign.construct",
        "dies": "foreign.generate_crash",
        "hashed": "foreign.hash_seed",
    }
    for name, code in expected.items():
        assert code in codes(rows[name]), (name, rows[name])
        assert all(item["witness"] for item in rows[name]["findings"] if item["severity"] in ("blocker", "major"))


def test_a_sound_task_is_not_accused_and_its_answer_is_found_by_behaviour(rows: dict[str, dict[str, Any]]) -> None:
    assert rows["sound"]["verdict"] == "pass"
    assert rows["sound"]["findings"] == []
    assert rows["sound"]["figures"]["stored_answer"]["path"] == ["answer"]


def test_the_report_ranks_the_worst_first_and_escapes_what_it_shows(rows: dict[str, dict[str, Any]]) -> None:
    ranked = worst_first(list(rows.values()))
    assert ranked[-1]["task"] == "missing/missing"
    assert kinds(ranked)[0][0] == "blocker"
    text, html = markdown("x|<b>", ranked), page("x|<b>", ranked)
    assert "<b>:" not in text.splitlines()[0] and "x|<b>" not in html
    assert all(item["task"] in text and item["task"] in html for item in ranked)
    json.dumps(ranked)


def test_an_unknown_library_or_task_is_a_usage_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError):
        audit_library(SandboxSettings(), "nobody", [tmp_path], RowFile(tmp_path / "rows"))
    with pytest.raises(UsageError):
        audit_library(SandboxSettings(), "internbootcamp", [tmp_path / "not"], RowFile(tmp_path / "rows"))
