"""How a node ends the run: in good order, so that its neighbours' paid calls come home."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import wraps
from typing import Any, TypeVar, cast

from langgraph.errors import GraphDrained
from langgraph.runtime import Runtime

from authoring.context import AuthoringContext
from bootcamp_kit.errors import BootcampError

Node = TypeVar("Node", bound=Callable[..., Awaitable[Any]])


def in_good_order(node: Node) -> Node:
    """An error that reaches the edge of a node would meet the other briefs too, so it stops the run.

    Raised as it is, it would cancel every node under way, and with them model calls that are paid for. A drain lets
    them finish and leaves this node to be run again when the run is resumed.
    """

    @wraps(node)
    async def careful(state: Any, runtime: Runtime[AuthoringContext]) -> Any:
        try:
            return await node(state, runtime)
        except BootcampError as error:
            runtime.context.stop.request(str(error), error)
            raise GraphDrained(str(error)) from error

    return cast(Node, careful)
