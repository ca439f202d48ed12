# expect: RED503 safe scope=ways
# expect: RED503 safe scope=splits
# expect: RED503 safe scope=heaviest


def ways(amount: int, coins: tuple) -> int:
    if amount == 0:
        return 1
    total = 0
    for i, coin in enumerate(coins):
        if coin <= amount:
            total += ways(amount - coin, coins[i:])
    return total


def splits(text: str, words: frozenset) -> bool:
    if text == "":
        return True
    for k in range(len(text)):
        if text[: k + 1] in words and splits(text[k + 1 :], words):
            return True
    return False


def heaviest(weights: tuple) -> int:
    best = 0
    for i, weight in enumerate(weights):
        best = max(best, weight + heaviest(weights[i + 2 :]))
    return best


def cases(rng):
    for amount in (0, 1, 12):
        yield "ways", (amount, (1, 2, 5)), {}
    yield "ways", (3, ()), {}
    yield "splits", ("aabab", frozenset(("a", "ab", "b"))), {}
    yield "splits", ("aabac", frozenset(("a", "ab", "b"))), {}
    yield "splits", ("", frozenset()), {}
    for count in (0, 1, 9):
        yield "heaviest", (tuple(int(x) for x in rng.integers(-3, 9, count)),), {}
