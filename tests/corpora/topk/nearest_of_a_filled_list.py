# expect: ASC110 safe scope=vote
# expect: ASC110 safe scope=brightest
# expect: ASC110 safe scope=cheapest
# may: ASC106 safe|advice scope=vote
import math


def vote(rows: list[list[float]], names: list[str], point: list[float], k: int) -> list[str]:
    gaps = []
    for row, name in zip(rows, names):
        gap = math.sqrt(sum((a - b) ** 2 for a, b in zip(row, point)))
        gaps.append((gap, name))
    gaps.sort(key=lambda pair: pair[0])
    nearest = gaps[:k]
    return [name for _, name in nearest]


def brightest(frames: list[list[int]], k: int) -> list[int]:
    found: list[int] = []
    for frame in frames:
        if not frame:
            continue
        found.extend(frame)
        if len(found) > 60:
            break
    found.sort(reverse=True)
    found = found[:k]
    return found


def cheapest(offers: dict[str, float], limit: float) -> list[str]:
    listed = []
    for shop, price in offers.items():
        if price <= limit:
            listed.append((price, shop))
    listed.sort()
    return [shop for _, shop in listed[:3]]


def cases(rng):
    for n, k in ((0, 2), (1, 1), (7, 3), (7, 0), (5, -2), (40, 5)):
        rows = [[float(rng.integers(0, 4)), float(rng.normal())] for _ in range(n)]
        yield "vote", (rows, [f"n{i}" for i in range(n)], [0.5, 0.25], k), {}
        frames = [[int(v) for v in rng.integers(0, 9, 1 + i % 3)] for i in range(n)]
        yield "brightest", (frames, k), {}
        yield "cheapest", ({f"s{i}": float(rng.integers(0, 5)) for i in range(n)}, 3.0), {}
