# expect: ASC114 unsafe scope=power
# expect: ASC114 safe scope=grown


def power(x, n):
    result = 1.0
    for _ in range(n):
        result *= x
    return result


def grown(balance: float, rate: float, years: int = 10) -> float:
    for _ in range(years):
        balance *= 1 + rate
    return balance


def both():
    return power(10.0, 400), power(n=400, x=0.5), grown(1.0, 0.5)


def cases(rng):
    yield "both", (), {}
