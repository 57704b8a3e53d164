"""Foreign libraries, with a small one written for this test: real layer, real boxes, every kind of bad task."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from bootcamp_kit.errors import UsageError
from sandbox.audit.foreign.asking import ENDED, GIVEN_UP, ONE_S, SCORES_S, Answered
from sandbox.audit.foreign.library import audit_library, worst_first
from sandbox.audit.foreign.ranking import kinds, markdown, page
from sandbox.audit.foreign.replay import found_in, replay_foreign
from sandbox.audit.foreign.trial import ForeignPlan
from sandbox.audit.rows import RowFile
from sandbox.compiled.toolchain import compiler_id
from sandbox.service import SandboxSettings

PLAN = ForeignPlan(cases=24, more_cases=90, truth_s=1.5, task_s=2.5, sweep_s=1.5)
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
        a = random.randint(10, 999)
        return {{"a": a, "answer": a * a % 9000 + 1000}}

    @staticmethod
    def prompt_func(item):
        return "Square %d, take it modulo 9000 and add 1000. Write [answer]n[/answer]." % item["a"]

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
    "burns": "any(iter(int, 1))",
}
QUOTED = '''
"""### Twice

Input

One line with n.

Output

Twice that number.

Examples

Input

3

Output

6

Here is a reference code to solve this task.
```python
n = int(raw_input())
print n * 4 / 2
```
"""
from bootcamp import Basebootcamp
import random, re

class Twicebootcamp(Basebootcamp):
    def __init__(self, max_n=60, width=7, idle=3):
        self.max_n, self.width = max_n, width
    def case_generator(self):
        n = random.randint(1, self.max_n)
        return {"n": n, "hidden": random.choice([1, 2]), "w": random.sample(range(20), self.width)}
    @staticmethod
    def prompt_func(item):
        return "Twice %d, perhaps? %s Write [answer]x[/answer]." % (item["n"], item["w"])
    @staticmethod
    def extract_output(text):
        found = re.findall(r"\\[answer\\](-?\\d+)\\[/answer\\]", text)
        return int(found[-1]) if found else None
    @classmethod
    def _verify_correction(cls, answer, item):
        return answer == (2 * item["n"] if item["hidden"] == 1 or item["n"] % 10 else 2 * item["n"] + 1)
'''
CONSTRUCTED = """
from bootcamp import Basebootcamp
import random, re

class Sumsbootcamp(Basebootcamp):
    def case_generator(self):
        return {"x": random.randint(1, 90), "y": random.randint(1, 90), "secret": random.randint(100, 999)}
    @staticmethod
    def prompt_func(item):
        return "Add %d, %d and a number. Write [answer]x[/answer]." % (item["x"], item["y"])
    @staticmethod
    def extract_output(text):
        found = re.findall(r"[[]answer[]](-?[0-9]{1,9})[[]/answer[]]", text)
        return int(found[-1]) if found else None
    @classmethod
    def _verify_correction(cls, answer, item):
        return answer == item["x"] + item["y"] or answer == item["x"] + item["y"] + item["secret"] * 0
