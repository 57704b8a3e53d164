"""What a translated program carries along: source text, one entry a helper, with the helpers it needs."""

from __future__ import annotations

from collections.abc import Iterable

from authoring.compiler.cpp.runtime_containers import CONTAINERS
from authoring.compiler.cpp.runtime_input import INPUT

HELPERS: dict[str, tuple[str, tuple[str, ...]]] = {
    "div": (
        '''
def div(a, b):
    """Integer division towards zero."""
    return a // b if (a < 0) == (b < 0) else -(-a // b)
''',
        (),
    ),
    "mod": (
        '''
def mod(a, b):
    """The remainder, with the sign of ``a``."""
    return a % b if a >= 0 < b else (abs(a) % abs(b) if a >= 0 else -(-a % abs(b)))
''',
        (),
    ),
    "signed": (
        '''
def signed(x, bits):
    """The value as two's complement of so many bits."""
    x &= (1 << bits) - 1
    return x - (1 << bits) if x >> (bits - 1) else x
''',
        (),
    ),
    "codes": (
        '''
def codes(text):
    """A text as the codes of its characters."""
    return [ord(char) for char in text]
''',
        (),
    ),
    "text": (
        '''
def text(codes):
    """Codes as a text."""
    return "".join([chr(code) for code in codes])
''',
        (),
    ),
    "c_text": (
        '''
def c_text(at):
    """The codes up to the zero."""
    found = []
    place = at.i
    while at.c[place]:
        found.append(at.c[place])
        place += 1
    return found
''',
        (),
    ),
    "At": (
        '''
class At:
    """A place in a sequence."""

    def __init__(self, c, i):
        self.c = c
        self.i = i

    def copy(self):
        """It never changes."""
        return self
''',
        (),
    ),
    "Lazy": (
        '''
class Lazy(dict):
    """A long array whose elements appear when they are used."""

    def __init__(self, make, whole):
        self.make = make
        self.whole = whole

    def __missing__(self, place):
        value = self.make()
        self[place] = value
        return value

    def copy(self):
        """All of it."""
        other = Lazy(self.make, self.whole)
        for place in self:
            other[place] = copied(self[place])
        return other
''',
        ("copied",),
    ),
    "copied": (
        '''
def copied(value):
    """A value with all its parts."""
    if isinstance(value, list):
        return [copied(part) for part in value]
    return value.copy() if has_parts(value) else value


def has_parts(value):
    """Whether it has parts of its own."""
    return not isinstance(value, (int, float, str, tuple, type(None), type(has_parts)))
''',
        (),
    ),
    "frozen": (
        '''
def frozen(value):
    """A value that can be a key."""
    return tuple([frozen(part) for part in value]) if isinstance(value, list) else value
''',
        (),
    ),
    "thawed": (
        '''
def thawed(value):
    """A key as the value it stands for."""
    return [thawed(part) for part in value] if isinstance(value, tuple) else value
''',
        (),
    ),
    "fill": (
        '''
def fill(array, value):
    """Set every element, however deep."""
    if isinstance(array, Lazy):
        array.clear()
        first = array.make()
        if isinstance(first, (list, Lazy)):
            make = array.make

            def filled():
                part = make()
                fill(part, value)
                return part

            array.make = filled
        else:
            array.make = lambda: value
        return
    for place in range(len(array)):
        if isinstance(array[place], (list, Lazy)):
            fill(array[place], value)
        else:
            array[place] = value
''',
        ("Lazy",),
    ),
    "by": (
        '''
def by(less):
    """A sort key from a comparison."""
    return cmp_to_key(lambda a, b: -1 if less(a, b) else 1 if less(b, a) else 0)
''',
        ("cmp_to_key",),
    ),
    "part": (
        '''
def part(c, low, high):
    """Elements of a sequence."""
    return [c[place] for place in range(low, high)]
''',
        (),
    ),
    "put": (
        '''
def put(c, low, values):
    """Write elements."""
    for place, value in enumerate(values, low):
        c[place] = value
''',
        (),
    ),
    "sort": (
        '''
def sort(c, low, high, less=None, back=False):
    """Sort a part."""
    values = part(c, low, high)
    values.sort(key=by(less) if less else None)
    put(c, low, values[::-1] if back else values)
''',
        ("part", "put", "by"),
    ),
    "reverse": (
        '''
def reverse(c, low, high):
    """Turn a part round."""
    put(c, low, part(c, low, high)[::-1])
''',
        ("part", "put"),
    ),
    "set_all": (
        '''
def set_all(c, low, high, value):
    """Set a part."""
    for place in range(low, high):
        c[place] = copied(value)
''',
        ("copied",),
    ),
    "lower": (
        '''
def lower(c, low, high, value, less=None):
    """The first place whose element is not below the value."""
    while low < high:
        middle = (low + high) // 2
        if less(c[middle], value) if less else c[middle] < value:
            low = middle + 1
        else:
            high = middle
    return low
''',
        (),
    ),
    "upper": (
        '''
def upper(c, low, high, value, less=None):
    """The first place whose element is above the value."""
    while low < high:
        middle = (low + high) // 2
        if less(value, c[middle]) if less else value < c[middle]:
            high = middle
        else:
            low = middle + 1
    return low
''',
        (),
    ),
    "unique": (
        '''
def unique(c, low, high):
    """Move the first of equal neighbours to the front; where they end."""
    end = low
    for place in range(low, high):
        if end == low or c[end - 1] != c[place]:
            c[end] = c[place]
            end += 1
    return end
''',
        (),
    ),
    "best": (
        '''
def best(c, low, high, most):
    """The place of the largest or the smallest element, the first of equals."""
    found = low
    for place in range(low + 1, high):
        if c[found] < c[place] if most else c[place] < c[found]:
            found = place
    return found
''',
        (),
    ),
    "find": (
        '''
def find(c, low, high, value):
    """The first place of a value, or the end."""
    for place in range(low, high):
        if c[place] == value:
            return place
    return high
''',
        (),
    ),
    "permute": (
        '''
def permute(c, low, high):
    """The next arrangement in order; whether there was one."""
    values = part(c, low, high)
    left = len(values) - 2
    while left >= 0 and not values[left] < values[left + 1]:
        left -= 1
    if left < 0:
        put(c, low, values[::-1])
        return False
    right = len(values) - 1
    while not values[left] < values[right]:
        right -= 1
    values[left], values[right] = values[right], values[left]
    values[left + 1 :] = values[left + 1 :][::-1]
    put(c, low, values)
    return True
''',
        ("part", "put"),
    ),
    "search": (
        '''
def search(codes, part, start=0):
    """Where a string has a part, or 2**64 - 1."""
    for place in range(start, len(codes) - len(part) + 1):
        if codes[place : place + len(part)] == part:
            return place
    return 18446744073709551615
''',
        (),
    ),
    **CONTAINERS,
    **INPUT,
    "real_text": (
        '''
def real_text(value, style):
    """A real number as ``cout`` writes it."""
    return ("%.*f" if style[1] else "%.*g") % (style[0], value)
''',
        (),
    ),
}
"""Name → its text and what it uses."""

IMPORTS = {
    "bisect_left": "from bisect import bisect_left",
    "bisect_right": "from bisect import bisect_right",
    "cmp_to_key": "from functools import cmp_to_key",
    "gcd": "from math import gcd",
    "math": "import math",
    "deque": "from collections import deque",
}
NAMES = frozenset({*HELPERS, *IMPORTS, "sys", "reader", "write", "style", "has_parts"})


def text_of(used: Iterable[str]) -> tuple[list[str], list[str]]:
    """The import lines and helpers that these need, in a fixed order."""
    needed, waiting = set[str](), list(used)
    while waiting:
        name = waiting.pop()
        if name not in needed:
            needed.add(name)
            waiting += HELPERS[name][1] if name in HELPERS else ()
    imports = sorted(IMPORTS[name] for name in needed if name in IMPORTS)
    return imports, [text for name, (text, _) in HELPERS.items() if name in needed]
