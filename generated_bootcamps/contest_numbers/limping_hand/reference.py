import sys


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
    data = sys.stdin.read().split()
    t = int(data[0])
    for case in range(t):
        m, p, q, d, k = (int(x) for x in data[1 + 5 * case : 6 + 5 * case])
        print(mark_after(m, p, q, d, k))


main()
