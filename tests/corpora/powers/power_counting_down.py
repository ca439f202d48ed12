# expect: ASC114 safe scope=power
def power(base: int, exponent: int) -> int:
    product = 1
    while exponent:
        product = base * product
        exponent = exponent - 1
    return product


def cases(rng):
    for base in (-3, 0, 10):
        for exponent in (0, 1, 2, 50):
            yield "power", (base, exponent), {}
