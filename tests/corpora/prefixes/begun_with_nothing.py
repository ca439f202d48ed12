# expect: ASC105 safe scope=highest
# expect: ASC105 safe scope=products
# expect: ASC105 safe scope=tops
# expect: ASC105 safe scope=sums
# expect: ASC105 safe scope=asked
"""A running value that is None before the first step, which takes its value as it is."""

import torch


def highest(x):
    b, t, d = x.shape
    best = None
    out = []
    for i in range(t):
        best = x[:, i] if best is None else torch.maximum(best, x[:, i])
        out.append(best)
    return torch.stack(out, 1)


def products(x):
    b, t, d = x.shape
    so_far = None
    out = []
    for i in range(t):
        if so_far is None:
            so_far = x[:, i]
        else:
            so_far = so_far * x[:, i]
        out.append(so_far)
    return torch.stack(out, 1)


def tops(xs: list[float]):
    top = None
    out = []
    for x in xs:
        if top is None or x > top:
            top = x
        out.append(top)
    return out


def sums(xs: list[int]):
    total = None
    out = []
    for x in xs:
        total = total + x if total is not None else x
        out.append(total)
    return out


def asked(xs: list[float]):
    out = []
    for x in xs:
        out.append(x if not out else max(out[-1], x))
    return out


def cases(rng):
    for n in (1, 2, 5):
        x = torch.tensor(rng.standard_normal((2, n, 3)), dtype=torch.float32, requires_grad=True)
        yield "highest", (x,), {}
        yield "products", (x.detach().requires_grad_(),), {}
    for n in (0, 1, 5):
        xs = [float(v) for v in rng.standard_normal(n)]
        yield "tops", (xs,), {}
        yield "asked", (xs,), {}
        yield "sums", ([int(v) for v in rng.integers(-5, 6, size=n)],), {}
