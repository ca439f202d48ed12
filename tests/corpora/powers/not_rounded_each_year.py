# refuse: ASC114 the balance is rounded at every step
def balance(amount: float, rate: float, years: int) -> float:
    for _ in range(years):
        amount = round(amount * (1 + rate), 2)
    return amount


def cases(rng):
    yield "balance", (100.0, 0.037, 11), {}
