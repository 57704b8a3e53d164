"""Whatever goes wrong with a provider, said as a ProviderError: what was asked, what was found, what to do.

The two SDKs share their shape (``APIStatusError``, ``APITimeoutError``, ``APIConnectionError`` under one base), so one
function explains both. What a provider says is untrusted: control characters go, secrets are blotted out, length is
capped.
"""

from __future__ import annotations

import email.utils
import re
from collections.abc import Awaitable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from types import ModuleType
from typing import Any, TypeVar
from urllib.parse import urlsplit

from bootcamp_kit.errors import ProviderError, UsageError

T = TypeVar("T")

MAX_WORDS = 300
SHORTEST_SECRET = 8
"""Shorter keys are placeholders ("none", "x"); blotting them out would only spoil words."""
AGAIN = "run the same command again; answered calls are not paid for twice"
_OVERFLOW = re.compile(
    r"context[ _](?:length|size|window)|maximum context|(?:prompt|input|request) is too (?:long|large)"
    r"|too many (?:input )?tokens"
)
"""How providers and local servers say, with HTTP 400, that a request is longer than the model's context."""
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]+")
_KEY_LIKE = re.compile(r"(?i)\b(?:sk|pk)-[\w*.\-]{6,}|\bbearer\s+\S{6,}|\bbasic\s+[\w+/=]{8,}")
_LASTING = ("invalid_request", "authentication", "permission", "not_found", "too_large", "quota", "billing")
"""Parts of the kinds of error that asking again does not mend."""


class CutReply(ProviderError):
    """The reply broke off before its end mark. What had come is thrown away: half a text looks like a whole one."""


class NotStreamed(ProviderError):
    """Asked for its reply piece by piece, the server sent a JSON document: it cannot stream."""


class EndpointRefused(ProviderError):
    """Key, credit, rights or the model's name: every further call would meet the same answer."""


class ContextOverflow(ProviderError):
    """The request is longer than the model can read. Asking again meets the same answer; other requests need not."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Who is asked, in words that may be shown.

    Attributes:
        name: ``PROVIDER:MODEL``.
        base_url: Where.
        key_variable: The environment variable that holds the key.
        secrets: Never shown.
    """

    name: str
    base_url: str
    key_variable: str
    secrets: tuple[str, ...] = field(default=(), repr=False)

    def __post_init__(self) -> None:
        parts = _split(self.base_url)
        if parts is None or parts.scheme not in ("http", "https") or not parts.hostname:
            raise UsageError(f"open {self.name}", "its address is not an http or https URL", "e.g. http://host:8000/v1")
        if parts.username or parts.password or parts.query or parts.fragment:
            raise UsageError(
                f"open {self.name}",
                "its address holds a user name, a password, a query or a fragment",
                f"give the plain URL, and the key in {self.key_variable}",
            )

    @property
    def asked(self) -> str:
        """The first part of every message."""
        return f"ask {self.name}"

    def clean(self, text: str) -> str:
        """``text`` on one line, without secrets, capped."""
        for secret in self.secrets:
            if len(secret) >= SHORTEST_SECRET:
                text = text.replace(secret, "[redacted]")
        text = _CONTROL.sub(" ", _KEY_LIKE.sub("[redacted]", text[: 20 * MAX_WORDS])).strip()
        return text if len(text) <= MAX_WORDS else text[: MAX_WORDS - 1] + "…"

    def failed(self, found: str, do: str = AGAIN) -> ProviderError:
        """An error about this endpoint."""
        return ProviderError(self.asked, self.clean(found), do)

    def cut(self, found: str) -> CutReply:
        """The reply broke off."""
        return CutReply(self.asked, self.clean(found), AGAIN)


async def guarded(endpoint: Endpoint, sdk: ModuleType, work: Awaitable[T], *, in_reply: bool = False) -> T:
    """Await one step of an SDK; whatever it raises is the provider's failure.

    Args:
        endpoint: Who is asked.
        sdk: The SDK's module, for its exception classes.
        work: The step.
        in_reply: The reply had begun: a lost connection cuts it.

    Raises:
        ProviderError: always when the SDK raises; no cause is attached, as SDK exceptions hold the request's headers.
    """
    try:
        return await work
    except Exception as error:  # noqa: BLE001  (the boundary to an SDK fed by a stranger's bytes: garbage makes it raise anything)
        failure = explain(endpoint, sdk, error, in_reply=in_reply)
    raise failure


