"""The ribbon machine: the reference solution as a pure function of its input.

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
    read_line = console.stdin.readline

    NEXT = {"a": "b", "b": "c", "c": "a"}


    def step(ribbon):
        moved = ribbon.pop(0)
        ribbon.append(moved)
        if moved == "b":
            ribbon.reverse()
        elif moved == "c":
            ribbon[:] = [NEXT[letter] for letter in ribbon]


    if "__main__" == "__main__":
        k = int(read_line())
        ribbon = list(read_line().strip())
        for _ in range(k):
            step(ribbon)
        write_line("".join(ribbon))
