# expect: RED501 safe scope=f
def f(data):
    s = 0.0
    for i in range(len(data)):
        mean = sum(data) / len(data)
        s += (data[i] - mean) ** 2
    return s / len(data)


def cases(rng):
    def L(n):
        return [float(v) for v in rng.standard_normal(n)]

    for args in [(L(4),)]:
        yield "f", args, {}
