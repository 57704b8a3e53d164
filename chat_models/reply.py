"""Reading a reply without trust: an SDK's objects hold whatever the server sent."""

from __future__ import annotations

from typing import Any

from chat_models.errors import Endpoint


def dig(value: Any, *path: str | int) -> Any:
    """Follow attributes, keys and indices; None where the way ends."""
    for step in path:
        if isinstance(step, int):
            value = value[step] if isinstance(value, list) and len(value) > step else None
        elif isinstance(value, dict):
            value = value.get(step)
        else:
            value = getattr(value, step, None)
    return value


def count(value: Any, *path: str | int) -> int:
    """A token count; 0 where there is none."""
    found = dig(value, *path)
    return found if isinstance(found, int) and 0 <= found < 2**53 else 0


def storable(text: str) -> str:
    """``text`` as UTF-8 can hold it: lone surrogates become ``?``."""
    return text.encode("utf-8", "replace").decode()


class Text:
    """Pieces of a reply, up to a limit."""

    def __init__(self, endpoint: Endpoint, limit: int) -> None:
        self._endpoint, self._room, self._pieces = endpoint, limit, list[str]()

    def add(self, piece: Any) -> None:
        """Append ``piece`` if it is text.

        Raises:
            ProviderError: past the limit.
        """
        if not isinstance(piece, str):
            return
        self._room -= len(piece)
        if self._room < 0:
            raise self._endpoint.failed("the reply does not end", "lower max_tokens, or raise max_reply_chars")
        self._pieces.append(piece)

    def __str__(self) -> str:
        return storable("".join(self._pieces))
