n = int(input())
a = list(map(int, input().split()))
tube = []
for weight in a:
    if not tube or tube[-1] < weight:
        tube.append(weight)
    elif tube[-1] == weight:
        tube.pop()
    else:
        tube[-1] -= weight
if tube:
    print(*tube)
else:
    print(0)
