# expect: ASC106 safe scope=average_price
def average_price(prices: list[float]) -> float:
    total = 0.0
    for price in prices:
        total += price
    return total / len(prices)


def cases(rng):
    for n in (1, 3, 50):
        yield "average_price", ((10 * rng.random(n)).tolist(),), {}
