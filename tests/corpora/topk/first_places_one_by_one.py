# expect: ASC110 safe scope=neighbours
# expect: ASC110 safe scope=weakest
# expect: ASC110 safe scope=podium
# may: ASC106 safe|advice scope=weakest


def neighbours(known, row, count):
    gaps = list()
    for each in known:
        gap = 0.0
        for i in range(len(row)):
            gap += (each[i] - row[i]) ** 2
        gaps.append((each, gap))
    gaps.sort(key=lambda pair: pair[1])
    found = list()
    for i in range(count):
        found.append(gaps[i][0])
    return found


def weakest(scores: list[int], k: int) -> int:
    ordered = sorted(scores)
    total = 0
    for i in range(1, k):
        total += ordered[i]
    return total


def podium(times: dict[str, float]) -> list[str]:
    names = sorted(times, key=lambda name: times[name])
    return [f"{i + 1}: {names[i]}" for i in range(3)]


def cases(rng):
    for n, k in ((3, 1), (9, 4), (9, 0), (9, -1), (20, 20)):
        known = [[float(v) for v in rng.integers(0, 3, 2)] for _ in range(n)]
        yield "neighbours", (known, [1.0, 0.5], k), {}
        yield "weakest", ([int(v) for v in rng.integers(0, 9, n)], k), {}
        yield "podium", ({f"p{i}": float(rng.normal()) for i in range(n)},), {}
