# expect: ASC114 safe scope=modexp
def modexp(base, exponent, modulus):
    value = 1
    for _ in range(exponent):
        value = base * value
        value = value % modulus
    return value


def cases(rng):
    for case in ((2, 0, 7), (3, 200, 1000007), (-4, 9, 11), (5, 3, 1), (5, 3, -7)):
        yield "modexp", case, {}
