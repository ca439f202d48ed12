# expect: ASC101 safe scope=smooth
import torch


def smooth(x: torch.Tensor, a: float):
    B, L, D = x.shape
    h = torch.zeros(B, D)
    outs = []
    for t in range(L):
        h.mul_(a).add_(x[:, t, :])
        outs.append(h.clone())
    return torch.stack(outs, dim=1)


def draw(rng, *shape, grad=True, dtype=torch.float32):
    x = torch.tensor(rng.standard_normal(shape), dtype=dtype)
    return x.requires_grad_() if grad else x


def cases(rng):
    for n in (1, 9):
        yield "smooth", (draw(rng, 2, n, 3, grad=False), 0.8), {}
