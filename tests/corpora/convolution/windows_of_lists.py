# expect: LOC303 advice scope=highest
# expect: LOC303 advice scope=sums
# expect: LOC303 advice scope=averages
# expect: SYM604 advice scope=filtered
# expect: SYM604 advice scope=autocovariance
# may: ASC106 advice scope=autocovariance
def highest(a: list[float], k: int):
    return [max(a[i : i + k]) for i in range(len(a) - k + 1)]


def sums(a: list[float], k: int):
    return [sum(a[i : i + k]) for i in range(len(a) - k + 1)]


def averages(values: list[float], window: int):
    out = []
    for i in range(len(values) - window + 1):
        out.append(sum(values[i : i + window]) / window)
    return out


def filtered(x: list[float], taps: list[float]):
    return [sum(taps[k] * x[n - k] for k in range(len(taps))) for n in range(len(taps) - 1, len(x))]


def autocovariance(x: list[float], reach: int):
    n = len(x)
    m = sum(x) / n
    return [sum((x[t] - m) * (x[t + k] - m) for t in range(n - k)) / n for k in range(reach)]


def cases(rng):
    def L(n):
        return [float(v) for v in rng.normal(size=n)]

    for n in (9, 3):
        yield "highest", (L(n), 3), {}
        yield "sums", (L(n), 3), {}
        yield "averages", (L(n), 2), {}
        yield "filtered", (L(n), L(3)), {}
        yield "autocovariance", (L(n), 3), {}
