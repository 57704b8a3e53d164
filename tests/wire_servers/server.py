"""An HTTP server that answers from a script, in threads of its own."""

from __future__ import annotations

import contextlib
import json
import socket
import sys
import threading
import time
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tests.wire_servers.reply import Reply, fails


@dataclass(frozen=True)
class Request:
    """One request as it came."""

    path: str
    headers: Mapping[str, str]
    json: Any


class WireServer(ABC):
    """A provider on loopback. Use as a context manager.

    Attributes:
        requests: What came, in order.
        answer: If set, called with each request's JSON instead of the script; in threads, one call at a time.
        faults: Exceptions of the server itself; a test's fixture checks that there are none.
    """

    path: str
    base_path = ""

    def __init__(self) -> None:
        self.requests: list[Request] = []
        self.answer: Callable[[Any], Reply | str] | None = None
        self.faults: list[BaseException] = []
        self.closing = threading.Event()
        self._replies: deque[Reply | str] = deque()
        self._lock = threading.Lock()
        self._sockets: set[socket.socket] = set()
        self._http = _Http(("127.0.0.1", 0), self)
        self._thread = threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        self._thread.start()

    @property
    def url(self) -> str:
        """The base URL for an SDK."""
        return f"http://127.0.0.1:{self._http.server_address[1]}{self.base_path}"

    def script(self, replies: Iterable[Reply | str]) -> None:
        """Answer with these, in order; added to what is left."""
        with self._lock:
            self._replies.extend(replies)

    def close(self) -> None:
        """Stop, and break what is under way."""
        self.closing.set()
        self._http.shutdown()
        self._http.server_close()
        with self._lock:
            for connection in self._sockets:
                with contextlib.suppress(OSError):
                    connection.shutdown(socket.SHUT_RDWR)
        self._thread.join()

    def __enter__(self) -> WireServer:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @abstractmethod
    def error(self, reply: Reply) -> Any:
        """The JSON of an error."""

    @abstractmethod
    def whole(self, request: Any, reply: Reply) -> Any:
        """The JSON of a whole reply."""

    @abstractmethod
    def stream(self, request: Any, reply: Reply) -> Iterator[str]:
        """The events of a streamed reply, up to the cut."""

    def reply_to(self, request: Request) -> Reply:
        """Record a request and choose its reply."""
        with self._lock:
            self.requests.append(request)
            if self.answer is not None:
                reply = self.answer(request.json)
            elif self._replies:
                reply = self._replies.popleft()
            else:
                reply = fails(400, "the test's script has no reply left")
        return Reply(reply) if isinstance(reply, str) else reply

    def track(self, connection: socket.socket, *, open: bool) -> None:
        """Keep the set of connections."""
        with self._lock:
            (self._sockets.add if open else self._sockets.discard)(connection)


class _Http(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 256

    def __init__(self, address: tuple[str, int], wire: WireServer) -> None:
        self.wire = wire
        super().__init__(address, _Handler)

    def handle_error(self, request: Any, client_address: Any) -> None:
        error = sys.exc_info()[1]
        if error is not None and not isinstance(error, ConnectionError):
            self.wire.faults.append(error)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Http

    def setup(self) -> None:
        super().setup()
        self.server.wire.track(self.connection, open=True)

    def finish(self) -> None:
        self.server.wire.track(self.connection, open=False)
        super().finish()

    def log_message(self, format: str, *args: object) -> None:
        pass

    def do_POST(self) -> None:
        wire = self.server.wire
        length = int(self.headers.get("Content-Length", 0))
        data = self.rfile.read(length)
        if len(data) < length:  # the client was killed while it was asking
            self.close_connection = True
            return
        request = Request(self.path, dict(self.headers.items()), json.loads(data))
        if self.path.partition("?")[0] != wire.path:
            self._send(404, wire.error(fails(404, f"no such path: {self.path}")), {})
            return
        reply = wire.reply_to(request)
        if wire.closing.wait(3600 if reply.hang else reply.wait_s) or reply.hang:
            self.close_connection = True
        elif reply.body is not None:
            self._send_bytes(reply.status, reply.body, {"Content-Type": reply.content_type, **reply.headers})
        elif reply.status >= 400:
            self._send(reply.status, wire.error(reply), reply.headers)
        elif request.json.get("stream"):
            self._stream(wire, request.json, reply)
        else:
            self._send(reply.status, wire.whole(request.json, reply), reply.headers, cut=bool(reply.cut))

    def _send(self, status: int, value: Any, headers: Mapping[str, str], *, cut: bool = False) -> None:
        self._send_bytes(status, json.dumps(value).encode(), {"Content-Type": "application/json", **headers}, cut=cut)

    def _send_bytes(self, status: int, body: bytes, headers: Mapping[str, str], *, cut: bool = False) -> None:
        self.send_response(status)
        for name, value in {**headers, "Content-Length": str(len(body))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body[: len(body) // 2] if cut else body)
        if cut:
            self.close_connection = True

    def _stream(self, wire: WireServer, request: Any, reply: Reply) -> None:
        self.send_response(reply.status)
        for name, value in {**reply.headers, "Content-Type": "text/event-stream"}.items():
            self.send_header(name, value)
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        for event in wire.stream(request, reply):
            data = event.encode()
            self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))
            self.wfile.flush()
            if reply.pause_s:
                time.sleep(reply.pause_s)
        if reply.cut == "drop":
            self.close_connection = True
        else:
            self.wfile.write(b"0\r\n\r\n")
