# expect: ASC106 safe scope=longest
def longest(xs):
    m = float("-inf")
    for x in xs:
        y = abs(x)
        if y > m:
            m = y
    return m


def cases(rng):
    def L(n):
        return [float(v) for v in rng.standard_normal(n)]

    for args in [(L(6),), (L(1),)]:
        yield "longest", args, {}
