"""What passes between the agent, the process that forks and a job's process: fixed fields, and each other's words."""

from __future__ import annotations

import struct

ORDER = b"F"
"""Agent to forker, with the worker's ends of three pipes: fork."""
ENDS = struct.Struct("iii")
"""Those ends: requests, results, prints."""
NEWS = struct.Struct(">iidQ")
"""Forker to agent: process id, ``BORN`` or wait status, CPU seconds, peak memory in KiB."""
BORN = -1
SETUP = struct.Struct(">QQQQ")
"""Agent to worker, first in its requests: CPU seconds, bytes of address space, open files, bytes of an answer."""
READY = b"R"
"""Worker to agent, first in its results: it is confined and about to load candidate code."""
HEAD = struct.Struct(">II")
"""Number of the call and length of what follows, before every request and every answer."""
