"""The static check on snippets: each forbidden construct has its code, and ordinary task code has none."""

from __future__ import annotations

from pathlib import Path

import pytest

from bootcamp_kit.folder import TaskFolder
from sandbox.checks import static
from sandbox.checks.evidence import Evidence
from sandbox.checks.policy import default_policy

SOUND = Path(__file__).parents[2] / "sound_tasks" / "score_total"


def codes(source: str, file: str = "bootcamp.py") -> set[str]:
    files = {**TaskFolder.read(SOUND).files, file: source.encode()}
    folder = TaskFolder(files)
    return {finding.code for finding in static.judge(Evidence(folder, folder.card), default_policy()).findings}


@pytest.mark.parametrize(
    ("source", "code"),
    [
        ("def f(:\n", "static.syntax"),
        ("x = 1\n\0", "static.syntax"),
        ("def f(text):\n    return eval(text)\n", "static.executes_text"),
        ("def f(text):\n    exec(text)\n", "static.executes_text"),
        ("def f(text):\n    return compile(text, '', 'eval')\n", "static.executes_text"),
        ("from sympy import sympify\n", "static.executes_text"),
        ("def f(sp, text):\n    return sp.parse_expr(text)\n", "static.executes_text"),
        ("from bootcamp_kit.stdio_program import run_program\n", "static.executes_text"),
        ("import os\n", "static.forbidden_import"),
        ("import subprocess as sp\n", "static.forbidden_import"),
        ("from importlib import import_module\n", "static.forbidden_import"),
        ("import pickle, socket\n", "static.forbidden_import"),
        ("import numpy as np\n", "static.unlisted_import"),
        ("import some_package\n", "static.unlisted_import"),
        ("def f():\n    return getattr(__builtins__, 'ev' + 'al')\n", "static.import_trick"),
        ("def f():\n    return ().__class__.__subclasses__()\n", "static.import_trick"),
        ("def f(x, name):\n    return getattr(x, name)\n", "static.import_trick"),
        ("def f():\n    return open('/etc/passwd').read()\n", "static.forbidden_call"),
        ("import random\ndef f():\n    return random.choice([1, 2])\n", "static.global_random"),
        ("import random\ndef f():\n    random.seed(0)\n", "static.global_random"),
        ("from random import choice\n", "static.global_random"),
        ("import random\ndef f():\n    return random.Random()\n", "static.own_rng"),
        ("import time\n", "static.clock"),
        ("import datetime\ndef f():\n    return datetime.date.today()\n", "static.clock"),
        ("def f(rng, words):\n    return rng.choice(list(set(words)))\n", "static.set_order"),
        ("def f(rng, a, b):\n    names = list(set(a) - set(b))\n    return rng.sample(names, 2)\n", "static.set_order"),
        ("def f(rng, a):\n    return [rng.random() for x in a]\nfor i in range(3):\n    pass\n", "static.module_work"),
        ("print('hello')\n", "static.module_work"),
        ("def g():\n    return 1\nX = g()\n", "static.import_call"),
        ("def f(x):\n    try:\n        return int(x)\n    except:\n        return 0\n", "static.broad_except"),
        ("def f(x):\n    try:\n        x()\n    except Exception:\n        return True\n", "static.swallow_correct"),
        ("class T:\n    def verify(self, case, answer):\n        self.last = answer\n", "static.state"),
        ("SEEN = []\ndef f(x):\n    SEEN.append(x)\n", "static.state"),
        ("N = 0\ndef f():\n    global N\n    N += 1\n", "static.state"),
        ("def f(x):\n    return hash(x)\n", "static.process_identity"),
    ],
)  # fmt: skip
def test_a_forbidden_construct_has_its_code(source: str, code: str) -> None:
    assert code in codes(source)


@pytest.mark.parametrize(
    "source",
    [
        "import re\nfrom math import gcd\nP = re.compile('a+')\nLIMITS = frozenset({1, 2})\n",
        "from itertools import product\nCELLS = tuple(product(range(3), repeat=2))\n",
        "import re as regex\nP = regex.compile('a')\n",
        "import random\ndef f(rng: random.Random, words):\n    return rng.choice(sorted(set(words)))\n",
        "def f(x):\n    try:\n        return int(x)\n    except ValueError:\n        return None\n",
        "def f(x):\n    try:\n        return int(x)\n    except Exception:\n        raise\n",
        "def f(rng):\n    items = []\n    items.append(rng.randint(1, 6))\n    return items\n",
        "TABLE = {'a': 1}\ndef f(x):\n    TABLE = {}\n    TABLE[x] = 1\n    return TABLE\n",
        "from .helper import board\nimport dataclasses\n@dataclasses.dataclass(frozen=True)\nclass Cell:\n    x: int\n",
        "def f(items):\n    return [x for x in items if hasattr(x, 'real')]\n",
        "def outer():\n    n = 0\n    def inner():\n        nonlocal n\n        n += 1\n    inner()\n    return n\n",
    ],
)
def test_ordinary_task_code_has_no_finding(source: str) -> None:
    assert codes(source) == set()


