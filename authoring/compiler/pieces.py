"""The building blocks that generated tasks carry in their ``instances.py``: source text, one entry a helper.

They are written into each task instead of living in the kit: a merged task must draw the same cases for ever, whatever
a later version of the compiler does better.
"""

from __future__ import annotations

MIXES: dict[str, dict[str, tuple[str, ...] | tuple[int, ...]]] = {
    "mixed": {
        "NUMBER_STYLES": ("any", "any", "few", "block", "nearly sorted", "walk", "small"),
        "ORDER_STYLES": ("any", "any", "few swaps", "rotated", "reversed part"),
        "WORD_STYLES": ("any", "any", "runs", "block", "mirror"),
        "GRID_STYLES": ("any", "any", "patches", "repeated rows"),
        "REACHES": (0,),
    },
    "scaled": {
        "NUMBER_STYLES": ("any", "small", "few", "narrow", "walk"),
        "ORDER_STYLES": ("any", "few swaps", "reversed part"),
        "WORD_STYLES": ("any", "runs", "block", "mirror"),
        "GRID_STYLES": ("any", "patches", "sparse", "repeated rows"),
        "REACHES": (2, 4, 8, 16, 40, 0),
    },
    "random": {
        "NUMBER_STYLES": ("any",),
        "ORDER_STYLES": ("any",),
        "WORD_STYLES": ("any",),
        "GRID_STYLES": ("any", "sparse"),
        "REACHES": (6, 0),
    },
}
"""Which styles each mix draws from, in the order the mixes are tried."""

STYLES_OF = {
    "number": "REACHES",
    "between": "REACHES",
    "numbers": "NUMBER_STYLES",
    "permutation": "ORDER_STYLES",
    "distinct_numbers": "ORDER_STYLES",
    "word": "WORD_STYLES",
    "grid": "GRID_STYLES",
}

NEEDS = {"graph": ("tree",), "number": ("window",), "distinct_numbers": ("reordered",), "permutation": ("reordered",)}

