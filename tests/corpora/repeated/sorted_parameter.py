# expect: RED502 safe scope=f
def f(xs):
    lo = min(sorted(xs)[1:])
    hi = max(sorted(xs)[:-1])
    return lo, hi


def cases(rng):
    def L(n):
        return [float(v) for v in rng.standard_normal(n)]

    for args in [(L(4),)]:
        yield "f", args, {}
