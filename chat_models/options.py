"""How a provider is asked; nothing here changes what is answered."""

from __future__ import annotations

from dataclasses import dataclass

from bootcamp_kit.errors import UsageError


@dataclass(frozen=True, slots=True)
class ModelOptions:
    """Patience and form of a call.

    Attributes:
        stream: Take the text as it is written. Long drafts need it: a silent connection is cut by proxies. A
            server that answers with a JSON document all the same is asked for whole replies from then on.
        timeout_s: Seconds without a byte before a request counts as failed.
        deadline_s: Seconds for one call in all, retries and waits included.
        max_retries: Further requests the SDK makes after 408, 409, 429, 5xx or a failed connection, with its own
            back-off and the provider's ``Retry-After``.
        longest_wait_s: A provider that asks for a longer wait than this is not waited for.
        max_reply_chars: A longer reply is an error.
    """

    stream: bool = True
    timeout_s: float = 300.0
    deadline_s: float = 1_800.0
    max_retries: int = 4
    longest_wait_s: float = 60.0
    max_reply_chars: int = 4_000_000

    def __post_init__(self) -> None:
        for what, value, most, may_be_zero in (
            ("seconds of silence that are waited for", self.timeout_s, 86_400, False),
            ("seconds for one call", self.deadline_s, 86_400, False),
            ("retries", self.max_retries, 20, True),
            ("longest wait for a provider", self.longest_wait_s, 3_600, True),
            ("characters of a reply", self.max_reply_chars, 100_000_000, False),
        ):
            if not 0 <= value <= most or (value == 0 and not may_be_zero):
                least = "0" if may_be_zero else "above 0"
                raise UsageError(f"asking a model: {what}", f"{value}", f"{least}, and at most {most:,}")