HELPERS: dict[str, str] = {
    "size": '''
def size(rng: random.Random, low: int, high: int, most: int) -> int:
    """A size near the largest that the level allows."""
    top = max(low, min(high, most))
    return rng.randint(max(low, top - top // 4), top)
''',
    "window": '''
def window(low: int, high: int, most: int) -> tuple[int, int]:
    """The part of [low, high] whose values are at most ``most`` in size."""
    if high <= 0:
        return min(high, max(low, -most)), high
    return min(high, max(low, -most)), max(low, min(high, most))
''',
    "number": '''
def number(rng: random.Random, low: int, high: int, most: int) -> int:
    """One value in [low, high] of at most ``most`` in size; large ones come more often."""
    low, high = window(low, high, most)
    reach = rng.choice(REACHES)
    if reach:
        return rng.randint(max(low, -reach), min(high, max(low, 0) + reach))
    value = rng.randint(low, high)
    return value if low < 0 else max(value, rng.randint(low, high))
''',
    "of_parity": '''
def of_parity(value: int, low: int, high: int, odd: int) -> int:
    """The value, or one beside it, that is odd or even."""
    if value % 2 == odd:
        return value
    return value + 1 if value + 1 <= high else max(low, value - 1)
''',
    "tree": '''
def tree(rng: random.Random, nodes: int) -> list[tuple[int, int]]:
    """The edges of a tree of one of several shapes, its nodes numbered at random."""
    shape = rng.choice(("any", "any", "path", "star", "deep", "two stars", "binary"))
    names = list(range(1, nodes + 1))
    rng.shuffle(names)
    edges = []
    for at in range(1, nodes):
        above = {
            "path": at - 1,
            "star": 0,
            "deep": max(0, at - rng.randint(1, 3)),
            "two stars": (at - 2) % 2 if at > 1 else 0,
            "binary": (at - 1) // 2,
        }.get(shape, rng.randrange(at))
        edges.append((names[above], names[at]) if rng.random() < 0.5 else (names[at], names[above]))
    rng.shuffle(edges)
    return edges
''',
    "graph": '''
def graph(rng: random.Random, nodes: int, count: int, *, connected: bool) -> list[tuple[int, int]]:
    """``count`` different edges between different nodes; a tree and more where it has to be connected."""
    some = rng.random() < 0.3
    edges = tree(rng, nodes)[:count] if connected or some else []
    seen = {frozenset(edge) for edge in edges}
    left = [(u, v) for u in range(1, nodes + 1) for v in range(u + 1, nodes + 1) if frozenset((u, v)) not in seen]
    edges += [(u, v) if rng.random() < 0.5 else (v, u) for u, v in rng.sample(left, count - len(edges))]
    rng.shuffle(edges)
    return edges
''',
    "between": '''
def between(rng: random.Random, low: int, high: int) -> int:
    """A value in [low, high]; either end comes a little more often."""
    reach = rng.choice(REACHES)
    if reach and low >= 0:
        return rng.randint(low, min(high, low + reach))
    return rng.choice((low, high, *(rng.randint(low, high) for _ in range(6))))
''',
    "numbers": '''
def numbers(rng: random.Random, count: int, low: int, high: int) -> list[int]:
    """``count`` values in [low, high], in one of several styles."""
    style = rng.choice(NUMBER_STYLES)
    if style == "small":
        reach = rng.choice((1, 2, 3, 6, 12))
        low, high = max(low, -reach), min(high, max(low, 0) + reach)
    elif style == "narrow":
        low = rng.randint(low, high)
        high = min(high, low + rng.choice((2, 5, 10)))
    values = [rng.randint(low, high) for _ in range(count)]
    if style == "few":
        pool = values[: rng.randint(2, 4)]
        values = [rng.choice(pool) for _ in range(count)]
    elif style == "block":
        block = values[: rng.randint(2, max(2, count // 2))]
        values = [block[at % len(block)] for at in range(count)]
        values[rng.randrange(count)] = rng.randint(low, high)
    elif style == "nearly sorted":
        values.sort(reverse=rng.random() < 0.5)
        first, second = rng.randrange(count), rng.randrange(count)
        values[first], values[second] = values[second], values[first]
    elif style == "walk":
        step = max(1, (high - low) // 6)
        for at in range(1, count):
            values[at] = min(high, max(low, values[at - 1] + rng.randint(-step, step)))
    return values
''',
    "reordered": '''
def reordered(rng: random.Random, values: list[int]) -> list[int]:
    """The sorted values in an order of one of several styles."""
    style = rng.choice(ORDER_STYLES)
    if style == "any":
        rng.shuffle(values)
    elif style == "few swaps":
        for _ in range(rng.randint(1, 3)):
            first, second = rng.randrange(len(values)), rng.randrange(len(values))
            values[first], values[second] = values[second], values[first]
    else:
        cut, end = sorted((rng.randrange(len(values) + 1), rng.randrange(len(values) + 1)))
        rotated = values[cut:] + values[:cut]
        values = rotated if style == "rotated" else values[:cut] + values[cut:end][::-1] + values[end:]
    return values
''',
    "permutation": '''
def permutation(rng: random.Random, count: int) -> list[int]:
    """1 … count in some order."""
    return reordered(rng, list(range(1, count + 1)))
''',
    "distinct_numbers": '''
def distinct_numbers(rng: random.Random, count: int, low: int, high: int) -> list[int]:
    """``count`` different values in [low, high]."""
    return reordered(rng, sorted(rng.sample(range(low, high + 1), count)))
''',
    "word": '''
def word(rng: random.Random, length: int, alphabet: str) -> str:
    """A string over the alphabet or a few of its letters, in one of several styles."""
    style = rng.choice(WORD_STYLES)
    if len(alphabet) > 4 and rng.random() < 0.8:
        alphabet = "".join(rng.sample(alphabet, rng.randint(2, 5)))
    letters = [rng.choice(alphabet) for _ in range(length)]
    if style == "runs":
        for at in range(1, length):
            if rng.random() < 0.6:
                letters[at] = letters[at - 1]
    elif style == "block":
        block = letters[: rng.randint(1, max(1, length // 2))]
        letters = [block[at % len(block)] for at in range(length)]
        letters[rng.randrange(length)] = rng.choice(alphabet)
    elif style == "mirror":
        letters = [letters[min(at, length - 1 - at)] for at in range(length)]
        letters[rng.randrange(length)] = rng.choice(alphabet)
    return "".join(letters)
''',
    "with_sum": '''
def with_sum(rng: random.Random, values: list[int], low: int, high: int, total: int) -> list[int]:
    """The values, moved inside [low, high] until they add up to ``total``; as they are where none can."""
    if not len(values) * low <= total <= len(values) * high:
        return values
    values = [min(high, max(low, value)) for value in values]
    left = total - sum(values)
    while left:
        at = rng.randrange(len(values))
        room = min(high - values[at], left) if left > 0 else max(low - values[at], left)
        step = rng.randint(1, room) if room > 0 else rng.randint(room, -1) if room < 0 else 0
        values[at] += step
        left -= step
    return values
''',
    "holding_all": '''
def holding_all(rng: random.Random, values: list[int], low: int, high: int, most: int) -> list[int]:
    """The values, some of them replaced so that each of 1 … ``most`` is there; as they are where that cannot be."""
    if len(values) < most or low > 1 or high < most:
        return values
    values = list(values)
    for value, at in enumerate(rng.sample(range(len(values)), most), 1):
        values[at] = value
    return values
''',
    "shared_out": '''
def shared_out(rng: random.Random, most: int) -> list[list[int]]:
    """The numbers 1 … ``most`` in some order, two in each row."""
    numbers = list(range(1, most + 1))
    rng.shuffle(numbers)
    return [numbers[at : at + 2] for at in range(0, most - 1, 2)]
''',
    "mirrored": '''
def mirrored(text: str) -> str:
    """The word that begins like ``text`` and reads the same backwards."""
    half = len(text) // 2
    return text[: len(text) - half] + text[:half][::-1]
''',
    "grid": '''
def grid(rng: random.Random, rows: int, columns: int, symbols: str) -> list[str]:
    """Rows of symbols whose shares differ from grid to grid, in one of several styles."""
    style = rng.choice(GRID_STYLES)
    weights = [rng.randint(1, 6) for _ in symbols]
    if style == "sparse":
        weights[rng.randrange(len(weights))] = 25
    cells = [rng.choices(symbols, weights, k=columns) for _ in range(rows)]
    if style == "patches":
        for _ in range(rng.randint(1, 4)):
            top, left = rng.randrange(rows), rng.randrange(columns)
            height, width, symbol = rng.randint(1, rows), rng.randint(1, columns), rng.choice(symbols)
            for row in cells[top : top + height]:
                row[left : left + width] = [symbol] * len(row[left : left + width])
    elif style == "repeated rows":
        for at in range(1, rows):
            if rng.random() < 0.5:
                cells[at] = list(cells[at - 1])
                cells[at][rng.randrange(columns)] = rng.choice(symbols)
    return ["".join(row) for row in cells]
''',
}
