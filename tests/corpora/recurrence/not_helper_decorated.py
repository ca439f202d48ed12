# refuse: what is called is what the decorator makes of the helper
import torch


def twice(g):
    return lambda *given: 2 * g(*given)


@twice
def step(h, z):
    return 0.5 * h + z


@torch.no_grad()
def still(h, z):
    return 0.5 * h + z


def smooth(x: torch.Tensor):
    h = torch.zeros(3)
    out = []
    for t in range(x.shape[0]):
        h = step(h, x[t])
        out.append(h)
    return torch.stack(out)


def smooth_still(x: torch.Tensor):
    h = torch.zeros(3)
    out = []
    for t in range(x.shape[0]):
        h = still(h, x[t]) + 0 * x[t]
        out.append(h)
    return torch.stack(out)


def cases(rng):
    for n in (1, 5):
        x = torch.tensor(rng.standard_normal((n, 3))).float().requires_grad_()
        yield "smooth", (x,), {}
        yield "smooth_still", (x,), {}
