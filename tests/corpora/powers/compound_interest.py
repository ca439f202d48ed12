# expect: ASC114 safe scope=final_balance
def final_balance(balance: float, rate: float, months: int) -> float:
    month = 0
    while month < months:
        balance = balance + balance * rate / 12
        month += 1
    return balance


def cases(rng):
    for months in (0, 1, 5, 24):
        yield "final_balance", (1000.0, 0.03, months), {}
