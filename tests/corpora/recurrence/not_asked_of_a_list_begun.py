# refuse: the list has items before, gets them at some steps only, or is seen by somebody else
"""Lists that are asked for their last item and are not those of the steps before."""

import torch


def begun(x, out, a: float):
    b, t, d = x.shape
    for i in range(t):
        out.append(a * out[-1] + x[:, i] if out else x[:, i])
    return torch.stack(out, 1)


def some(x, a: float):
    b, t, d = x.shape
    out = []
    for i in range(t):
        if i % 2:
            out.append(a * out[-1] + x[:, i] if out else x[:, i])
    return torch.stack(out or [x[:, 0]], 1)


def cleared(x, a: float):
    b, t, d = x.shape
    out = []
    for i in range(t):
        if i == 3:
            out.clear()
        out.append(a * out[-1] + x[:, i] if out else x[:, i])
    return torch.stack(out, 1)


def cases(rng):
    for n in (2, 5):
        x = torch.tensor(rng.standard_normal((2, n, 3)), dtype=torch.float32, requires_grad=True)
        yield "begun", (x, [torch.ones(2, 3)], 0.9), {}
        yield "some", (x.detach().requires_grad_(), 0.9), {}
        yield "cleared", (x.detach().requires_grad_(), 0.9), {}