def explain(endpoint: Endpoint, sdk: ModuleType, error: Exception, *, in_reply: bool = False) -> ProviderError:
    """The ProviderError for an SDK's exception, or for its HTTP library's: one of the SDKs lets those through."""
    import httpx2

    if isinstance(error, sdk.APIStatusError) and not in_reply:
        return _explain_status(endpoint, error)
    if isinstance(error, (sdk.APITimeoutError, httpx2.TimeoutException)):
        found = f"no byte from {endpoint.base_url} within the time allowed"
        return endpoint.cut(found) if in_reply else endpoint.failed(found, "raise the time-out, or " + AGAIN)
    if isinstance(error, (sdk.APIConnectionError, httpx2.TransportError)):
        cause = error.__cause__ or error
        found = f"the connection to {endpoint.base_url} failed: {str(cause) or type(cause).__name__}"
        return endpoint.cut(found) if in_reply else endpoint.failed(found, "check address and server; " + AGAIN)
    words = _provider_words(error)
    if isinstance(error, sdk.APIError) and in_reply:
        return broken_off(endpoint, words, _kind(error))
    found = f"what came is not the provider's format ({type(error).__name__}: {words})"
    if in_reply:
        return endpoint.cut(found)
    return endpoint.failed(found, f"check that {endpoint.base_url} speaks this protocol")


def broken_off(endpoint: Endpoint, words: str, kind: str) -> ProviderError:
    """The provider said in its reply that it would not go on; a kind of error that lasts is not asked again."""
    found = f"the provider broke the reply off: {words}"
    return endpoint.failed(found) if any(part in kind for part in _LASTING) else endpoint.cut(found)


def retry_after_s(headers: Mapping[str, str]) -> float | None:
    """Seconds a provider asks to wait, from ``Retry-After`` (a number or a date) or ``retry-after-ms``."""
    try:
        if (ms := headers.get("retry-after-ms")) is not None:
            return float(ms) / 1000
        if (value := headers.get("retry-after")) is None:
            return None
        if re.fullmatch(r"[\d.]+", value):
            return float(value)
        return (email.utils.parsedate_to_datetime(value) - datetime.now(UTC)).total_seconds()
    except (ValueError, TypeError, OverflowError):
        return None


def _explain_status(endpoint: Endpoint, error: Any) -> ProviderError:
    status, kind = int(error.status_code), _kind(error)
    wait = retry_after_s(error.response.headers)
    asks = f" (asks to wait {wait:.0f} s)" if wait is not None and wait >= 1 else ""
    found = endpoint.clean(f"HTTP {status}{asks}: {_provider_words(error)}")
    if status == 413 or (status in (400, 422) and _OVERFLOW.search(f"{kind} {found}".lower())):
        return ContextOverflow(
            endpoint.asked, found, "the request is too long for this model; shorten it, or the reply"
        )
    lasting = status in (401, 402, 403, 404) or _out_of_quota(status, kind)
    return (EndpointRefused if lasting else ProviderError)(endpoint.asked, found, _what_to_do(endpoint, status, kind))


def _what_to_do(endpoint: Endpoint, status: int, kind: str) -> str:
    known = {
        401: f"check the key in {endpoint.key_variable}",
        402: "the account needs credit",
        403: f"the key in {endpoint.key_variable} may not use this model; check its rights",
        404: f"check the model's name and the address {endpoint.base_url}",
    }
    if _out_of_quota(status, kind):
        return "the account's quota is used up; raise it"
    if status == 429:
        return "wait, or ask fewer at once; " + AGAIN
    if status >= 500 or status in (408, 409):
        return "the provider is in trouble; wait, and " + AGAIN
    return known.get(status, "the request does not suit this model; see what it says")


def _out_of_quota(status: int, kind: str) -> bool:
    return status == 429 and ("quota" in kind or "billing" in kind)


def _kind(error: Any) -> str:
    """The provider's own word for the class of an error."""
    body = getattr(error, "body", None)
    if isinstance(body, dict) and isinstance(body.get("error"), dict):
        body = body["error"]
    if not isinstance(body, dict):
        return ""
    return " ".join(str(body[key]) for key in ("type", "code") if body.get(key))[:100]


def _provider_words(error: Exception) -> str:
    body = getattr(error, "body", None)
    if isinstance(body, dict):
        inner = body.get("error", body)
        message = inner.get("message") if isinstance(inner, dict) else inner
        if isinstance(message, str) and message:
            return message
    return str(body) if body else str(error)


def _split(url: str) -> Any:
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError:
        return None
    return parts
