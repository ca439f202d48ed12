# refuse: RED503 a list cannot be hashed


def total(coins, amount):
    if amount == 0:
        return 1
    if amount < 0 or not coins:
        return 0
    return total(coins, amount - coins[0]) + total(coins[1:], amount)


def cases(rng):
    yield "total", ([1, 2, 5], 6), {}
