"""Python 2 programs as Python 3 programs: each pair prints the same; what would silently differ is refused."""

from __future__ import annotations

import io
from contextlib import redirect_stdout
from typing import Any

import pytest

from authoring.compiler.python2 import looks_like_python2, translate
from authoring.compiler.python2_lexer import NotPython2
from authoring.compiler.python2_syntax import modern_syntax
from authoring.compiler.reference import readings
from bootcamp_kit.brief import Solution


def printed(code: str, stdin: str = "") -> str:
    """What a translation of one of the programs below prints; they are ours, so they may run here."""
    lines = iter(stdin.splitlines())
    names: dict[str, Any] = {"__name__": "__main__", "input": lambda: next(lines)}
    out = io.StringIO()
    with redirect_stdout(out):
        exec(compile(translate(code).code, "program.py", "exec", dont_inherit=True), names)  # noqa: S102 programs of this file
    return out.getvalue()


@pytest.mark.parametrize(
    ("code", "stdin", "expected"),
    [
        ("print 7 / 2, -7 / 2, 7.0 / 2", "", "3 -4 3.5\n"),
        ("x = 9\nx /= 2\nprint x", "", "4\n"),
        ("a = [7]\na[0] /= 2\nprint a[0] / 1", "", "3\n"),
        ("print (1 + 6) / (4 - 2) / 2", "", "1\n"),
        ("from __future__ import division\nprint 7 / 2", "", "3.5\n"),
        ("n = input()\nprint n + 1", "4", "5\n"),
        ("a, b = input()\nprint a * b", "3, 4", "12\n"),
        ("a = map(int, raw_input().split())\na.sort()\nprint a[-1]", "3 9 4", "9\n"),
        ("print len(filter(None, [0, 1, 2])), filter(str.isdigit, 'a1b2')", "", "2 12\n"),
        ("print map(None, [1, 2], [3])[1][1]", "", "None\n"),
        ("for i in 0, 1:\n\tif i:\n\t\tprint i,\n        else:\n                print 'e',\nprint", "", "e 1 \n"),
        ("d = {'a': 1}\nprint d.has_key('a'), d.has_key(('b')), d.keys()[0], d.items()[0][1]", "", "True False a 1\n"),
        ("for k, v in {1: 2}.iteritems():\n    print k, v", "", "1 2\n"),
        ("print sorted([3, 1, 2], lambda x, y: cmp(y, x))[0]", "", "3\n"),
        ("a = [3, 1, 2]\na.sort(cmp=lambda x, y: x - y)\nprint a[0]", "", "1\n"),
        ("a = [(1, 9), (2, 3)]\nprint sorted(a, key=lambda (x, y): y)[0][0]", "", "2\n"),
        ("print reduce(lambda a, b: a * b, [2, 3, 4])", "", "24\n"),
        ("print 10L ** 20, 017, 0xFFL, `5` + '6'", "", "100000000000000000000 15 255 56\n"),
        ("print 1 <> 2, not 1 <> 1", "", "True True\n"),
        ("try:\n    raise ValueError, 'bad'\nexcept (ValueError, KeyError), e:\n    print e", "", "bad\n"),
        ("import math\nprint math.floor(2.5), int(math.ceil(2.1)), round(2.5), round(-0.5)", "", "2.0 3 3.0 -1.0\n"),
        ("import string\nprint string.lowercase[:3], string.join(['a', 'b'])", "", "abc a b\n"),
        ("from itertools import izip\nprint list(izip([1], [2]))[0][1]", "", "2\n"),
        ("import sys\nprint sys.maxint", "", "9223372036854775807\n"),
        ("from fractions import gcd\nprint gcd(12, 18)", "", "6\n"),
        ("it = iter([5, 6])\nit.next()\nprint it.next()", "", "6\n"),
        ("print zip([1, 2], [3, 4])[1], range(3)[-1]", "", "(2, 4) 2\n"),
        ("print (1, 2), (3)", "", "(1, 2) 3\n"),
        ("def f(x): return x / 2\nif True: print f(5)", "", "2\n"),
        ("print '%d of %s' % (7 / 2, 'x')  # a comment, with 1 / 2\nprint u'ok'", "", "3 of x\nok\n"),
    ],
)  # fmt: skip
def test_a_translation_prints_what_python_2_prints(code: str, stdin: str, expected: str) -> None:
    assert printed(code, stdin) == expected


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("exec 'print 1'", "exec"),
        ("print [x for x in range(3)]\nprint x", "list comprehension"),
        ("for i in range(2):\n    a = [i for i in range(5)]\n    print i", "list comprehension"),
        ("class A:\n    def __cmp__(self, other):\n        return 0\nprint A() < A()", "__cmp__"),
        ("import sys\nprint 1,\nsys.stdout.write('2')", "comma"),
        ("from collections import Counter\nprint Counter('aab').most_common(1)", "most_common"),
        ("def f((a, b)):\n    return a\nprint f((1, 2))", "tuple"),
        ("print apply(max, [1, 2])", "apply"),
        ("print '''never closed", "cannot read"),
    ],
)
def test_what_would_mean_something_else_is_refused(code: str, reason: str) -> None:
    with pytest.raises(NotPython2, match=reason):
        translate(code)


def test_a_comprehension_whose_name_is_set_again_is_kept() -> None:
    assert printed("a = [x for x in range(3)]\nfor x in a:\n    print x") == "0\n1\n2\n"


def test_the_order_of_a_dictionary_is_turned_round_in_a_second_translation() -> None:
    made = translate("d = {1: 1, 2: 1}\nprint max(d.keys(), key=lambda k: d[k])")
    assert made.turned and made.turned != made.code
    assert not translate("d = {1: 1, 2: 1}\nprint sum(d.values())").turned


def test_text_that_both_can_read_is_read_as_both() -> None:
    """A division decides nothing on the samples perhaps: both readings have to agree wherever they are tried."""
    both = readings(Solution("python3", "import sys\nn = int(sys.stdin.readline())\nprint(n / 2)\n"))
    assert len(both) == 2
    assert both[0].other == both[1].code
    (only,) = readings(Solution("python3", "n = int(input())\nprint(*range(n), sep=' ')\nprint(n / 2)\n"))
    assert not only.other


def test_marks_of_python_2_are_known() -> None:
    assert looks_like_python2("print 1")
    assert looks_like_python2("n = int(raw_input())\nprint(n)")
    assert not looks_like_python2("print(input())")
    assert modern_syntax("x = 1 if 2 <> 3 else 4") == "x = 1 if 2 != 3 else 4"
