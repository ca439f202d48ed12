# refuse: the first peak is that of another list, is not the first one or is changed before the loop
def other(prices: list[float], bids: list[float]) -> list[float]:
    peak = bids[0]
    out = []
    for p in prices:
        if p > peak:
            peak = p
        out.append(peak)
    return out


def second(prices: list[float]) -> list[float]:
    peak = prices[1]
    out = []
    for p in prices:
        if p > peak:
            peak = p
        out.append(peak)
    return out


def changed(prices: list[float]) -> list[float]:
    peak = prices[0]
    prices[0] = -9.0
    out = []
    for p in prices:
        peak = max(peak, p)
        out.append(peak)
    return out


def cases(rng):
    for n in (2, 3, 9):
        prices = [float(v) for v in rng.standard_normal(n)]
        yield "other", (prices, [float(v) for v in rng.standard_normal(n)]), {}
        yield "second", (prices,), {}
        yield "changed", ([*prices],), {}
