# expect: ASC105 safe scope=peaks
# expect: ASC105 safe scope=lows
def peaks(prices: list[float]) -> list[float]:
    peak = prices[0]
    out = []
    for p in prices:
        if p > peak:
            peak = p
        out.append(peak)
    return out


def lows(prices: list[float]) -> list[float]:
    lows = []
    low = prices[0]
    for p in prices:
        low = min(low, p)
        lows.append(low)
    return lows


def cases(rng):
    for n in (1, 2, 9):
        yield "peaks", ([float(v) for v in rng.standard_normal(n)],), {}
        yield "lows", ([float(v) for v in rng.integers(-3, 3, n)],), {}
