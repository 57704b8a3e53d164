"""An answered call is never paid twice."""

from __future__ import annotations

import asyncio
from weakref import WeakValueDictionary

from bootcamp_kit.errors import BootcampError
from chat_models.call_store import request_key
from chat_models.ledger import Ledger
from chat_models.protocol import ChatModel, ChatReply, ChatRequest


class CachedModel:
    """A model whose replies are kept in the ledger's store, keyed by what was asked of whom.

    The key is the model's name, messages, max_tokens, temperature and nonce, and ``address`` where one is given. The
    same call made twice at once in one process waits for the first. Two processes that ask the same at the same moment
    both pay; the reply stored first is the one that both get.

    Args:
        inner: The model that is paid.
        ledger: Run, store and budget.
        role: What the call is for (``draft``, ``repair``, …).
        brief_id: Which brief it is for.
        address: Of the server, where replies of another one must not do: what is measured is the model behind it.
    """

    def __init__(
        self, inner: ChatModel, ledger: Ledger, *, role: str = "", brief_id: str = "", address: str = ""
    ) -> None:
        self._inner, self._ledger, self._address = inner, ledger, address
        self._label = ledger.label(role=role, brief_id=brief_id)
        self._under_way: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    def __repr__(self) -> str:
        return f"<CachedModel {self.name}>"

    @property
    def name(self) -> str:
        """The inner model's."""
        return self._inner.name

    def labelled(self, *, role: str, brief_id: str = "") -> CachedModel:
        """The same model, its calls booked on another role and brief."""
        view = CachedModel(self._inner, self._ledger, role=role, brief_id=brief_id, address=self._address)
        view._under_way = self._under_way
        return view

    async def chat(self, request: ChatRequest) -> ChatReply:
        """The stored reply, or a paid one, stored before it is returned.

        Raises:
            BudgetError: the run's budget is used up.
            ProviderError: as the inner model raises; nothing is stored then.
            MachineError: the store cannot be written.
        """
        key = request_key(self.name, request, self._address)
        lock = self._under_way.get(key)
        if lock is None:
            lock = self._under_way[key] = asyncio.Lock()
        async with lock:
            store = self._ledger.store
            if (reply := store.find(key)) is not None:
                store.cached(self._label, self.name, key)
                return reply
            return await self._pay(key, request)

    async def close(self) -> None:
        """Close the inner model; the ledger is its owner's to close."""
        await self._inner.close()

    async def _pay(self, key: str, request: ChatRequest) -> ChatReply:
        store = self._ledger.store
        self._ledger.check(self.name)
        call = store.start(self._label, self.name, key)
        try:
            reply = await self._inner.chat(request)
        except BootcampError as error:
            store.failed(call, str(error))
            raise
        store.answered(call, key, request, reply)
        return store.find(key) or reply
