"""Ivy by night: the reference solution as a pure function of its input.

Made from reference.py by compiler/1, which keeps the code as it came. Here its globals are local to one call and its
input and output are held in memory; nothing is shared between calls.
"""

from bootcamp_kit.console import Console, run


def solve(stdin: str) -> str:
    """What the reference prints for this input."""
    return run(_program, stdin)


def _program(console: Console) -> None:
    read_line = console.read_line
    write_line = console.write_line
    def nights(yard, n, m, k):
        for _ in range(k):
            new = [row[:] for row in yard]
            for r in range(n):
                for c in range(m):
                    if yard[r][c] == "#":
                        continue
                    ivy = 0
                    for dr, dc in ((0, 1), (1, 0), (0, -1), (-1, 0)):
                        if 0 <= r + dr < n and 0 <= c + dc < m and yard[r + dr][c + dc] == "i":
                            ivy += 1
                    if yard[r][c] == "." and ivy == 1:
                        new[r][c] = "i"
                    elif yard[r][c] == "i" and ivy >= 2:
                        new[r][c] = "."
            yard = new
        return yard


    n, m, k = map(int, read_line().split())
    yard = [list(read_line()) for _ in range(n)]
    for row in nights(yard, n, m, k):
        write_line("".join(row))
