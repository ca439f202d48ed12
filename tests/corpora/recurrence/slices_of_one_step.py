# expect: ASC101 safe scope=run
import torch


def run(x: torch.Tensor, g: float):
    B, L, D = x.shape
    h = torch.zeros(B, 1, D)
    outs = []
    for t in range(L):
        h = g * h + x[:, t : t + 1]
        outs.append(h)
    return torch.cat(outs, dim=1)


def draw(rng, *shape, grad=True, dtype=torch.float32):
    x = torch.tensor(rng.standard_normal(shape), dtype=dtype)
    return x.requires_grad_() if grad else x


def cases(rng):
    for n in (1, 8):
        yield "run", (draw(rng, 2, n, 3), 0.9), {}
