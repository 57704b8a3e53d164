"""Serve until a signal: requests under way are finished, then boxes and containers are ended."""

from __future__ import annotations

import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from bootcamp_kit.errors import MachineError
from evaluation.service.limits import ServiceLimits
from evaluation.service.shelf import Shelf
from sandbox.service import Sandbox

STOPS = (signal.SIGTERM, signal.SIGINT)


@contextmanager
def until_stopped() -> Iterator[None]:
    """In the block the first SIGTERM or SIGINT raises SystemExit, so that everything open is closed; more do nothing.

    While the server runs it takes these signals itself, and passes them on when it has finished.
    """
    stopped = False

    def stop(number: int, frame: object) -> None:
        nonlocal stopped
        if not stopped:
            stopped = True
            raise SystemExit(0)

    before = {number: signal.signal(number, stop) for number in STOPS}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def listen(host: str, port: int) -> socket.socket:
    """A listening socket.

    Raises:
        MachineError: the address cannot be used.
    """
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        return socket.create_server((host, port), family=family, backlog=2_048)
    except OSError as error:
        raise MachineError(f"listening on {host}:{port}", str(error), "choose another --host or --port") from error


def serve(
    listener: socket.socket,
    shelf: Shelf,
    sandbox: Sandbox | None,
    limits: ServiceLimits,
    token: str | None,
    ready: Callable[[], None],
) -> None:
    """Answer requests until SIGTERM or SIGINT.

    Raises:
        SystemExit: 0, under :func:`until_stopped`, when the signal's work is done.
        MachineError: the server did not start.
    """
    import uvicorn

    from evaluation.service.app import Service, create_app

    config = uvicorn.Config(
        create_app(Service(shelf, sandbox, limits, ready), token),
        lifespan="on",
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        limit_concurrency=limits.connections,
        timeout_graceful_shutdown=max(1, round(limits.grace_s)),
        timeout_keep_alive=30,
    )
    server = uvicorn.Server(config)
    server.run(sockets=[listener])
    if not server.started:
        raise MachineError("starting the server", "it ended at once", "read the lines above")
