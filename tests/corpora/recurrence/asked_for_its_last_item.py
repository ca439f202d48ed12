# expect: ASC101 safe scope=by_length
# expect: ASC101 safe scope=by_truth
# expect: ASC101 advice scope=of_numbers
# expect: ASC101 advice scope=either_way
"""What a step begins with is the last item of the list, where that has any."""

import torch


def by_length(x, a: float):
    b, t, d = x.shape
    out = []
    for i in range(t):
        if len(out) == 0:
            h = x[:, i]
        else:
            h = a * out[-1] + (1 - a) * x[:, i]
        out.append(h)
    return torch.stack(out, 1)


def by_truth(x, a: float):
    b, t, d = x.shape
    out = []
    for i in range(t):
        out.append(a * out[-1] + x[:, i] if out else x[:, i])
    return torch.stack(out, 1)


def of_numbers(xs: list[float], a: float):
    out = []
    for x in xs:
        before = out[-1] if out else 0.0
        out.append(a * before + (1 - a) * x)
    return out


def either_way(xs: list[float], a: float):
    out = []
    for x in xs:
        if len(out) > 0:
            out.append(a * out[-1] + (1 - a) * x)
        else:
            out.append(x)
    return out


def cases(rng):
    for n in (1, 2, 5):
        x = torch.tensor(rng.standard_normal((2, n, 3)), dtype=torch.float32, requires_grad=True)
        yield "by_length", (x, 0.9), {}
        yield "by_truth", (x.detach().requires_grad_(), 0.9), {}
        for name in ("of_numbers", "either_way"):
            yield name, ([float(v) for v in rng.standard_normal(n)], 0.3), {}
