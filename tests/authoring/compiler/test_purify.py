"""The pure form of a reference prints what the program prints, and what cannot be pure is refused."""

from __future__ import annotations

import ast
from types import ModuleType

import pytest

from authoring.compiler.outcome import Refused, Stage
from authoring.compiler.purify import purify
from bootcamp_kit.stdio_program import run_program

PROGRAMS = {
    "plain": "n = int(input())\nprint(n + 1)\n",
    "fast input under its old name": "import sys\ninput = sys.stdin.readline\nn = int(input())\nprint(n, sep='')\n",
    "everything at once": "import sys\nprint(sum(map(int, sys.stdin.read().split())))\n",
    "bytes": "import sys\ndata = sys.stdin.buffer.read().split()\nsys.stdout.buffer.write(data[0] + b'\\n')\n",
    "lines": "from sys import stdin, stdout\nfor line in stdin:\n    stdout.write(line.strip() + '\\n')\n",
    "a main with a guard": "def main():\n    print(int(input()) * 2)\n\n\nif __name__ == '__main__':\n    main()\n",
    "globals": (
        "total = 0\ndef add(x):\n    global total\n    total += x\nfor x in range(int(input())):\n"
        "    add(x)\nprint(total)\n"
    ),
    "an early end": "import sys\nn = int(input())\nif n:\n    print('early')\n    sys.exit()\nprint('late')\n",
    "exit by name": "print(input())\nexit(0)\nprint('never')\n",
    "imports inside": (
        "def f():\n    from math import gcd\n    import sys\n"
        "    return gcd(int(sys.stdin.readline()), 12)\nprint(f())\n"
    ),
    "a star": "from math import *\nfrom collections import deque\nprint(gcd(int(input()), 12), deque([1]))\n",
    "a builtin taken": "n = int(input())\nmax = max(n, 3)\nlist = [max] * 2\nprint(*list)\n",
    "its own input": "import sys\ndef input():\n    return sys.stdin.readline().strip()\nprint(input())\n",
    "its own console": "console = input()\nread_line = 3\nprint(console, read_line)\n",
    "several lines in a text": 'text = """one\n  two\nthree"""\nprint(text, input())\n',
    "continued lines": "n = int(\n  input()\n)\nprint(n + \\\n  1)\n",
    "tabs": "n = int(input())\nif n:\n\tfor i in range(2):\n\t\tprint(i)\n",
    "one line": "import sys; n = int(input()); print(n); print('x', file=sys.stderr)\n",
    "a cache": (
        "from functools import lru_cache\n@lru_cache(None)\ndef f(n):\n"
        "    return n if n < 2 else f(n - 1) + f(n - 2)\nprint(f(int(input())))\n"
    ),
    "a class": (
        "class Point:\n    seen = []\n    def __init__(self, x):\n        self.x = x\n"
        "        Point.seen.append(x)\np = Point(int(input()))\nprint(p.x, Point.seen)\n"
    ),
    "a default that is kept": (
        "def f(x, seen=[]):\n    seen.append(x)\n    return len(seen)\nn = int(input())\nprint(f(n), f(n))\n"
    ),
    "recursion": (
        "import sys\nsys.setrecursionlimit(10**6)\ndef f(n):\n"
        "    return 0 if n == 0 else 1 + f(n - 1)\nprint(f(int(input())))\n"
    ),
    "a docstring and umlauts": '"""Läuft über Zeilen."""\nn = int(input())  # größer\nprint("ä" * n, "é")\n',
    "a dataclass": (
        "from dataclasses import dataclass\n@dataclass(order=True)\nclass P:\n    x: int\n"
        "print(max(P(1), P(int(input()))).x)\n"
    ),
    "walrus and comprehension": (
        "if (n := int(input())) > 1:\n    print([i * n for i in range(n)], {k: n for k in 'ab'})\n"
    ),
    "one name imported twice": "import math as m\nfrom operator import mul\nfrom operator import add as m\n"
    "print(m(int(input('')), mul(2, 3)))\n",
    "a bare except beside an exit": "d = {}\nx = int(input())\ntry:\n    d[x] += 1\nexcept:\n    d[x] = 1\n"
    "print(max(d, key=d.__getitem__))\nexit()\n",
    "nothing but imports": "import math\n",
    "generators": "def up(n):\n    yield from range(n)\nprint(*up(int(input())))\n",
}


def solver(text: str) -> ModuleType:
    module = ModuleType("solver")
    exec(compile(text, "solver.py", "exec", dont_inherit=True), module.__dict__)  # noqa: S102 - our own programs, as above
    return module


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_the_pure_form_prints_the_same_and_remembers_nothing(program: str) -> None:
    module = solver(purify(program, title="T", author="compiler/1"))
    code = compile(program, "reference.py", "exec", dont_inherit=True)
    for stdin in ("7\n", "3\n", "12\n", "7\n"):
        assert module.solve(stdin) == run_program(code, stdin)


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_the_pure_form_calls_nothing_a_task_may_not_call(program: str) -> None:
    tree = ast.parse(purify(program, title="T", author="compiler/1"))
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    assert not names & {"input", "print", "sys", "exit", "open", "eval", "exec", "globals", "__name__"}
    assert not any(isinstance(node, ast.Global) for node in ast.walk(tree))


REFUSED = {
    "print(f'{input()}')": "f-string",
    "import sys as s\nprint(s.stdin.read())": "renames sys",
    "import sys\nprint(sys.argv)": "part of sys",
    "import sys\nsys.stdin = None": "changes the module",
    "import sys\nx = sys": "part of sys",
    "try:\n    from math import lcm\nexcept ImportError:\n    pass": "conditionally",
    "from . import helper": "another file",
    "def f():\n    global x\n    x = 1\nf()": "never set",
    "def f():\n    def g():\n        global x\n        x = 1\nx = 0": "inside a function inside",
    "from math import gcd\nprint(gcd(4, 6))\nfrom operator import add as gcd": "two places",
    "n = input('how many? ')": "prints a prompt",
    "try:\n    f = float(input())\n    exit()\nexcept:\n    pass": "catches every exception",
    "async def f():\n    pass": "asynchronous",
    "print(getattr(1, 'real'))": "interpreter",
    "print(hash('a'))": "process",
    "import decimal": "settings",
    "def f(print):\n    return print\nf(print=3)": "argument is named",
    "x = (": "not Python 3",
    "x = 1\0": "not Python 3",
}


@pytest.mark.parametrize(("program", "reason"), REFUSED.items(), ids=REFUSED.values())
def test_what_cannot_be_pure_is_refused(program: str, reason: str) -> None:
    with pytest.raises(Refused) as refused:
        purify(program, title="T", author="compiler/1")
    assert refused.value.refusal.stage is Stage.SOLUTION
    assert reason in refused.value.refusal.reason


def test_a_title_cannot_leave_its_docstring() -> None:
    text = purify("print(input())\n", title='Six """ quotes \\', author="compiler/1")
    assert solver(text).solve("x\n") == "x\n"
