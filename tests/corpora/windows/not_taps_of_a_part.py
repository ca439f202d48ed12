# refuse: the last place of what is padded is read by no tap
import torch
import torch.nn.functional as F


def delayed(x: torch.Tensor, w: torch.Tensor):
    b, t = x.shape
    (k,) = w.shape
    z = F.pad(x, (k, 0))
    return sum(z[:, i : i + t] * w[i] for i in range(k))


def cases(rng):
    g = lambda *s: torch.from_numpy(rng.standard_normal(s)).float().requires_grad_()
    yield "delayed", (g(2, 5), g(3)), {}