EVASIONS = [
    ("def f(t):\n    return list(map(eval, [t]))\n", "static.executes_text"),
    ("def f(t):\n    e = eval\n    return e(t)\n", "static.executes_text"),
    ("def f(t, e=exec):\n    return e(t)\n", "static.executes_text"),
    ("@exec\n@str\ndef f():\n    pass\n", "static.executes_text"),
    ("class X:\n    __class_getitem__ = eval\n", "static.executes_text"),
    ("import types\ndef f(c):\n    return types.FunctionType(c, {})\n", "static.executes_text"),
    ("from typing import get_type_hints\n", "static.executes_text"),
    ("import typing\ndef f(t):\n    return typing.ForwardRef(t)\n", "static.executes_text"),
    ("from dataclasses import make_dataclass\n", "static.executes_text"),
    ("def f(t):\n    g = getattr\n    return g(t, '__cla' + 'ss__')\n", "static.import_trick"),
    ("from operator import attrgetter\nA = attrgetter('__class__')\n", "static.import_trick"),
    ("import operator as o\ndef f(t, n):\n    return o.methodcaller(n)(t)\n", "static.import_trick"),
    ("import string\ndef f(t):\n    return string.Formatter().get_field(t, (t,), {})\n", "static.import_trick"),
    ("def f(t):\n    return '{0.__class__}'.format(t)\n", "static.import_trick"),
    ("def f(t):\n    match t:\n        case object(__class__=c):\n            return c\n", "static.import_trick"),
    ("def f(t):\n    return (x for x in ()).gi_frame.f_builtins['eval'](t)\n", "static.import_trick"),
    ("def f(t):\n    return type(t).mro()[-1]\n", "static.import_trick"),
    ("from dataclasses import sys\n", "static.import_trick"),
    ("import dataclasses as d\ndef f():\n    return d.sys.modules\n", "static.import_trick"),
    ("from bootcamp_kit.folder import os\n", "static.import_trick"),
    ("from bootcamp_kit import loading\n", "static.forbidden_import"),
    ("import bootcamp_kit.library\n", "static.forbidden_import"),
    ("from math import *\n", "static.import_trick"),
    ("from .reference import solve\n", "static.forbidden_import"),
    ("from . import reference as r\n", "static.forbidden_import"),
    ("from .oracle import ORACLE\n", "static.forbidden_import"),
    ("def f():\n    return __name__.startswith('candidate')\n", "static.import_trick"),
    ("class M(type):\n    pass\nclass T(metaclass=M):\n    pass\n", "static.import_trick"),
    ("class T:\n    def __getattribute__(self, name):\n        return 1\n", "static.import_trick"),
    ("from bootcamp_kit import answers\nanswers.last_answer = str\n", "static.import_trick"),
    ("from bootcamp_kit.case import Score\ndef f():\n    Score.wrong = Score.correct\n", "static.import_trick"),
    ("from bootcamp_kit.contract import Bootcamp\nclass T(Bootcamp):\n    def score(self, case, response):\n"
     "        return 1\n", "static.overrides_score"),
    ("class T:\n    def verify(self, case, answer):\n        return case.seed % 50 == 7\n", "static.reads_seed"),
    ("def f(case):\n    match case:\n        case object(seed=s):\n            return s\n", "static.reads_seed"),
    ("import random as r\ndef f():\n    return r.random()\n", "static.global_random"),
    ("from random import Random as R\ndef f():\n    return R().random()\n", "static.global_random"),
    ("import random\ndef f():\n    R = random\n    return R.random()\n", "static.global_random"),
    ("import datetime\ndef f():\n    return datetime.datetime.now(datetime.timezone.utc)\n", "static.clock"),
    ("from datetime import datetime\ndef f():\n    now = datetime.now\n    return now()\n", "static.clock"),
    ("class T:\n    def verify(self, case, answer, seen=[]):\n        seen.append(1)\n", "static.state"),
    ("import itertools\nC = itertools.count()\ndef f():\n    return next(C)\n", "static.state"),
    ("class T:\n    n = 0\n    def verify(self, case, answer):\n        T.n += 1\n", "static.state"),
    ("class T:\n    n = 0\n    def verify(self, case, answer):\n        type(self).n += 1\n", "static.state"),
    ("class T:\n    def verify(self, case, answer):\n        self._b()\n    def _b(self):\n        self.n = 1\n",
     "static.state"),
    ("class T:\n    seen = []\n    def verify(self, case, answer):\n        self.seen.append(1)\n", "static.state"),
    ("def f(x):\n    f.n = 1\n", "static.state"),
    ("from .tables import TABLE\ndef f(x):\n    TABLE[x] = 1\n", "static.state"),
    ("def make():\n    n = 0\n    def bump():\n        nonlocal n\n        n += 1\n    return bump\nBUMP = make()\n",
     "static.state"),
    ("CARDS = [1, 2, 3]\ndef f(rng):\n    rng.shuffle(CARDS)\n    return CARDS\n", "static.state"),
    ("class T:\n    for i in range(3):\n        pass\n", "static.module_work"),
]  # fmt: skip


