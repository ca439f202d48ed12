# expect: ASC114 safe scope=power
def power(x, n):
    result = 1
    for _ in range(n):
        result *= x
    return result


def cases(rng):
    import fractions

    for x in (3, -2, 1.5, True, 2 + 1j, fractions.Fraction(2, 3)):
        for n in (0, 1, 2, 17, -3):
            yield "power", (x, n), {}
