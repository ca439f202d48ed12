# refuse: without steps the state is None
import torch


def run(x: torch.Tensor, a: float):
    h = None
    out = torch.zeros_like(x)
    for t in range(x.shape[0]):
        h = x[t] if h is None else a * h + x[t]
        out[t] = h
    return out, h


def draw(rng, *shape, grad=True, dtype=torch.float32):
    x = torch.tensor(rng.standard_normal(shape), dtype=dtype)
    return x.requires_grad_() if grad else x


def cases(rng):
    for n in (0, 1, 4):
        yield "run", (draw(rng, n, 3, grad=False), 0.5), {}
