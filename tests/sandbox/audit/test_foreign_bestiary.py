"""Foreign tasks with one fault each, and sound ones beside them: what is told of each, and nothing of these."""

from __future__ import annotations

from typing import Any

import pytest

from sandbox.audit.foreign.library import audit_library
from sandbox.audit.foreign.trial import ForeignPlan
from sandbox.audit.rows import RowFile
from sandbox.service import SandboxSettings

pytestmark = pytest.mark.docker
PLAN = ForeignPlan(cases=40, more_cases=0, mutated=4, odd_cases=1)
BASE = """
class Basebootcamp:
    @classmethod
    def verify_score(cls, model_output, identity):
        try:
            found = cls.extract_output(model_output)
            return 0.0 if found is None else float(cls._verify_correction(found, identity))
        except Exception:
            return 0.0
"""
TASK = '''
"""描述
{story}
Input

One line.

Output

{asked}

Examples

Input

{given}

Output

{told}

Here is a reference code to solve this task.
```python
{code}
```
"""
import random, re
from bootcamp import Basebootcamp

class Xbootcamp(Basebootcamp):
    def __init__(self, {axes}):
        {kept}
    def case_generator(self):
        {case}
    @staticmethod
    def prompt_func(item):
        return {prompt}
    @staticmethod
    def extract_output(text):
        found = re.findall(r"\\[answer\\]{pattern}\\[/answer\\]", text, re.DOTALL)
        return {read} if found else None
    @classmethod
    def _verify_correction(cls, answer, item):
        return {verdict}
'''
SOUND = {
    "story": "A farmer counts the fence posts of two fields and wants their product.",
    "asked": "One line.", "given": "3 4", "told": "12", "code": "a, b = map(int, input().split())\nprint(a * b)",
    "axes": "top=90", "kept": "self.top = top",
    "case": 'return {"a": random.randint(10, self.top), "b": random.randint(10, self.top)}',
    "prompt": '"Multiply %d by %d. Write [answer]number[/answer]." % (item["a"], item["b"])',
    "pattern": "(.*?)", "read": "found[-1].strip()", "verdict": 'int(answer) == item["a"] * item["b"]',
}  # fmt: skip
LONG = "Each of the two fields has a rule that decides what its posts are worth to the farmer. " * 12
RULES = "\\n".join(
    f"{number}. The rule number {number} of the farmer says what a post is worth." for number in range(4)
)
TASKS: dict[str, tuple[dict[str, str], set[str]]] = {
    "sound": ({}, set()),
    "long_but_told": ({"story": LONG, "prompt": f'"{RULES} " + ' + SOUND["prompt"]}, set()),
    "rules_left_out": ({"story": LONG}, {"foreign.rules_missing"}),
    "capped_far_below": ({"axes": "top=9000", "kept": "self.top = min(top, 90)"}, set()),
    "no_seed_counts": (
        {
            "kept": "self.top = top; self.rng = random.SystemRandom()",
            "case": 'a, b = self.rng.randint(10, self.top), 3; return {"a": a, "b": b, "answer": a * b}',
            "code": "no code",
        },
        set(),
    ),
    "never_right": ({"verdict": 'int(answer) == item["a"] * item["b"] + 1'}, {"foreign.reference_rejected"}),
    "easier_breaks": (
        {"case": 'return {"a": random.randint(10, self.top - 30), "b": random.randint(10, self.top)}'},
        {"foreign.axis_crash"},
    ),
    "one_name_for_two": (
        {
            "case": 'a = random.randint(2, 24); return {"a": a, "b": 3, "answer": a * 3 + random.choice([0, 1])}',
            "code": "no code", "verdict": 'int(answer) == item["answer"]',
        },
        {"foreign.same_prompt", "foreign.axes_idle"},
    ),
    "tuples": (
        {
            "case": 'a, b = random.sample(range(10, self.top), 2); return {"a": a, "b": b, "solution": (a - b, a + b)}',
            "prompt": '"%d and %d? E.g. [answer]3 and 9[/answer]." % (item["a"], item["b"])',
            "code": "no code", "verdict": '(*map(int, answer.split(" and ")),) == item["solution"]',
        },
        {"foreign.round_trip"},
    ),
    "lists": (
        {
            "case": 'a, b = random.sample(range(10, self.top), 2); return {"a": a, "b": b, "solution": [a - b, a + b]}',
            "prompt": '"%d and %d? E.g. [answer]3 and 9[/answer]." % (item["a"], item["b"])',
            "code": "no code", "verdict": '[*map(int, answer.split(" and "))] == item["solution"]',
        },
        set(),
    ),
    "reads_otherwise": (
        {"pattern": "<(\\\\d+)>", "prompt": SOUND["prompt"].replace("]number[", "]15[")},
        {"foreign.format_not_read", "foreign.reference_rejected"},
    ),
    "blanks_lost": (
        {
            "prompt": '"Draw %d and %d. Like this: [answer]\\nXX X\\n XXX\\nX  X\\n[/answer]" % (item["a"], item["b"])',
            "read": '[line.replace(" ", "") for line in found[-1].strip().splitlines()]',
            "code": "no code", "verdict": "len(answer) == 4 and len(set(map(len, answer))) == 1",
        },
        {"foreign.format_not_read"},
    ),
    "tells_the_answer": (
        {"prompt": '"Multiply %d by %d. Write [answer]%d[/answer] if it is that." % (item["a"], item["b"], '
                   'item["a"] * item["b"] + random.choice([0, 0, 1]))'},
        {"foreign.answer_in_prompt"},
    ),
    "takes_no_parameters": (
        {"axes": "**params", "kept": 'super().__init__(**params); self.top = params.get("top", 90)'},
        {"foreign.axis_crash"},
    ),
    "any_order_will_do": (
        {
            "case": 'return {"points": [[random.randint(0, 9), random.randint(0, self.top)] for _ in range(6)]}',
            "prompt": '"A short way through the points %s? Write [answer]their numbers[/answer]." % item["points"]',
            "code": "no code", "verdict": 'sorted(map(int, answer.split())) == [1, 2, 3, 4, 5, 6]',
        },
        {"foreign.rule_wins"},
    ),
    "any_will_do": (
        {
            "case": 'a = random.randint(10, self.top); b = random.choice([a // 2, 1]);'
                    ' return {"a": a, "answer": "%d %d" % (b, a - b)}',
            "story": "A farmer parts his fence posts in two fields. If there are multiple answers, print any of them.",
            "prompt": '"Part %d in two. Any sum will do. Write [answer]1 9[/answer]." % item["a"]',
            "given": "10", "told": "2 8", "code": "a = int(input())\nprint(a // 2, a - a // 2)",
            "verdict": 'answer == item["answer"]',
        },
        {"foreign.reference_rejected", "foreign.same_prompt"},
    ),
    "both_words_right": (
        {
            "prompt": '"%d or %d posts of the same field? [answer]YES[/answer] or [answer]NO[/answer]."'
                      ' % (item["a"], item["b"])',
            "case": 'a, b = random.sample(range(10, self.top), 2);'
                    ' return {"a": a, "b": b, "answer": random.choice(["YES", "NO"])}',
            "code": "no code", "verdict": 'answer == item["answer"] or item["a"] > 75 and answer in ("YES", "NO")',
        },
        {"foreign.both_accepted"},
    ),
    "rounded_is_wrong": (
        {
            "prompt": '"How far is %d from %d, in roots? Round it to two decimal places: [answer]x[/answer]."'
                      ' % (item["a"], item["b"])',
            "case": 'a, b = random.sample(range(10, self.top), 2);'
                    ' return {"a": a, "b": b, "answer": abs(a ** 0.5 - b ** 0.5)}',
            "code": "no code", "verdict": 'abs(float(answer) - item["answer"]) < 1e-6',
        },
        {"foreign.format_not_read"},
    ),
    "rounded_is_right": (
        {
            "prompt": '"How far is %d from %d, in roots? Round it to two decimal places: [answer]x[/answer]."'
                      ' % (item["a"], item["b"])',
            "case": 'a, b = random.sample(range(10, self.top), 2);'
                    ' return {"a": a, "b": b, "answer": abs(a ** 0.5 - b ** 0.5)}',
            "code": "no code", "verdict": 'abs(float(answer) - item["answer"]) < 6e-3',
        },
        set(),
    ),
    "twice_in_a_permutation": (
        {
            "prompt": '"The order %s, backwards? [answer]4 5 6[/answer]" % item["order"]',
            "case": 'order = random.sample(range(1, 9), 8);'
                    ' return {"order": order, "answer": " ".join(map(str, order[::-1])), "top": self.top}',
            "code": "no code", "verdict": 'answer.split()[:7] == item["answer"].split()[:7]',
        },
        {"foreign.wrong_accepted"},
    ),
    "a_word_for_each_kind": (
        {
            "case": 'kind = random.choice(["even", "odd"]); a = random.randrange(10, self.top);'
                    ' return {"kind": kind, "a": a, "b": 2}',
            "prompt": '"Is %d an %s number, doubled? Write [answer]yes[/answer] or [answer]no[/answer]."'
                      ' % (item["a"], item["kind"])',
            "code": "no code", "verdict": 'answer == {"even": "yes", "odd": "no"}[item["kind"]]',
        },
        {"foreign.rule_wins"},
    ),
}  # fmt: skip
PARTED = {
    "asked": "Print the largest number of posts, and any two numbers with that sum.",
    "prompt": '"The largest number of posts, at most %d and at most %d? Write it, and any two numbers with that sum:'
              ' [answer]5\\n2 3[/answer]" % (item["a"], item["b"])',
    "told": "3\n1 2", "code": "m = min(map(int, input().split()))\nprint(m)\nprint(m // 2, m - m // 2)",
    "verdict": '(lambda m, b, c: m == b + c and 0 <= min(item["a"], item["b"]) - m <= 5)(*map(int, answer.split()))',
}  # fmt: skip
REST = {
    "prompt": '"The rest of %d by 7, and what is left of %d without it? [answer]3 9[/answer]" % (item["b"], item["a"])',
    "told": "4 -1", "code": "a, b = map(int, input().split())\nprint(b % 7, a - b % 7)",
    "verdict": 'sum(map(int, answer.split())) == item["a"] and len(answer.split()) == 2',
}  # fmt: skip
WALK = {
    "case": 'a, b = (random.randint(2, max(3, self.top // 10)) for _ in "ab");'
            ' return {"a": a, "b": b, "solution": "R" * a + "U" * b}',
    "prompt": '"Walk with the fewest steps by %d to the right and by %d up. Write [answer]RRU[/answer]."'
              ' % (item["a"], item["b"])',
    "code": "no code",
    "verdict": 'set(answer) <= set("LRUD") and answer.count("R") - answer.count("L") == item["a"]'
               ' and answer.count("U") - answer.count("D") == item["b"]',
}  # fmt: skip
ABOVE = {
    "case": 'posts, high = random.choices(range(10, self.top + 10), k=4), random.randint(10, self.top + 5);'
            ' return {"posts": posts, "high": high, "solution": [one for one in posts if one > high]}',
    "prompt": '"Which of %s are above %d? Write [answer]30 40[/answer]." % (item["posts"], item["high"])',
    "code": "no code", "verdict": '[*map(int, answer.split())] == item["solution"]',
}  # fmt: skip
COLOURS = {
    "case": 'n = random.randint(4, 9); wishes = [random.randint(0, self.top) for _ in range(n)];'
            ' return {"n": n, "wishes": wishes, "solution": " ".join("12"[place % 2] for place in range(n))}',
    "prompt": '"Colour %d posts as their owners wish: %s. Write [answer]1 1 2[/answer]." % (item["n"], item["wishes"])',
    "code": "no code", "verdict": 'answer == item["solution"]',
}  # fmt: skip
MODULUS = {
    "given": "3 4 17", "told": "12", "code": "a, b, k = map(int, input().split())\nprint(a * b % k)",
    "case": 'return {"a": random.randint(10, self.top), "b": random.randint(10, self.top), "k": 17}',
    "prompt": '"Multiply %d by %d, what is the rest? Write [answer]number[/answer]." % (item["a"], item["b"])',
    "verdict": 'int(answer) == item["a"] * item["b"] % item["k"]',
}  # fmt: skip
TASKS |= {
    "poorer_is_right": (PARTED, {"foreign.not_best_accepted"}),
    "poorer_is_wrong": (PARTED | {"verdict": PARTED["verdict"].replace("<= 5", "< 1")}, set()),
    "rest_unread": (REST, {"foreign.not_best_accepted"}),
    "rest_read": (REST | {"verdict": REST["verdict"] + ' and int(answer.split()[0]) == item["b"] % 7'}, set()),
    "longer_is_right": (WALK, {"foreign.not_best_accepted"}),
    "longer_is_wrong": (WALK | {"verdict": WALK["verdict"] + ' and len(answer) == item["a"] + item["b"]'}, set()),
    "nothing_is_wrong": (ABOVE | {"read": "found[-1].strip() or None"}, {"foreign.nothing_rejected"}),
    "nothing_may_be_right": (ABOVE, set()),
    "one_for_each_size": (COLOURS, {"foreign.rule_wins"}),
    "another_for_each_wish": (
        COLOURS | {"case": COLOURS["case"].replace("[place % 2] for place in range(n)", "[w % 2] for w in wishes")},
        set(),
    ),
    "modulus_always_the_same": (MODULUS, {"foreign.fact_missing"}),
    "modulus_told": (MODULUS | {"prompt": MODULUS["prompt"].replace("the rest", "the rest by 17")}, set()),
    "sums_are_evaluated": (
        {
            "case": 'a, b = random.sample(range(10, self.top + 10), 2); return {"posts": f"{a} {b}", "goal": a + b}',
            "prompt": '"Make %d from %s. Write [answer]1+2[/answer]." % (item["goal"], item["posts"])',
            "code": "no code",
            "verdict": 'sorted(re.findall(r"\\d+", answer)) == sorted(item["posts"].split())'
                       ' and eval(answer) == item["goal"]',
        },
        {"foreign.executes_text"},
    ),
}  # fmt: skip


@pytest.fixture(scope="module")
def rows(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    root = tmp_path_factory.mktemp("foreign")
    folder = root / "checkout" / "internbootcamp" / "bootcamp"
    for name, (change, _) in TASKS.items():
        (folder / name).mkdir(parents=True)
        (folder / name / f"{name}.py").write_text(TASK.format(**(SOUND | change)).strip())
    (folder / "base.py").write_text(BASE)
    found = audit_library(
        SandboxSettings(), "internbootcamp", [root / "checkout"], RowFile(root / "rows.jsonl"), plan=PLAN
    )
    return {item["task"].partition("/")[0]: item for item in found}


@pytest.mark.parametrize("name", TASKS)
def test_a_foreign_task_gets_the_findings_of_its_fault_and_no_heavier_one(
    rows: dict[str, dict[str, Any]], name: str
) -> None:
    heavy = {item["code"] for item in rows[name]["findings"] if item["severity"] in ("blocker", "major")}
    assert heavy == TASKS[name][1], rows[name]
