from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from bootcamp_kit.errors import BudgetError, UsageError
from chat_models.cache import CachedModel
from chat_models.call_store import CallStore
from chat_models.ledger import Budget, Ledger
from chat_models.prices import Price, Prices
from chat_models.protocol import ChatReply, ChatRequest, Message, StopReason, Usage
from chat_models.scripted import ScriptedModel

ASK = ChatRequest((Message("user", "abcdef"),))
PRICES = Prices({"scripted:a": Price(input=2.0, output=10.0, cached_input=0.5)})


@pytest.fixture
def store(tmp_path: Path) -> Iterator[CallStore]:
    found = CallStore(tmp_path / "calls.sqlite3")
    yield found
    found.close()


def paid(usage: Usage, name: str = "scripted:a") -> ScriptedModel:
    return ScriptedModel(lambda request: ChatReply("x" * 30, StopReason.END, usage, "m"), name=name)


async def ask(model: CachedModel, *nonces: int) -> None:
    for nonce in nonces:
        await model.chat(replace(ASK, nonce=nonce))


async def test_tokens_and_dollars_are_counted_by_role_and_model(store: CallStore) -> None:
    ledger = Ledger(store, "r", PRICES)
    model = CachedModel(paid(Usage(1_000_000, 100_000, 400_000)), ledger)
    await ask(model.labelled(role="draft", brief_id="b1"), 1, 2)
    await ask(model.labelled(role="repair", brief_id="b1"), 3, 1)
    summary = ledger.summary()
    draft, repair = summary.lines
    assert (draft.calls.role, draft.calls.answered, draft.calls.cached) == ("draft", 2, 0)
    assert (repair.calls.role, repair.calls.answered, repair.calls.cached) == ("repair", 1, 1)
    assert draft.calls.usage == Usage(2_000_000, 200_000, 800_000)
    assert draft.usd == pytest.approx(2 * (0.6 * 2 + 0.4 * 0.5 + 0.1 * 10))
    assert summary.usd == pytest.approx(3 * 2.4)
    assert (summary.paid_calls, summary.tokens) == (3, 3_300_000)
    assert json.loads(json.dumps(summary.to_json()))["lines"][0]["answered"] == 2


async def test_an_unknown_price_is_unknown_and_not_zero(store: CallStore) -> None:
    ledger = Ledger(store, "r", PRICES)
    await ask(CachedModel(paid(Usage(5, 5)), ledger), 1)
    assert ledger.summary().usd is not None
    await ask(CachedModel(paid(Usage(5, 5), "scripted:b"), ledger), 1)
    assert ledger.summary().usd is None
    assert ledger.summary().to_json()["usd"] is None


async def test_runs_are_counted_apart_and_together(store: CallStore) -> None:
    await ask(CachedModel(paid(Usage(1, 2)), Ledger(store, "r1")), 1)
    await ask(CachedModel(paid(Usage(10, 20)), Ledger(store, "r2")), 2)
    assert [Ledger(store, run).summary().tokens for run in ("r1", "r2", "r3")] == [3, 30, 0]
    assert Ledger(store, "r1").summary(all_runs=True).tokens == 33


async def test_tokens_which_a_server_did_not_count_are_estimated_and_marked(store: CallStore) -> None:
    ledger = Ledger(store, "r")
    model = CachedModel(paid(Usage()), ledger)
    assert (await model.chat(ASK)).usage == Usage()
    assert (await model.chat(ASK)).usage == Usage()
    calls = ledger.summary().lines[0].calls
    assert (calls.estimated, calls.usage) == (1, Usage(2, 10))


async def test_the_token_budget_stops_the_next_paid_call_but_not_stored_ones(store: CallStore) -> None:
    model = CachedModel(inner := paid(Usage(60, 40)), Ledger(store, "r", budget=Budget(max_tokens=150)))
    await ask(model, 1, 2)
    with pytest.raises(BudgetError, match="200 of 150 tokens"):
        await ask(model, 3)
    await ask(model, 1, 2)
    assert len(inner.requests) == 2
    raised = CachedModel(inner, Ledger(store, "r", budget=Budget(max_tokens=500)))
    await ask(raised, 3)
    other_run = CachedModel(inner, Ledger(store, "r2", budget=Budget(max_tokens=150)))
    await ask(other_run, 4)


async def test_the_dollar_budget_stops_the_next_paid_call(store: CallStore) -> None:
    ledger = Ledger(store, "r", PRICES, Budget(max_usd=0.02))
    model = CachedModel(paid(Usage(1_000, 1_000)), ledger)
    await ask(model, 1, 2)
    with pytest.raises(BudgetError, match=r"\$0\.0240 of \$0\.02"):
        await ask(model, 3)


async def test_a_budget_of_zero_pays_for_nothing(store: CallStore) -> None:
    for budget in (Budget(max_tokens=0), Budget(max_usd=0)):
        model = CachedModel(inner := paid(Usage(1, 1)), Ledger(store, "r", PRICES, budget))
        with pytest.raises(BudgetError):
            await ask(model, 1)
        assert not inner.requests


async def test_a_dollar_budget_needs_the_price(store: CallStore) -> None:
    ledger = Ledger(store, "r", PRICES, Budget(max_usd=1))
    inner = paid(Usage(1, 1), "scripted:b")
    with pytest.raises(UsageError, match="price of scripted:b is not known"):
        await ask(CachedModel(inner, ledger), 1)
    assert not inner.requests


def test_a_negative_budget_is_refused() -> None:
    with pytest.raises(UsageError):
        Budget(max_tokens=-1)


def test_prices_are_read_from_toml(tmp_path: Path) -> None:
    path = tmp_path / "prices.toml"
    path.write_text('["openai:a"]\ninput = 1\noutput = 2.5\n["local:b"]\ninput = 0\noutput = 0\ncached_input = 0\n')
    prices = Prices.read(path)
    assert prices.usd("openai:a", Usage(1_000_000, 1_000_000, 500_000)) == pytest.approx(3.5)
    assert prices.usd("local:b", Usage(5, 5)) == 0
    assert prices.usd("openai:c", Usage(5, 5)) is None


@pytest.mark.parametrize(
    "text",
    [
        "x",
        "a = 1",
        "[a]\ninput = 1",
        "[a]\ninput = 1\noutput = -1",
        '[a]\ninput = 1\noutput = "2"',
        "[a]\ninput = 1\noutput = true",
        "[a]\ninput = 1\noutput = nan",
        "[a]\ninput = 1\noutput = 2\nper = 3",
    ],
)
def test_broken_prices_are_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "prices.toml"
    path.write_text(text)
    with pytest.raises(UsageError, match=r"prices\.toml"):
        Prices.read(path)


def test_missing_prices_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError):
        Prices.read(tmp_path / "none.toml")
