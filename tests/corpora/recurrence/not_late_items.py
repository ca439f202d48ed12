# refuse: items are computed from what the steps before them left, or from names bound anew
import torch


def of_its_own_state(x, a):
    h = torch.zeros_like(x[0])
    out = []
    for v in (xi * h for xi in x):
        h = a * h + v + 1
        out.append(h)
    return torch.stack(out)


def beside(x, a):
    h = torch.zeros_like(x[0])
    out = []
    for xi, g in zip(x, (torch.sigmoid(h) for _ in range(len(x)))):
        h = a * h + xi * g
        out.append(h)
    return torch.stack(out)


def bound_anew(x, k):
    scale = 0.5
    terms = (xi * scale for xi in x)
    scale = k
    h = torch.zeros_like(x[0])
    for t in terms:
        h = 0.9 * h + t
    return h


def added_up(x: torch.Tensor):
    k = 2.0
    rows = (row * k for row in x)
    k = 3.0
    s = torch.zeros(x.shape[1])
    for v in rows:
        s = s + v
    return s


def mapped(x, a):
    h = torch.zeros_like(x[0])
    for v in map(lambda row: row * h, x):
        h = a * h + v + 1
    return h


def cases(rng):
    x = torch.tensor(rng.normal(size=(4, 3)), dtype=torch.float32)
    for name in ("of_its_own_state", "beside", "bound_anew", "mapped"):
        yield name, (x.clone().requires_grad_(), 0.5), {}
    yield "added_up", (x,), {}