"""
MODULES = {
    "quoted": QUOTED.strip(),
    "sums": CONSTRUCTED,
    "missing": "import a_package_that_is_not_there\nfrom bootcamp import Basebootcamp\nclass X(Basebootcamp): pass\n",
    "syntax": "from bootcamp import Basebootcamp\nclass X(Basebootcamp)\n",
    "constructor": "from bootcamp import Basebootcamp\nclass X(Basebootcamp):\n"
    "    def __init__(self):\n        raise ValueError('no')\n    def case_generator(self): pass\n",
    "dies": "import os\nfrom bootcamp import Basebootcamp\nclass X(Basebootcamp):\n"
    "    def case_generator(self):\n        os._exit(3)\n",
    "infinite": "import random\nfrom bootcamp import Basebootcamp\nclass X(Basebootcamp):\n"
    "    def case_generator(self):\n        a = random.randint(1, 900)\n"
    "        return {'a': a, 'answer': float('inf') if a % 3 else 10.0 ** 5000 if a < 0 else a, 'odd': '\\ud800'}\n"
    "    @staticmethod\n    def prompt_func(item):\n        return 'How far is %d?' % item['a']\n"
    "    @staticmethod\n    def extract_output(text):\n        return text.split('</think>')[-1].strip()\n"
    "    @classmethod\n    def _verify_correction(cls, answer, item):\n        return answer == str(item['answer'])\n",
    "leaves": "import random\nfrom bootcamp import Basebootcamp\nclass X(Basebootcamp):\n"
    "    def __init__(self, n=9):\n        pass\n"
    "    def case_generator(self):\n        return {'a': random.random()}\n"
    "    @staticmethod\n    def prompt_func(item):\n        raise SystemExit(4)\n",
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
    assert "internbootcamp: 17 tasks, 1 to measure" in told  # only what could not be run is tried again
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
        "burns": "foreign.score_limit",
        "leaves": "foreign.generate_crash",
        "explodes": "foreign.score_crash",
        "syntax": "foreign.construct",
        "constructor": "foreign.construct",
        "dies": "foreign.generate_crash",
        "hashed": "foreign.unseeded",
    }
    for name, code in expected.items():
        assert code in codes(rows[name]), (name, rows[name])
        assert all(item["witness"] for item in rows[name]["findings"] if item["severity"] in ("blocker", "major"))


def test_code_that_hears_no_signal_is_ended_after_its_work_and_no_other_is_charged_with_it(
    rows: dict[str, dict[str, Any]],
) -> None:
    allowed = PLAN.truth_s + PLAN.task_s + PLAN.sweep_s + 3 * (SCORES_S + ONE_S + 1)
    assert all(0 <= row["work_s"] < allowed for row in rows.values()), {name: rows[name]["work_s"] for name in rows}
    assert all(row["work_s"] <= row["seconds"] + 1 for row in rows.values())


def test_an_infinite_answer_and_half_a_character_are_the_task_s_own(rows: dict[str, dict[str, Any]]) -> None:
    assert rows["infinite"]["verdict"] == "pass", rows["infinite"]
    assert {"foreign.payload"} <= codes(rows["infinite"])
    assert rows["infinite"]["figures"]["stored_answer"]["path"] == ["answer"]


def test_a_sound_task_is_not_accused_and_its_answer_is_found_by_behaviour(rows: dict[str, dict[str, Any]]) -> None:
    assert rows["sound"]["verdict"] == "pass"
    assert rows["sound"]["findings"] == []
    assert rows["sound"]["figures"]["stored_answer"]["path"] == ["answer"]


def test_reference_code_of_python_2_tells_which_right_answers_are_rejected(rows: dict[str, dict[str, Any]]) -> None:
    row = rows["quoted"]
    rejected = next(item for item in row["findings"] if item["code"] == "foreign.reference_rejected")
    assert rejected["severity"] == "major" and rejected["witness"]["response"].startswith("[answer]")
    assert row["figures"]["reference"]["language"] == "Python 2"
    assert 0 < row["figures"]["reference"]["rejected"]["hits"] < row["figures"]["reference"]["rejected"]["n"] / 3


def test_a_parameter_that_breaks_and_one_that_does_nothing_are_told(rows: dict[str, dict[str, Any]]) -> None:
    told = {item["code"]: item["message"] for item in rows["quoted"]["findings"]}
    assert "width=28" in told["foreign.axis_crash"]
    assert "idle" in told["foreign.axes_idle"] and "max_n" not in told["foreign.axes_idle"]


def test_a_rule_that_solves_the_task_is_a_note_and_no_accusation(rows: dict[str, dict[str, Any]]) -> None:
    assert rows["sums"]["verdict"] == "pass"
    assert {item["code"]: item["severity"] for item in rows["sums"]["findings"]} == {"foreign.rule_solves": "note"}


def test_a_finding_is_seen_again_from_its_witness(rows: dict[str, dict[str, Any]], tmp_path: Path) -> None:
    found = next(item for item in rows["last_digit"]["findings"] if item["code"] == "foreign.wrong_accepted")
    listed = list(rows.values())
    task, finding = found_in(listed, found["id"])
    done = replay_foreign(SandboxSettings(), "internbootcamp", [checkout(tmp_path)], task, finding, lambda text: None)
    assert done.reproduced and ("seen now", "score 1") in done.steps
    with pytest.raises(UsageError):
        found_in(listed, "F-00000000")


def test_a_pair_of_functions_is_audited_from_its_file(tmp_path: Path) -> None:
    for name, verdict in (("fair", "found == str(case['answer'])"), ("soft", "len(found) > 0")):
        (tmp_path / f"{name}.py").write_text(
            "import random\n\n\ndef generate(seed, top=900):\n    rng = random.Random(seed)\n"
            "    a, b = rng.randint(1, top), rng.randint(1, top)\n"
            "    return {'question': f'{a} * {b}?', 'answer': a * b}\n\n\n"
            f"def score(response, case):\n    found = response.strip()\n    return 1.0 if {verdict} else 0.0\n"
        )
    roots = [tmp_path / "fair.py", tmp_path / "soft.py"]
    found = audit_library(SandboxSettings(), "callable", roots, RowFile(tmp_path / "rows"), plan=PLAN)
    assert {item["task"]: item["verdict"] for item in found} == {"soft": "fail", "fair": "pass"}
    assert next(item for item in found if item["task"] == "fair")["findings"] == []


ENVIRONMENT = """
import random


