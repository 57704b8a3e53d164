"""Pebbles in a tube: the reference solution as a pure function of its input.

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
    n = int(read_line())
    a = list(map(int, read_line().split()))
    tube = []
    for weight in a:
        if not tube or tube[-1] < weight:
            tube.append(weight)
        elif tube[-1] == weight:
            tube.pop()
        else:
            tube[-1] -= weight
    if tube:
        write_line(*tube)
    else:
        write_line(0)
