# refuse: every step has weights of its own
import torch
import torch.nn.functional as F


def dynamic(x: torch.Tensor, w: torch.Tensor):
    b, t = x.shape
    _, k = w.shape
    z = F.pad(x, (k - 1, 0))
    return sum(z[:, i : i + t] * w[:, i] for i in range(k))


def cases(rng):
    g = lambda *s: torch.from_numpy(rng.standard_normal(s)).float().requires_grad_()
    yield "dynamic", (g(5, 5), g(5, 3)), {}
