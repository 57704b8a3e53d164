"""Sets, maps and priority queues that a translated program carries along."""

from __future__ import annotations

CONTAINERS: dict[str, tuple[str, tuple[str, ...]]] = {
    "Sorted": (
        '''
class Sorted:
    """A set or multiset; its elements in order."""

    def __init__(self, many=False, values=()):
        self.k = []
        self.many = many
        for value in values:
            self.insert(value)

    def insert(self, value):
        """Put it where it belongs; whether it is new."""
        place = bisect_right(self.k, value) if self.many else bisect_left(self.k, value)
        if not self.many and place < len(self.k) and not value < self.k[place]:
            return False
        self.k.insert(place, value)
        return True

    def count(self, value):
        """How often it is there."""
        return bisect_right(self.k, value) - bisect_left(self.k, value)

    def find(self, value):
        """Its place, or the end."""
        place = bisect_left(self.k, value)
        return place if place < len(self.k) and not value < self.k[place] else len(self.k)

    def remove(self, value):
        """Take out all that are equal; how many."""
        low, high = bisect_left(self.k, value), bisect_right(self.k, value)
        del self.k[low:high]
        return high - low

    def pop(self, place):
        """Take out the one at a place."""
        del self.k[place]

    def copy(self):
        """All of it."""
        other = Sorted(self.many)
        other.k = self.k[:]
        return other

    def assign(self, other):
        """Become equal to another."""
        self.k = other.k[:]

    def clear(self):
        """Take out all."""
        self.k = []

    def __len__(self):
        return len(self.k)

    def __eq__(self, other):
        return self.k == other.k

    def __lt__(self, other):
        return self.k < other.k
''',
        ("bisect_left", "bisect_right"),
    ),
    "Mapped": (
        '''
class Mapped(Sorted):
    """A map; its keys in order."""

    def __init__(self, make):
        self.k = []
        self.d = {}
        self.many = False
        self.make = make

    def __getitem__(self, key):
        if key not in self.d:
            self.insert(key)
            self.d[key] = self.make()
        return self.d[key]

    def __setitem__(self, key, value):
        if key not in self.d:
            self.insert(key)
        self.d[key] = value

    def add(self, key, value):
        """Put it in where the key is new; whether it was."""
        if key in self.d:
            return False
        self[key] = value
        return True

    def remove(self, key):
        """Take out a key; how many."""
        self.d.pop(key, None)
        return Sorted.remove(self, key)

    def pop(self, place):
        """Take out the one at a place."""
        del self.d[self.k[place]]
        del self.k[place]

    def copy(self):
        """All of it."""
        other = Mapped(self.make)
        other.assign(self)
        return other

    def assign(self, other):
        """Become equal to another."""
        self.k = other.k[:]
        self.d = {key: copied(value) for key, value in other.d.items()}

    def clear(self):
        """Take out all."""
        self.k = []
        self.d = {}

    def __eq__(self, other):
        return self.d == other.d
''',
        ("Sorted", "copied"),
    ),
    "Heap": (
        '''
class Heap:
    """A priority queue; its elements in order, the top last."""

    def __init__(self, less=None):
        self.less = less
        self.values = []

    def push(self, value):
        """Put it where it belongs."""
        low, high = 0, len(self.values)
        while low < high:
            middle = (low + high) // 2
            above = self.less(value, self.values[middle]) if self.less else value < self.values[middle]
            low, high = (low, middle) if above else (middle + 1, high)
        self.values.insert(low, value)

    def copy(self):
        """All of it."""
        other = Heap(self.less)
        other.values = copied(self.values)
        return other

    def assign(self, other):
        """Become equal to another."""
        self.values = copied(other.values)

    def __len__(self):
        return len(self.values)
''',
        ("copied",),
    ),
}
