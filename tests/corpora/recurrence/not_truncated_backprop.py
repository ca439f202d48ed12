# refuse: the gradient is cut every few steps
import torch


def unroll(a, u, every=8):
    h = torch.zeros_like(u[0])
    hs = []
    for t in range(u.shape[0]):
        if t % every == 0:
            h = h.detach()
        h = a * h + u[t]
        hs.append(h)
    return torch.stack(hs)


def cases(rng):
    a = torch.tensor(rng.uniform(0.5, 1, 4), dtype=torch.float32, requires_grad=True)
    u = torch.tensor(rng.standard_normal((20, 4)), dtype=torch.float32, requires_grad=True)
    yield "unroll", (a, u), {}
