# refuse: prints each partial sum
def tally(amounts: list[float]) -> float:
    total = 0.0
    for amount in amounts:
        total += amount
        print(f"running total: {total:.2f}")
    return total


def cases(rng):
    yield "tally", ([1.5, 2.0, -0.25],), {}
