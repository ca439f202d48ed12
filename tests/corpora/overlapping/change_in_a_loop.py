# expect: RED503 safe scope=fewest

COINS = (1, 5, 7)


def fewest(amount: int):
    if amount == 0:
        return 0
    best = amount
    for coin in COINS:
        if coin <= amount:
            best = min(best, 1 + fewest(amount - coin))
    return best


def table(amounts):
    return [fewest(a) for a in amounts]


def cases(rng):
    yield "table", ([0, 1, 10, 14],), {}
