# expect: ASC114 safe scope=compound
# What is hinted to be a float may be given as an int; the start makes a float of it.


def compound(rate: float, years: int) -> float:
    total = 1.0
    for _ in range(years):
        total = total * rate
    return total


def cases(rng):
    for rate, years in ((1.5, 7), (2, 5), (True, 3), (3, 0), (1.25, -1)):
        yield "compound", (rate, years), {}
