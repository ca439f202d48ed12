# refuse: an item is compared with the first one, not with the one before
def above_the_first(prices: list[float]) -> list[float]:
    low = [prices[0]]
    for price in prices[1:]:
        low.append(min(low[0] + price, price))
    return low


def cases(rng):
    for n in (1, 2, 9):
        yield "above_the_first", (rng.normal(size=n).tolist(),), {}
