"""Reference solver."""

from __future__ import annotations

from bootcamp_kit.case import Case
from bootcamp_kit.contract import Oracle


class Reference(Oracle):
    """Paints around each water cell."""

    def solve(self, case: Case) -> str:
        grid = [list(row) for row in case.payload["rows"]]
        for y, row in enumerate(case.payload["rows"]):
            for x, cell in enumerate(row):
                for dy, dx in ((0, 1), (1, 0), (0, -1), (-1, 0)):
                    inside = 0 <= y + dy < len(grid) and 0 <= x + dx < len(row)
                    if cell == "~" and inside and grid[y + dy][x + dx] == "L":
                        grid[y + dy][x + dx] = "B"
        rows = "\n".join("".join(row) for row in grid)
        return f"<answer>\n{rows}\n</answer>"


ORACLE = Reference()
