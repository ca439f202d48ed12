# refuse: RED503 the prices change between two calls

PRICES = {1: 1, 2: 5}


def best(n: int) -> int:
    if n == 0:
        return 0
    return max(PRICES.get(k, 0) + best(n - k) for k in range(1, n + 1))


def run(n):
    before = best(n)
    PRICES[3] = 100
    after = best(n)
    del PRICES[3]
    return before, after


def cases(rng):
    yield "run", (5,), {}
