"""Every family of socket is refused, listening and looking names up included."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from sandbox.calls import Observation
from tests.sandbox.abuse.trying import TRY

pytestmark = pytest.mark.docker
Run = Callable[[str], Observation]
ATTEMPTS = [
    ("TCP", "socket.create_connection, ('127.0.0.1', 80)", "PermissionError"),
    ("UDP", "socket.socket, 2, 2", "PermissionError"),
    ("a name", "socket.gethostbyname, 'example.org'", "gaierror"),
    ("a listener", "socket.create_server, ('127.0.0.1', 0)", "PermissionError"),
    ("raw packets", "socket.socket, 2, 3, 1", "PermissionError"),
    ("link layer", "socket.socket, 17, 3", "PermissionError"),
    ("netlink", "socket.socket, 16, 3, 0", "PermissionError"),
    ("vsock", "socket.socket, 40, 1", "PermissionError"),
    ("kernel ciphers", "socket.socket, 38, 5", "PermissionError"),
    ("an abstract socket", "lambda: socket.socket(1).bind('\\0x')", "PermissionError"),
]


@pytest.mark.parametrize(("attempt", "got"), [item[1:] for item in ATTEMPTS], ids=[item[0] for item in ATTEMPTS])
def test_there_is_no_network(run: Run, attempt: str, got: str) -> None:
    assert run(TRY + f"import socket\nattempt({attempt})").value == {"stdout": f"{got}\n"}


def test_a_pair_of_sockets_leads_nowhere(run: Run) -> None:
    """``socketpair`` is not on the list: both its ends are in the one process."""
    seen = run("import socket\na, b = socket.socketpair()\na.send(b'x')\nprint(b.recv(1), a.getsockname())")
    assert seen.value == {"stdout": "b'x' \n"}


def test_the_only_interface_is_the_loopback_and_it_is_its_own(run: Run) -> None:
    seen = run("print([line.split(':')[0].strip() for line in open('/proc/net/dev').readlines()[2:]])")
    assert seen.value is not None and set(eval(seen.value["stdout"])) <= {"lo", "tunl0", "sit0", "ip6tnl0", "gre0"}  # noqa: S307 - a list of names
