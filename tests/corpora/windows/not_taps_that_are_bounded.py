# refuse: what was added up so far is bounded at every tap
import torch
import torch.nn.functional as F


def bounded(x: torch.Tensor, w: torch.Tensor):
    b, t = x.shape
    (k,) = w.shape
    z = F.pad(x, (k - 1, 0))
    acc = torch.zeros_like(x)
    for i in range(k):
        acc = (acc + z[:, i : i + t] * w[i]).clamp(max=1)
    return acc


def cases(rng):
    g = lambda *s: torch.from_numpy(rng.standard_normal(s)).float().requires_grad_()
    yield "bounded", (g(2, 5), g(3)), {}