class Rubric:
    funcs = weights = ()


class Sums:
    def __init__(self, seed):
        rng = random.Random(seed)
        pairs = [(rng.randint(100, 999), rng.randint(100, 999)) for _ in range(400)]
        self.dataset = [
            {"prompt": [{"role": "user", "content": f"{a} + {b}?"}], "answer": str(a + b)} for a, b in pairs
        ]
        self.rubric = Rubric()
        self.rubric.funcs, self.rubric.weights = [right, short], [1.0, 0.0]


async def right(completion, answer, **kwargs):
    return 1.0 if VERDICT else 0.0


def short(completion):
    raise OSError("a metric without weight is not asked")


def load_environment(seed=0):
    return Sums(seed)
"""


def test_an_environment_with_a_rubric_is_audited_from_its_folder(tmp_path: Path) -> None:
    for name, verdict in (
        ("exact", "completion[-1]['content'].strip() == answer"),
        ("within", "answer in completion[-1]['content']"),
    ):
        (tmp_path / f"{name}.py").write_text(ENVIRONMENT.replace("VERDICT", verdict))
    (tmp_path / "helper.py").write_text("x = 1\n")
    found = audit_library(SandboxSettings(), "verifiers", [tmp_path], RowFile(tmp_path / "rows"), plan=PLAN)
    rows = {item["task"]: item for item in found}
    assert set(rows) == {"exact", "within"} and rows["exact"]["findings"] == []
    assert {"foreign.hedge", "foreign.wrong_accepted"} <= codes(rows["within"])


@pytest.mark.skipif(not os.environ.get("BOOTCAMP_VERIFIERS_PACKAGES"), reason="BOOTCAMP_VERIFIERS_PACKAGES")
def test_a_taskset_of_the_real_package_is_audited(tmp_path: Path) -> None:
    (tmp_path / "sums.py").write_text(
        "import random\n\nimport verifiers.v1 as vf\n\n\nclass Data(vf.TaskData):\n    answer: str\n\n\n"
        "class Sum(vf.Task[Data]):\n    @vf.reward\n    async def right(self, trace) -> float:\n"
        "        return float(self.data.answer in trace.last_reply)\n\n\n"
        "class Sums(vf.Taskset[Sum, vf.TasksetConfig]):\n    def load(self):\n        rng = random.Random(7)\n"
        "        for _ in range(80):\n            a, b = rng.randint(100, 999), rng.randint(100, 999)\n"
        "            yield Sum(Data(prompt=f'{a} + {b}?', answer=str(a + b)))\n"
    )
    roots = [tmp_path, Path(os.environ["BOOTCAMP_VERIFIERS_PACKAGES"])]
    plan = ForeignPlan(cases=24, more_cases=0, call_s=60.0, truth_s=60.0, task_s=60.0)
    found = audit_library(SandboxSettings(), "verifiers", roots, RowFile(tmp_path / "rows"), only=["sums"], plan=plan)
    assert "foreign.hedge" in codes(found[0]), found[0]


def test_what_a_scorer_was_never_asked_is_not_known() -> None:
    assert Answered(0.0).known and Answered(None, "ValueError: no").known
    assert not Answered(None, GIVEN_UP).known and not Answered(None, f"{ENDED} timeout: 20 s").known


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


@pytest.mark.skipif(
    not os.environ.get("BOOTCAMP_COMPILER_TESTS") or not compiler_id(), reason="BOOTCAMP_COMPILER_TESTS, and g++"
)
def test_reference_code_in_cpp_is_compiled_apart_and_survives_what_it_is_fed(tmp_path: Path) -> None:
    code = (
        "#include <bits/stdc++.h>\nusing namespace std;\nint seen;\nint main(int argc, char **argv) {\n"
        "  ios::sync_with_stdio(false);\n  int n;\n  cin >> n;\n  cerr << argc;\n  if (++seen != 1) abort();\n"
        '  vector<int> row(n);\n  if (n == 13) for (;;) {}\n  printf("%d\\n", 2 * n);\n  exit(0);\n}'
    )
    checkout(tmp_path)
    module = tmp_path / "internbootcamp" / "bootcamp" / "quoted" / "quoted.py"
    module.write_text(module.read_text().replace("n = int(raw_input())\nprint n * 4 / 2", code))
    file = RowFile(tmp_path / "rows")
    found = audit_library(SandboxSettings(), "internbootcamp", [tmp_path], file, only=["quoted/quoted"], plan=PLAN)
    reference = found[0]["figures"]["reference"]
    assert "rejected" in reference, found[0]
    assert reference["language"] == "C++" and reference["rejected"]["hits"] > 0
    assert reference["rejected"]["n"] < found[0]["figures"]["cases"]  # where it hangs it says nothing
