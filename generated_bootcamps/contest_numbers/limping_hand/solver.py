"""The limping hand: the reference solution as a pure function of its input.

Made from reference.py by compiler/1, which keeps the code as it came. Here its globals are local to one call and its
input and output are held in memory; nothing is shared between calls.
"""

from bootcamp_kit.console import Console, run


def solve(stdin: str) -> str:
    """What the reference prints for this input."""
    return run(_program, stdin)


def _program(console: Console) -> None:
    write_line = console.write_line
    def mark_after(m, p, q, d, k):
        seen = {}
        order = []
        mark = 0
        while mark not in seen:
            seen[mark] = len(order)
            order.append(mark)
            mark = (mark + (p if mark % d == 0 else q)) % m
        start = seen[mark]
        if k < len(order):
            return order[k]
        return order[start + (k - start) % (len(order) - start)]


    def main():
        data = console.stdin.read().split()
        t = int(data[0])
        for case in range(t):
            m, p, q, d, k = (int(x) for x in data[1 + 5 * case : 6 + 5 * case])
            write_line(mark_after(m, p, q, d, k))


    main()
