# refuse: ASC106 ASC101 LOC301 LOC302 the next loop over the same name may take no step
import numpy as np
import torch


def totals(xs: list[float], ys: list[float]):
    s = 0
    for x in xs:
        s += x
    for x in ys:
        s = s * x + 1
    return s, x


def told_at_the_end(xs: list[float], ys: list[float]):
    s, seen = 0, []
    for x in xs:
        s += x
    for x in ys:
        seen.append(x)
    else:
        seen.append(x)
    return s, seen


def sooner(xs: list[float], bounds: list[float]):
    x = None
    for bound in bounds:
        s = 0
        for x in xs:
            s += x
        if s > bound:
            break
        x = 5
    return x


def caught(xs: list[float], ys: list[float]):
    x = 0
    try:
        s = 0
        for x in xs:
            s += x
        s = s / len(ys)
        x = 5
    except ZeroDivisionError:
        pass
    return x


def asked_within(xs: list[float], ys: list[float]):
    x = 0

    def last():
        return x

    s = 0
    for x in xs:
        s += x
    found = last()
    x = 1
    return s, found, x


def walked_by_its_number(xs: list[int], ys: list[float]):
    s = 0
    for x in xs:
        s += x
    return s, [x for x in range(x)]


def smoothed(x: torch.Tensor, y: torch.Tensor, a: float):
    h = torch.zeros_like(x[0])
    for t in range(x.size(0)):
        h = a * h + x[t]
    for t in range(y.size(0)):
        h = h + torch.tanh(h * y[t])
    return h, t


def product(a: np.ndarray, b: np.ndarray, ys: list[float]):
    n, m = a.shape[0], b.shape[1]
    out = np.zeros((n, m))
    for i in range(n):
        for j in range(m):
            for k in range(a.shape[1]):
                out[i, j] += a[i, k] * b[k, j]
    for i, k, j in ys:
        print(i)
    return out, i, j, k


def averaged(x: np.ndarray, ys: list[float]):
    out = np.zeros(len(x))
    for i in range(1, len(x) - 1):
        out[i] = (x[i - 1] + x[i] + x[i + 1]) / 3
    for i in range(len(ys)):
        print(ys[i])
    return out, i


def cases(rng):
    for name in ("totals", "told_at_the_end", "sooner", "caught", "asked_within"):
        for ys in ([], [4.0]):
            yield name, ([1.0, 3.0, 2.0], ys), {}
    yield "walked_by_its_number", ([1, 3, 2], []), {}
    for n in (0, 2):
        draw = lambda *s: torch.tensor(rng.standard_normal(s), requires_grad=True)
        yield "smoothed", (draw(3, 2), draw(n, 2), 0.5), {}
    yield "product", (rng.random((2, 3)), rng.random((3, 2)), []), {}
    yield "averaged", (rng.random(5), []), {}
