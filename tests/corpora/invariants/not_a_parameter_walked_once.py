# refuse: RED501 an iterator is empty the second time
def f(xs):
    out = []
    for i in range(3):
        out.append(sum(xs))
    return out


def cases(rng):
    def L(n):
        return [float(v) for v in rng.standard_normal(n)]

    for args in [(L(4),)]:
        yield "f", args, {}
