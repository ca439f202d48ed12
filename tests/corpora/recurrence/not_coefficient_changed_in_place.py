# refuse: the coefficient is changed in place at each step
import torch


def run(x: torch.Tensor, a: torch.Tensor):
    h = torch.zeros(x.shape[1])
    out = []
    for t in range(x.shape[0]):
        a.mul_(0.9)
        h = a * h + x[t]
        out.append(h)
    return torch.stack(out)


def draw(rng, *shape, grad=True, dtype=torch.float32):
    x = torch.tensor(rng.standard_normal(shape), dtype=dtype)
    return x.requires_grad_() if grad else x


def cases(rng):
    yield "run", (draw(rng, 5, 3, grad=False), torch.full((3,), 0.9)), {}
