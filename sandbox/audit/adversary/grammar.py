"""A grammar of answers, learned from right ones: their tokens, how they are divided, and what no author thinks of."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bootcamp_kit.answers import CLOSE, OPEN
from bootcamp_kit.case import Case
from sandbox.checks.cheap import CONSTANTS, rendered
from sandbox.checks.structure import INTEGER

TOKEN = re.compile(r"-?\d+(?:\.\d+)?|[^\W\d_]+|\s+|.", re.DOTALL)
SEPARATORS = (" ", ", ", ",", ";", "; ", "\n", " | ", "|", "/", "\t", " or ", " and ", ":", "-", "")
WRAPS = (
    ("[", "]"), ("(", ")"), ("{", "}"), ('"', '"'), ("$", "$"), ("**", "**"), ("\\boxed{", "}"), ("```\n", "\n```"),
    (OPEN, CLOSE), ("any of ", ""), ("not ", ""), ("", " etc."), ("", "."), ("", "!"), ("+", ""), ("0", ""),
    ("", ".0"), ("", "e0"), ("", "%"), ("\u200b", ""), ("", "\u00a0"), ("~", ""), (">=", ""), ("<=", ""), ("", "…"),
)  # fmt: skip
LENGTHS = (0, 1, 2, 3, 5, 8, 13, 30, 64, 130, 300, 1_100)
MAX_CONTENT = 6_000
MAX_POOL = 60
FEW = 12


@dataclass(frozen=True, slots=True)
class Grammar:
    """What answers are made of.

    Attributes:
        shapes: Different right answers, as tokens.
        numbers, words, symbols: Tokens seen in right answers.
        choices: Declared choices.
    """

    shapes: tuple[tuple[str, ...], ...]
    numbers: tuple[str, ...]
    words: tuple[str, ...]
    symbols: tuple[str, ...]
    choices: tuple[str, ...]

    @classmethod
    def learn(cls, contents: Sequence[str], choices: tuple[str, ...]) -> Grammar:
        """From the contents of right answers."""
        shapes = tuple(tuple(TOKEN.findall(text.strip())[:400]) for text in dict.fromkeys(contents))
        tokens = list(dict.fromkeys(token for shape in shapes for token in shape if not token.isspace()))
        numbers = [token for token in tokens if token.lstrip("-")[:1].isdigit()]
        words = [token for token in tokens if token[:1].isalpha()]
        symbols = [token for token in tokens if token not in numbers and token not in words]
        return cls(shapes, tuple(numbers[:MAX_POOL]), tuple(words[:MAX_POOL]), tuple(symbols[:MAX_POOL]), choices)

    def systematic(self) -> Iterator[str]:
        """Answers that name everything, in every way of dividing; and very long and very odd ones."""
        integers = [int(number) for number in self.numbers if INTEGER.fullmatch(number) and len(number) < 9]
        low, high = (min(0, *integers), max(0, *integers)) if integers else (0, 9)
        pools: list[Sequence[str]] = [self.choices, self.words, self.symbols, self.numbers]
        pools += [[str(number) for number in range(low, min(high, low + 1_000) + 1)]]
        for pool in pools:
            for separator in SEPARATORS if len(pool) > 1 else ():
                yield separator.join(pool)
        for token in (*self.numbers[:3], *self.words[:3], *self.symbols[:3], "0", "1"):
            for length in LENGTHS:
                yield " ".join([token] * length)
                yield token * length
        yield from CONSTANTS
        for shape in self.shapes[:FEW]:
            text = "".join(shape)
            yield from (before + text + after for before, after in WRAPS)

    def fresh(self, rng: random.Random, case: Case | None = None) -> str:
        """A random answer; with a case, from its payload too."""
        pool = self._pool(rng, case)
        kind = rng.randrange(6)
        if kind < 3 and self.shapes:
            return self._filled(rng, pool)
        if kind == 3:
            return rng.choice(SEPARATORS).join(rng.choice(pool) for _ in range(rng.choice(LENGTHS)))
        if kind == 4:
            inner = [rng.choice(pool) for _ in range(rng.choice(LENGTHS[:6]))]
            return json.dumps(rng.choice(([inner], inner, {rng.choice(pool): inner}, [[item] for item in inner])))
        before, after = rng.choice(WRAPS)
        return f"{before}{self._filled(rng, pool)}{after}"

    def changed(self, rng: random.Random, content: str, case: Case | None = None) -> str:
        """One edit of an answer."""
        tokens = TOKEN.findall(content[:MAX_CONTENT]) or [""]
        place, pool = rng.randrange(len(tokens)), self._pool(rng, case)
        kind = rng.randrange(10)
        if kind < 3:
            tokens[place] = rng.choice(pool)
        elif kind == 3:
            tokens[place : place + 1] = []
        elif kind == 4:
            tokens[place:place] = [rng.choice(pool), rng.choice(SEPARATORS)]
        elif kind == 5:
            tokens[place] = _stepped(tokens[place], rng)
        elif kind == 6:
            other = rng.randrange(len(tokens))
            tokens[place], tokens[other] = tokens[other], tokens[place]
        elif kind == 7:
            tokens = [*tokens, rng.choice(SEPARATORS), *tokens]
        elif kind == 8:
            blank, mark = tokens[place] if tokens[place].isspace() else " ", rng.choice(SEPARATORS)
            tokens = [mark if token == blank else token for token in tokens]
        else:
            before, after = rng.choice(WRAPS)
            tokens = [before, *tokens, after]
        return "".join(tokens)[:MAX_CONTENT]

    def _pool(self, rng: random.Random, case: Case | None) -> Sequence[str]:
        pools: list[Sequence[str]] = [pool for pool in (self.numbers, self.words, self.symbols, self.choices) if pool]
        if case is not None:
            pools.append(TOKEN.findall(rendered(case.payload)[:2_000])[:MAX_POOL] or ["0"])
        pools.append(("0", "1", "-1", "2", "10", "100", "999999", "a", "x", "?"))
        return rng.choice(pools)

    def _filled(self, rng: random.Random, pool: Sequence[str]) -> str:
        shape = rng.choice(self.shapes) if self.shapes else ("0",)
        return "".join(
            token if token.isspace() or rng.random() < 0.4 else self._like(token, rng, pool) for token in shape
        )

    def _like(self, token: str, rng: random.Random, pool: Sequence[str]) -> str:
        for same in (self.numbers, self.words, self.symbols):
            if token in same and rng.random() < 0.7:
                return _stepped(rng.choice(same), rng) if rng.random() < 0.3 else rng.choice(same)
        return rng.choice(pool)


def _stepped(token: str, rng: random.Random) -> str:
    if INTEGER.fullmatch(token) and len(token) < 15:
        number = int(token)
        return str(rng.choice((number + 1, number - 1, -number, number * 2, number // 2, number * 10, number % 10)))
    return rng.choice((token.upper(), token.lower(), token[::-1], token[:-1], token * 2))
