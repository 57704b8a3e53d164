"""Tokens and money of a run, and the limits on them."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from bootcamp_kit.errors import BudgetError, UsageError
from bootcamp_kit.jsondata import Json
from chat_models.call_store import CallCount, CallLabel, CallStore
from chat_models.prices import Prices


@dataclass(frozen=True, slots=True)
class Budget:
    """Limits on one run, over all its processes and resumptions; None is no limit.

    Checked before each paid call against what the calls that have ended cost. Calls under way at once can therefore
    pass the limit together: by at most one call each.

    Attributes:
        max_tokens: Input and output together.
        max_usd: Dollars. Needs the price of every model used.
    """

    max_tokens: int | None = None
    max_usd: float | None = None

    def __post_init__(self) -> None:
        if (self.max_tokens is not None and self.max_tokens < 0) or (self.max_usd is not None and self.max_usd < 0):
            raise UsageError("set a budget", f"a limit is negative: {self}", "give 0 or more")


@dataclass(frozen=True, slots=True)
class LedgerLine:
    """Calls of one role to one model, and their cost; None where the price is not known."""

    calls: CallCount
    usd: float | None


@dataclass(frozen=True, slots=True)
class LedgerSummary:
    """What a run's calls cost."""

    lines: tuple[LedgerLine, ...]

    @property
    def tokens(self) -> int:
        """Input and output of paid calls."""
        return sum(line.calls.usage.input_tokens + line.calls.usage.output_tokens for line in self.lines)

    @property
    def paid_calls(self) -> int:
        """Calls which a provider answered."""
        return sum(line.calls.answered for line in self.lines)

    @property
    def cached_calls(self) -> int:
        """Calls that were answered from the store."""
        return sum(line.calls.cached for line in self.lines)

    @property
    def usd(self) -> float | None:
        """Dollars of the answered calls; None when the price of one of them is not known."""
        costs = [line.usd for line in self.lines if line.calls.answered]
        return None if None in costs else sum(cost for cost in costs if cost is not None)

    def to_json(self) -> Json:
        """For ``--json`` and the run folder."""
        return {
            "tokens": self.tokens,
            "usd": self.usd,
            "lines": [
                {
                    "role": line.calls.role,
                    "model": line.calls.model,
                    "answered": line.calls.answered,
                    "cached": line.calls.cached,
                    "failed": line.calls.failed,
                    "unfinished": line.calls.unfinished,
                    "estimated": line.calls.estimated,
                    "input_tokens": line.calls.usage.input_tokens,
                    "output_tokens": line.calls.usage.output_tokens,
                    "cached_input_tokens": line.calls.usage.cached_input_tokens,
                    "usd": line.usd,
                }
                for line in self.lines
            ],
        }


@dataclass(frozen=True, slots=True)
class Ledger:
    """One run's view of the call store.

    Attributes:
        store: Where calls and replies are kept.
        run_id: The run which calls are counted for.
        prices: What models cost.
        budget: The run's limits.
    """

    store: CallStore
    run_id: str
    prices: Prices = field(default_factory=Prices)
    budget: Budget = field(default_factory=Budget)

    @classmethod
    def open(cls, path: Path, run_id: str, *, prices: Prices | None = None, budget: Budget | None = None) -> Ledger:
        """Open or make the file at ``path``.

        Raises:
            MachineError: it cannot be opened.
        """
        return cls(CallStore(path), run_id, prices or Prices(), budget or Budget())

    def label(self, *, role: str = "", brief_id: str = "") -> CallLabel:
        """The label of a call of this run."""
        return CallLabel(self.run_id, brief_id, role)

    def summary(self, *, all_runs: bool = False, brief_id: str | None = None) -> LedgerSummary:
        """What the calls of this run cost, or those of all runs in the file; of one brief, or of all."""
        counts = self.store.counts(None if all_runs else self.run_id, brief_id)
        return LedgerSummary(tuple(LedgerLine(count, self.prices.usd(count.model, count.usage)) for count in counts))

    def check(self, model: str) -> None:
        """Is one more call to ``model`` within the budget?

        Raises:
            BudgetError: no.
            UsageError: a limit in dollars, and the model's price is not known.
        """
        if self.budget == Budget():
            return
        spent = self.summary()
        asked = f"ask {model} once more in run {self.run_id}"
        more = "raise the limit and resume the run; answered calls are not paid for twice"
        if self.budget.max_tokens is not None and spent.tokens >= self.budget.max_tokens:
            raise BudgetError(asked, f"{spent.tokens} of {self.budget.max_tokens} tokens are used", more)
        if self.budget.max_usd is None:
            return
        known = self.prices.of(model) is not None
        if not known or spent.usd is None:
            unknown = "a model used before" if known else model
            do = "add it to the price file, or limit tokens instead"
            raise UsageError(asked, f"the limit is in dollars, and the price of {unknown} is not known", do)
        if spent.usd >= self.budget.max_usd:
            raise BudgetError(asked, f"${spent.usd:.4f} of ${self.budget.max_usd:g} are used", more)

    def close(self) -> None:
        """Close the file."""
        self.store.close()
