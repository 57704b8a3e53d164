"""What conditions may ask of values. The text of these functions is also written into generated tasks, as it stands."""

from __future__ import annotations


def is_prime(value: int) -> bool:
    """Whether a number has exactly two divisors; by Miller and Rabin, exact far beyond 64 bits."""
    small = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37)
    if value < 2 or any(value % prime == 0 for prime in small):
        return value in small
    odd, halves = value - 1, 0
    while odd % 2 == 0:
        odd, halves = odd // 2, halves + 1
    for base in small:
        power = pow(base, odd, value)
        if power not in (1, value - 1) and all(pow(power, 2**at, value) != value - 1 for at in range(1, halves)):
            return False
    return True


def is_power_of_two(value: int) -> bool:
    """Whether a number is 1, 2, 4, 8 and so on."""
    return value > 0 and value & (value - 1) == 0


def is_palindrome(values: list[int] | str) -> bool:
    """Whether a word or a list reads the same backwards."""
    return values == values[::-1]


def all_distinct(*parts: list[int] | list[str]) -> bool:
    """Whether no value comes twice in all the lists together."""
    values = [value for part in parts for value in part]
    return len(set(values)) == len(values)


def rises(values: list[int]) -> bool:
    """Whether each value is greater than the one before."""
    return all(values[at] < values[at + 1] for at in range(len(values) - 1))


def never_falls(values: list[int]) -> bool:
    """Whether no value is smaller than the one before."""
    return all(values[at] <= values[at + 1] for at in range(len(values) - 1))


def holds_all(values: list[int], most: int) -> bool:
    """Whether each of 1 … ``most`` comes at least once."""
    return set(range(1, most + 1)) <= set(values)


def one_each(most: int, *parts: list[int]) -> bool:
    """Whether the lists together hold each of 1 … ``most`` exactly once."""
    return sorted(value for part in parts for value in part) == list(range(1, most + 1))


def total_length(words: list[str]) -> int:
    """How many characters all words have together."""
    return sum(map(len, words))
