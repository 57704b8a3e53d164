"""What Python 2's names mean in Python 3, and the helpers that a translated program carries."""

from __future__ import annotations

NAMES = {
    "xrange": "range",
    "raw_input": "input",
    "unichr": "chr",
    "unicode": "str",
    "basestring": "str",
    "long": "int",
    "cmp": "py2_cmp",
    "reduce": "reduce",
    "izip": "zip",
    "imap": "map",
    "ifilter": "filter",
    "izip_longest": "zip_longest",
    "round": "py2_round",
    "gcd": "gcd",
}
"""Builtins (and names from ``itertools``) → what they are called now."""

ATTRIBUTES = {
    ("sys", "maxint"): "9223372036854775807",
    ("string", "lowercase"): "string.ascii_lowercase",
    ("string", "uppercase"): "string.ascii_uppercase",
    ("string", "letters"): "string.ascii_letters",
    ("string", "maketrans"): "str.maketrans",
    ("itertools", "izip"): "zip",
    ("itertools", "imap"): "map",
    ("itertools", "ifilter"): "filter",
    ("itertools", "izip_longest"): "itertools.zip_longest",
    ("math", "floor"): "py2_floor",
    ("math", "ceil"): "py2_ceil",
    ("fractions", "gcd"): "py2_gcd",
    ("string", "join"): "py2_join",
    ("string", "split"): "str.split",
    ("string", "strip"): "str.strip",
    ("string", "atoi"): "int",
    ("string", "replace"): "str.replace",
    ("string", "find"): "str.find",
    ("string", "upper"): "str.upper",
    ("string", "lower"): "str.lower",
}
"""Module and attribute → an expression."""

IMPORTED = {
    ("itertools", "izip"): ("", "zip"),
    ("itertools", "imap"): ("", "map"),
    ("itertools", "ifilter"): ("", "filter"),
    ("itertools", "izip_longest"): ("itertools", "zip_longest"),
    ("fractions", "gcd"): ("", "py2_gcd"),
    ("math", "floor"): ("", "py2_floor"),
    ("math", "ceil"): ("", "py2_ceil"),
    ("string", "maketrans"): ("", "str.maketrans"),
    ("string", "lowercase"): ("string", "ascii_lowercase"),
    ("string", "ascii_letters"): ("string", "ascii_letters"),
    ("string", "join"): ("", "py2_join"),
    ("sys", "maxint"): ("", "9223372036854775807"),
}
"""What ``from module import name`` gives now: (module, name), or ("", an expression)."""

GONE = {
    "apply": "apply",
    "buffer": "buffer",
    "coerce": "coerce",
    "execfile": "execfile",
    "file": "file",
    "intern": "intern",
    "reload": "reload",
}
"""Builtins without a counterpart."""

HELPERS: dict[str, tuple[str, ...]] = {
    "py2_div": (
        "def py2_div(a, b):",
        '    """Python 2\'s division: integers give an integer."""',
        "    return a // b if isinstance(a, int) and isinstance(b, int) else a / b",
    ),
    "py2_cmp": (
        "def py2_cmp(a, b):",
        '    """Python 2\'s cmp."""',
        "    return (a > b) - (a < b)",
    ),
    "py2_input": (
        "def py2_input():",
        '    """Python 2\'s input(), for numbers."""',
        "    text = input().strip()",
        '    if "," in text:',
        '        return tuple(int(part) for part in text.split(","))',
        "    try:",
        "        return int(text)",
        "    except ValueError:",
        "        return float(text)",
    ),
    "py2_map": (
        "def py2_map(f, *lists):",
        '    """Python 2\'s map over several lists."""',
        "    rows = zip_longest(*lists)",
        "    return [row if f is None else f(*row) for row in rows] if len(lists) > 1 else "
        "[row[0] if f is None else f(row[0]) for row in rows]",
    ),
    "py2_filter": (
        "def py2_filter(f, values):",
        '    """Python 2\'s filter: a string gives a string."""',
        "    kept = list(filter(f, values))",
        '    return "".join(kept) if isinstance(values, str) else tuple(kept) if isinstance(values, tuple) else kept',
    ),
    "py2_has": (
        "def py2_has(table, key):",
        '    """Python 2\'s has_key."""',
        "    return key in table",
    ),
    "py2_round": (
        "def py2_round(x, digits=0):",
        '    """Python 2\'s round, of whole results: a float, halves away from zero."""',
        "    if digits:",
        "        return round(x, digits)",
        "    whole = math.floor(abs(x))",
        "    whole += abs(x) - whole >= 0.5",
        "    return float(whole if x >= 0 else -whole)",
    ),
    "py2_floor": (
        "def py2_floor(x):",
        '    """Python 2\'s floor: a float."""',
        "    return float(math.floor(float(x)))",
    ),
    "py2_ceil": ("def py2_ceil(x):", '    """Python 2\'s ceil: a float."""', "    return float(math.ceil(float(x)))"),
    "py2_join": (
        "def py2_join(words, sep=' '):",
        '    """Python 2\'s string.join."""',
        "    return sep.join(words)",
    ),
    "py2_gcd": (
        "def py2_gcd(a, b):",
        '    """Python 2\'s fractions.gcd: the sign of b."""',
        "    while b:",
        "        a, b = b, a % b",
        "    return a",
    ),
}
"""Name → lines."""

NEEDS = {
    "py2_map": "from itertools import zip_longest",
    "py2_round": "import math",
    "py2_floor": "import math",
    "py2_ceil": "import math",
}
"""Helper → the import it needs."""

SPECIAL = frozenset(
    [
        "__init__",
        "__lt__",
        "__le__",
        "__gt__",
        "__ge__",
        "__eq__",
        "__ne__",
        "__hash__",
        "__len__",
        "__iter__",
        "__getitem__",
        "__setitem__",
        "__contains__",
        "__str__",
        "__repr__",
        "__add__",
        "__sub__",
        "__mul__",
        "__mod__",
        "__neg__",
        "__pow__",
        "__call__",
        "__radd__",
        "__rmul__",
        "__iadd__",
        "__delitem__",
        "__lshift__",
        "__rshift__",
        "__reversed__",
        "__missing__",
        "__and__",
        "__or__",
        "__xor__",
        "__rsub__",
        "__isub__",
        "__abs__",
        "__next__",
        "__enter__",
        "__exit__",
        "__doc__",
        "__name__",
        "__slots__",
    ]
)
"""Special methods that mean the same in both."""
