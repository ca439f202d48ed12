# refuse: the state is None again after a while
import torch


def run(x: torch.Tensor, a: float, k: int):
    h = None
    out = []
    for t in range(x.shape[0]):
        h = x[t] if h is None else a * h + x[t]
        out.append(h)
        if t == k:
            h = None
    return torch.stack(out)


def draw(rng, *shape, grad=True, dtype=torch.float32):
    x = torch.tensor(rng.standard_normal(shape), dtype=dtype)
    return x.requires_grad_() if grad else x


def cases(rng):
    for n in (1, 6):
        yield "run", (draw(rng, n, 3, grad=False), 0.5, 2), {}
