import sys

input = sys.stdin.readline

NEXT = {"a": "b", "b": "c", "c": "a"}


def step(ribbon):
    moved = ribbon.pop(0)
    ribbon.append(moved)
    if moved == "b":
        ribbon.reverse()
    elif moved == "c":
        ribbon[:] = [NEXT[letter] for letter in ribbon]


if __name__ == "__main__":
    k = int(input())
    ribbon = list(input().strip())
    for _ in range(k):
        step(ribbon)
    print("".join(ribbon))
