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


n, m, k = map(int, input().split())
yard = [list(input()) for _ in range(n)]
for row in nights(yard, n, m, k):
    print("".join(row))
