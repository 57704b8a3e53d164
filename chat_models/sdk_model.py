"""What the two SDK adapters share: the client, the deadline, and one more try when a reply was cut."""

from __future__ import annotations

import asyncio
import importlib
from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from dataclasses import replace
from types import ModuleType
from typing import TYPE_CHECKING, Any

from bootcamp_kit.errors import ProviderError, UsageError
from chat_models.effort import split_effort
from chat_models.errors import CutReply, Endpoint, NotStreamed, guarded, retry_after_s
from chat_models.options import ModelOptions
from chat_models.protocol import ChatReply, ChatRequest
from chat_models.reply import Text

if TYPE_CHECKING:
    import httpx2

_END = object()
SCHEMA_WORDS = ("response_format", "json_schema", "output_config", "output_format", "structured output")
"""One of these in an error says that a server or a model knows no structured output."""
TEMPERATURE_WORD = "temperature"
"""In an error says that a model takes none, or not this one: models that think take only their own."""


def keyed_endpoint(
    name: str, environ: Mapping[str, str], key_variable: str, url_variable: str, default_url: str
) -> tuple[Endpoint, str]:
    """A provider's address and key out of the environment.

    Args:
        name: ``PROVIDER:MODEL``.
        environ: Where both variables are looked up.
        key_variable: Must be set.
        url_variable: Takes the place of ``default_url`` where it is set.
        default_url: The provider's own address.

    Raises:
        UsageError: no key.
    """
    key = environ.get(key_variable, "").strip()
    if not key:
        raise UsageError(f"open {name}", f"{key_variable} is not set", f"export {key_variable}=…")
    url = environ.get(url_variable, "").strip() or default_url
    return Endpoint(name, url, key_variable, (key,)), key


class SdkModel(ABC):
    """A model behind an official SDK. Belongs to one event loop.

    Args:
        model: As the server calls it, and how much it is to think (``MODEL@high``).
        endpoint: Where, and how to speak of it.
        api_key: The key.
        options: Patience and form.
    """

    sdk_name: str
    """The SDK's package, imported at the first call: it takes seconds."""
    client_class: str

    def __init__(self, model: str, endpoint: Endpoint, *, api_key: str, options: ModelOptions) -> None:
        self.model, self.effort = split_effort(model)
        self.endpoint, self.options, self._key = endpoint, options, api_key
        self._client: Any = None
        self._knows_schemas = self._takes_temperature = True
        self._streams = options.stream

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name}>"

    @property
    def name(self) -> str:
        """``PROVIDER:MODEL``."""
        return self.endpoint.name

    @property
    def address(self) -> str:
        """Where it is served."""
        return self.endpoint.base_url

    async def chat(self, request: ChatRequest) -> ChatReply:
        """Ask; if the reply is cut, ask one more time (the SDK retries requests, never replies that had begun).

        Raises:
            ProviderError: see :class:`chat_models.protocol.ChatModel`; also past the deadline.
        """
        try:
            async with asyncio.timeout(self.options.deadline_s):
                try:
                    return await self._once(request)
                except CutReply:
                    pass
                return await self._once(request)
        except TimeoutError:
            pass
        found = f"no whole reply within {self.options.deadline_s:g} s"
        raise self.endpoint.failed(found, "raise the deadline, or ask for less")

    async def _once(self, request: ChatRequest) -> ChatReply:
        """One request; what a server or model turns out not to take is left out from then on."""
        while True:
            once = self.streamed if self._streams else self.whole
            schema = request.schema if self._knows_schemas else None
            temperature = request.temperature if self._takes_temperature else None
            try:
                return await once(replace(request, schema=schema, temperature=temperature))
            except NotStreamed:
                self._streams = False
            except ProviderError as error:
                said = error.found.lower()
                if schema is not None and any(word in said for word in SCHEMA_WORDS):
                    self._knows_schemas = False
                elif temperature is not None and TEMPERATURE_WORD in said:
                    self._takes_temperature = False
                else:
                    raise

    async def close(self) -> None:
        """Give connections back."""
        client, self._client = self._client, None
        if client is not None:
            await client.close()

    @abstractmethod
    async def streamed(self, request: ChatRequest) -> ChatReply:
        """One request, its reply taken piece by piece."""

    @abstractmethod
    async def whole(self, request: ChatRequest) -> ChatReply:
        """One request, its reply taken at once."""

    def open_client(self) -> Any:
        """The SDK's client, made at the first call."""
        if self._client is None:
            sdk, options = self._sdk, self.options
            patience = sdk.Timeout(options.timeout_s, connect=min(10.0, options.timeout_s))
            hooks = {"response": [_wait_limit(options.longest_wait_s)]}
            self._client = getattr(sdk, self.client_class)(
                api_key=self._key,
                base_url=self.endpoint.base_url,
                timeout=patience,
                max_retries=options.max_retries,
                http_client=sdk.DefaultAsyncHttpxClient(timeout=patience, event_hooks=hooks),
            )
        return self._client

    async def guarded(self, work: Awaitable[Any]) -> Any:
        """One step of the SDK; its exceptions become ProviderErrors."""
        return await guarded(self.endpoint, self._sdk, work)

    async def events(self, stream: Any) -> AsyncGenerator[Any, None]:
        """The events of an SDK's stream, closed at the end. Use with ``aclosing``.

        Raises:
            CutReply: the connection, the patience or the format broke.
            NotStreamed: the server sent a document in place of a stream.
            ProviderError: the provider said that it would not go on.
        """
        async with stream:
            form = str(stream.response.headers.get("content-type", ""))[:80]
            if form.startswith(("text/html", "application/json")):
                found = self.endpoint.clean(f"what came is {form}, not a stream of events")
                do = f"check that {self.endpoint.base_url} speaks this protocol"
                kind = ProviderError if form.startswith("text/html") else NotStreamed
                raise kind(self.endpoint.asked, found, do)
            while (event := await guarded(self.endpoint, self._sdk, anext(stream, _END), in_reply=True)) is not _END:
                yield event

    def text(self) -> Text:
        """An empty reply to fill."""
        return Text(self.endpoint, self.options.max_reply_chars)

    def model_shown(self, said: Any) -> str:
        """The model's name as the provider gave it, or ours."""
        return self.endpoint.clean(said) if isinstance(said, str) and said else self.model

    @property
    def _sdk(self) -> ModuleType:
        return importlib.import_module(self.sdk_name)


def _wait_limit(longest_s: float) -> Callable[[httpx2.Response], Awaitable[None]]:
    """A response hook that tells the SDK not to sit out a longer ``Retry-After`` than ``longest_s``."""

    async def hook(response: httpx2.Response) -> None:
        wait = retry_after_s(response.headers)
        if response.status_code >= 400 and wait is not None and wait > longest_s:
            response.headers["x-should-retry"] = "false"

    return hook
