"""What a wire server answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

Stop = Literal["end", "length", "context", "refusal", "filter", "tool", "broken"]
Cut = Literal["", "drop", "quiet", "error"]


@dataclass(frozen=True)
class Reply:
    """One HTTP answer.

    Attributes:
        text: What the model says.
        stop: Why it stopped; each server spells it its own way.
        usage: Input, output and cached input tokens; None: the server does not count.
        status: Of HTTP; 400 and more sends an error with ``text`` as its message.
        kind: The provider's class of the error.
        headers: Added.
        body: Sent as it is, instead of anything above but the status.
        content_type: Of ``body``.
        cut: How a reply ends early: ``drop`` the connection, stop ``quiet``ly, or send an in-band ``error``.
        cut_after: Characters sent before the cut. A whole reply is cut in the middle of its bytes.
        wait_s: Before the first byte.
        pause_s: Between two pieces.
        piece: Characters of one piece.
        hang: Send nothing, until the server closes.
    """

    text: str = ""
    stop: Stop = "end"
    usage: tuple[int, int, int] | None = (11, 7, 0)
    status: int = 200
    kind: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes | None = None
    content_type: str = "application/json"
    cut: Cut = ""
    cut_after: int = 0
    wait_s: float = 0.0
    pause_s: float = 0.0
    piece: int = 16
    hang: bool = False

    def pieces(self) -> list[str]:
        """The text as it is streamed."""
        text = self.text[: self.cut_after] if self.cut else self.text
        return [text[i : i + self.piece] for i in range(0, len(text), self.piece)]


def says(
    text: str, *, stop: Stop = "end", usage: tuple[int, int, int] | None = (11, 7, 0), pause_s: float = 0
) -> Reply:
    """A good reply."""
    return Reply(text, stop=stop, usage=usage, pause_s=pause_s)


def refuses(text: str = "I can not help with that.") -> Reply:
    """The model declines."""
    return Reply(text, stop="refusal")


def fails(status: int, message: str = "", *, kind: str = "", retry_after: str = "") -> Reply:
    """An HTTP error."""
    headers = {"Retry-After": retry_after} if retry_after else {}
    return Reply(message or f"error {status}", status=status, kind=kind, headers=headers)


def cuts(text: str, after: int, *, how: Cut = "drop", kind: str = "server_error") -> Reply:
    """A reply that ends early."""
    return Reply(text, cut=how, cut_after=after, kind=kind)


def hangs() -> Reply:
    """No byte, ever."""
    return Reply(hang=True)


def sends(body: bytes, content_type: str = "application/json", *, status: int = 200) -> Reply:
    """These bytes."""
    return Reply(body=body, content_type=content_type, status=status)
