# expect: ASC114 safe scope=scale
def scale(base: int, exponent: int) -> float:
    product = 1.0
    for _ in range(exponent):
        product *= base
    return product


def cases(rng):
    for exponent in (0, 1, 30):
        yield "scale", (7, exponent), {}
