# refuse: the coefficients are written while they are read
import torch


def run(x: torch.Tensor, a: torch.Tensor):
    h = torch.zeros(x.shape[1])
    out = []
    for t in range(x.shape[0]):
        h = a[t] * h + x[t]
        a[t] = 0
        out.append(h)
    return torch.stack(out)


def draw(rng, *shape, grad=True, dtype=torch.float32):
    x = torch.tensor(rng.standard_normal(shape), dtype=dtype)
    return x.requires_grad_() if grad else x


def cases(rng):
    yield "run", (draw(rng, 5, 3, grad=False), torch.rand(5, 3)), {}
