# expect: ASC106 safe scope=moments
# expect: ASC106 safe scope=weighted
def moments(returns):
    total = 0.0
    squares = 0.0
    for r in returns:
        total += r
        squares += r**2
    count = len(returns)
    mean = total / count
    return mean, squares / count - mean**2


def weighted(prices, weights):
    value = 0.0
    weight = 0.0
    k = 0
    while k < len(prices):
        value += prices[k] * weights[k]
        weight += weights[k]
        k += 1
    return value / weight


def cases(rng):
    yield "moments", ([1.0, 2.5, 4.0],), {}
    yield "weighted", ([1.0, 2.5], [0.5, 2.0]), {}
