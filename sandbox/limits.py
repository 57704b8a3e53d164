"""Every limit of the sandbox, in one place, with its unit."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from bootcamp_kit.errors import UsageError
from bootcamp_kit.jsondata import Json


@dataclass(frozen=True, slots=True)
class JobLimits:
    """What one call may use.

    Attributes:
        wall_s: Seconds from the request to the answer.
        cpu_s: CPU seconds of a fresh job, or of a whole session.
        address_mb: Address space above what the agent itself has mapped, MiB.
        output_bytes: Encoded answer of one call.
        stderr_bytes: Kept of what the job prints.
        open_files: File descriptors.
    """

    wall_s: float = 5.0
    cpu_s: float = 60.0
    address_mb: int = 256
    output_bytes: int = 8 << 20
    stderr_bytes: int = 64 << 10
    open_files: int = 64

    def __post_init__(self) -> None:
        fits = (
            0 < self.wall_s <= 600
            and 0 < self.cpu_s <= 3600
            and 16 <= self.address_mb <= 4096
            and 1 <= self.output_bytes <= 32 << 20
            and 0 <= self.stderr_bytes <= 1 << 20
            and 16 <= self.open_files <= 256
        )
        if not fits:
            raise UsageError("sandbox limits", f"out of range: {self}", "see sandbox/limits.py")


@dataclass(frozen=True, slots=True)
class ContainerLimits:
    """What one container may use, whatever its jobs do."""

    memory_mb: int = 512
    cpus: float = 1.0
    pids: int = 64
    jobs: int = 5_000
    idle_s: float = 120.0

    def to_json(self) -> dict[str, Json]:
        """For the report's environment."""
        return asdict(self)
