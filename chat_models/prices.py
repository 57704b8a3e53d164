"""What models cost, from a file the user keeps. None is shipped: prices change, and a stale one is worse than none."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from bootcamp_kit.errors import UsageError
from bootcamp_kit.jsondata import Json
from chat_models.effort import split_effort
from chat_models.protocol import Usage


@dataclass(frozen=True, slots=True)
class Price:
    """Dollars per million tokens."""

    input: float
    output: float
    cached_input: float

    def of(self, usage: Usage) -> float:
        """Dollars for ``usage``."""
        fresh = max(0, usage.input_tokens - usage.cached_input_tokens)
        cost = fresh * self.input + usage.cached_input_tokens * self.cached_input + usage.output_tokens * self.output
        return cost / 1e6


@dataclass(frozen=True, slots=True)
class Prices:
    """Model name (``PROVIDER:MODEL``) → price."""

    table: Mapping[str, Price] = field(default_factory=dict)

    @classmethod
    def read(cls, path: Path) -> Prices:
        """Read a TOML file.

        ::

            ["openai:MODEL"]
            input = 1.25          # dollars per million tokens
            output = 10.0
            cached_input = 0.125  # optional; as input when not given

        Raises:
            UsageError: the file cannot be read or is not of this form.
        """
        try:
            raw = tomllib.loads(path.read_text("utf-8"))
        except (OSError, ValueError) as error:
            raise UsageError(f"read the prices in {path}", str(error), "see chat_models/prices.py") from error
        return cls({name: _price(path, name, entry) for name, entry in raw.items()})

    def usd(self, model: str, usage: Usage) -> float | None:
        """Dollars, or None where the price is not known."""
        price = self.of(model)
        return None if price is None else price.of(usage)

    def of(self, model: str) -> Price | None:
        """The price of a model; that of ``MODEL`` holds for ``MODEL@high`` too, unless that has its own."""
        return self.table.get(model) or self.table.get(split_effort(model)[0])


def _price(path: Path, name: str, entry: Json) -> Price:
    known = {"input", "output", "cached_input"}
    sound = (
        isinstance(entry, dict)
        and {"input", "output"} <= set(entry) <= known
        and all(type(value) in (int, float) and 0 <= value < 1e6 for value in entry.values())
    )
    if not sound:
        raise UsageError(
            f"read the prices in {path}", f"[{name!r}] is not a price", "give input and output; cached_input as wanted"
        )
    return Price(float(entry["input"]), float(entry["output"]), float(entry.get("cached_input", entry["input"])))
