# refuse: SPA407 a GELU is zero nowhere
import torch
import torch.nn.functional as F


def mlp(x, w, u):
    hidden = F.gelu(x @ w)
    return hidden @ u


def cases(rng):
    yield "mlp", tuple(torch.tensor(rng.standard_normal((3, 3))) for _ in range(3)), {}
