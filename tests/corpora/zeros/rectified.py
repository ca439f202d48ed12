# expect: SPA407 advice scope=mlp
import torch


def mlp(x, w, u):
    hidden = torch.relu(x @ w)
    return hidden @ u


def cases(rng):
    yield "mlp", tuple(torch.tensor(rng.standard_normal((3, 3))) for _ in range(3)), {}
