"""Every response the search tried, appended to one file: a search that was cut off goes the same way without asking."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from bootcamp_kit.errors import MachineError

Asked = tuple[int, int, str]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one response: its score's value, or how the verifier failed; neither where the machine did."""

    value: float | None
    failed: str = ""


class SearchLog:
    """Outcomes by (level, seed, response), kept for one key: the task's content, the plan and the image.

    A file of another key is begun anew; a torn last line is passed over. Without a path nothing is kept.
    """

    def __init__(self, path: Path | None, key: str) -> None:
        self.path, self.known = path, dict[Asked, Outcome]()
        if path is None:
            return
        try:
            lines = path.read_text("utf-8", "replace").splitlines() if path.exists() else []
            if _decoded(lines[0] if lines else "") == {"key": key}:
                for line in lines[1:]:
                    self._take(_decoded(line))
            else:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(json.dumps({"key": key}) + "\n", "utf-8")
        except OSError as error:
            raise MachineError(f"opening the search's log {path}", str(error), "check the disk") from error

    def _take(self, row: object) -> None:
        match row:
            case [int(level), int(seed), str(response), (float() | int() | None) as value, str(failed)]:
                self.known[level, seed, response] = Outcome(value, failed)

    def add(self, found: dict[Asked, Outcome]) -> None:
        """Keep what was seen.

        Raises:
            MachineError: the file cannot be written.
        """
        self.known |= found
        if self.path is None or not found:
            return
        lines = [json.dumps([*key, item.value, item.failed]) + "\n" for key, item in found.items()]
        try:
            with self.path.open("a", encoding="utf-8") as file:
                file.writelines(["\n", *lines])
        except OSError as error:
            raise MachineError(f"writing the search's log {self.path}", str(error), "check the disk") from error


def _decoded(line: str) -> object:
    try:
        return json.loads(line)
    except ValueError:
        return None
