# expect: RED501 safe scope=f
def f(xs):
    result = []
    for x in xs:
        result.append(x / sum(xs))
    return result


def cases(rng):
    def L(n):
        return [float(v) for v in rng.standard_normal(n)]

    for args in [(L(4),), ([],)]:
        yield "f", args, {}
