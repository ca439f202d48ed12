# expect: ASC110 safe scope=largest
# expect: ASC110 safe scope=cheapest
# expect: ASC110 safe scope=nearest


def largest(xs: list[int], k: int):
    return sorted(xs)[-k:]


def cheapest(prices, k):
    return sorted(prices.items(), key=lambda item: item[1])[:k]


def nearest(distances: list, k):
    return sorted(range(len(distances)), key=lambda i: distances[i])[:k]


def cases(rng):
    numbers = [int(n) for n in rng.integers(9, size=7)]
    for k in (3, 1, 0, 9, -2, -9):
        yield "largest", (numbers, k), {}
        yield "cheapest", (dict(zip("abcdefg", numbers, strict=True)), k), {}
        yield "nearest", (numbers, k), {}