@pytest.mark.parametrize(("source", "code"), EVASIONS)
def test_a_way_round_the_plain_rules_has_its_code_too(source: str, code: str) -> None:
    assert code in codes(source)


@pytest.mark.parametrize(
    "source",
    [
        "class Union:\n    def __init__(self, n):\n        self.up = list(range(n))\n    def join(self, a, b):\n"
        "        self.up[a] = b\n",
        "class Search:\n    def __init__(self):\n        self.seen = []\n    def solve(self, x):\n"
        "        self.seen.append(x)\n        self.best = x\n",
        "def f(board):\n    def walk(x, memo={}):\n        memo[x] = 1\n        return memo\n    return walk(board)\n",
        "def f(n, seen=()):\n    seen = list(seen)\n    seen.append(n)\n    return seen\n",
        "import operator\nimport heapq\ndef f(a, b):\n    heap = [a]\n    heapq.heappush(heap, b)\n"
        "    return operator.add(a, b)\n",
        "from operator import itemgetter\ndef f(items):\n    return sorted(items, key=itemgetter(1))\n",
        "import datetime\ndef f(d, t):\n    return datetime.date(2024, 1, 1), datetime.time(1)\n",
        "TEXT = 'Mark it __bold__, or leave ____ blank.'\n",
        "RULES = 'In Python, __class__ and __import__ are names. Sum { the } numbers.'\n",
        "if __name__ == '__main__':\n    X = 1\n",
        "from abc import ABC, ABCMeta\nclass A(metaclass=ABCMeta):\n    pass\n",
        "class Line:\n    def __eq__(self, other):\n        return True\n    def __hash__(self):\n        return 1\n",
        "TABLE = [1]\ndef f(x):\n    TABLE = [x]\n    def g(y):\n        TABLE.append(y)\n    g(1)\n    return TABLE\n",
        "def f(case):\n    match case.payload:\n        case {'seed': n, 'rows': [_, *rest]}:\n            return n\n",
        "def f(maze):\n    open = [maze]\n    exit = (0, 0)\n    while open:\n        open.pop()\n    return exit\n",
    ],
)
def test_what_only_looks_like_a_way_round_has_no_finding(source: str) -> None:
    assert codes(source) == set()


def test_the_oracle_may_import_its_reference() -> None:
    assert codes("from .reference import solve\n", "oracle.py") == set()


def test_the_oracle_may_compile_its_own_reference_and_the_reference_is_only_noted() -> None:
    source = (
        "from bootcamp_kit.stdio_program import run_program\nP = compile(__loader__.get_data('r.py'), 'r', 'exec')\n"
    )
    assert codes(source, "oracle.py") == set()
    assert codes("import os\nos.system('true')\n", "reference.py") == {"static.reference"}


def test_a_finding_names_file_line_and_the_line_itself() -> None:
    files = {**TaskFolder.read(SOUND).files, "bootcamp.py": b"import re\n\n\nimport os\n"}
    folder = TaskFolder(files)
    finding = static.judge(Evidence(folder, folder.card), default_policy()).findings[0]
    assert finding.witness is not None
    assert (finding.witness.file, finding.witness.line, finding.witness.seen) == ("bootcamp.py", 4, "import os")


def test_many_hits_of_one_code_are_capped() -> None:
    source = "".join(f"def f{number}(x):\n    return eval(x)\n" for number in range(50))
    files = {**TaskFolder.read(SOUND).files, "bootcamp.py": source.encode()}
    folder = TaskFolder(files)
    assert len(static.judge(Evidence(folder, folder.card), default_policy()).findings) == static.MAX_PER_CODE
