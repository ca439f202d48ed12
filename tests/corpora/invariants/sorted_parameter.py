# expect: RED501 safe scope=f
def f(xs):
    return [sorted(xs).index(x) for x in xs]


def cases(rng):
    def L(n):
        return [float(v) for v in rng.standard_normal(n)]

    for args in [(L(4),), ([],)]:
        yield "f", args, {}
