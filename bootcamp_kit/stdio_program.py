"""Runs a contest-style reference solution on one input, in this process. For use inside the sandbox only.

The program sees its input on ``sys.stdin`` (text and ``.buffer``) and file descriptor 0 is not touched; what it prints
on ``sys.stdout`` comes back. It runs as ``__main__`` in a fresh namespace; names it leaves behind die with it.
"""

from __future__ import annotations

import io
import sys
from types import CodeType


class OutputTooLong(Exception):
    """The program printed more than it may."""


class _Capped(io.BytesIO):
    def __init__(self, cap: int) -> None:
        super().__init__()
        self.cap = cap

    def write(self, data: object) -> int:
        if self.tell() + len(data) > self.cap:  # type: ignore[arg-type]
            raise OutputTooLong(f"more than {self.cap} bytes")
        return super().write(data)  # type: ignore[arg-type]


def run_program(code: CodeType, stdin: str, *, max_output: int = 1 << 20) -> str:
    """Run compiled source with ``stdin`` and return what it printed.

    ``SystemExit`` with status 0 or None ends it normally, as at a shell.

    Raises:
        OutputTooLong: past ``max_output`` bytes.
        SystemExit: with a non-zero status.
        Exception: whatever the program raises.
    """
    raw_out = _Capped(max_output)
    fake_in = io.TextIOWrapper(io.BytesIO(stdin.encode()), encoding="utf-8")
    fake_out = io.TextIOWrapper(raw_out, encoding="utf-8", write_through=True)
    kept, limit = (sys.stdin, sys.stdout, sys.argv), sys.getrecursionlimit()
    sys.stdin, sys.stdout, sys.argv = fake_in, fake_out, ["solution.py"]
    namespace: dict[str, object] = {"__name__": "__main__", "__builtins__": __builtins__}
    try:
        exec(code, namespace)  # noqa: S102 - the sandbox's whole purpose
    except SystemExit as stop:
        if stop.code not in (0, None):
            raise
    finally:
        sys.stdin, sys.stdout, sys.argv = kept
        sys.setrecursionlimit(limit)
    namespace.clear()  # its functions hold it, and it them: else large lists stay until there is a collection
    fake_out.flush()
    return raw_out.getvalue().decode("utf-8", "strict")
