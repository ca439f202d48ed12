# expect: RED502 safe scope=metrics
# expect: RED502 safe scope=steps
# expect: RED502 unsafe scope=losses
import numpy as np
import torch


def metrics(pred, y):
    error = np.sqrt(np.mean((pred - y) ** 2))
    share = np.sqrt(np.mean((pred - y) ** 2)) / (y.max() - y.min())
    return error, share


def steps(xs, y):
    out = []
    for x in xs:
        error = np.mean((x - y) ** 2)
        out.append(error / np.sqrt(np.mean((x - y) ** 2)))
    return out


def losses(p: torch.Tensor, q: torch.Tensor):
    loss = torch.mean((p - q) ** 2)
    return loss, torch.log10(1 / torch.mean((p - q) ** 2))


def cases(rng):
    x, y = rng.normal(size=(3, 4)), rng.normal(size=(3, 4))
    yield "metrics", (x, y), {}
    yield "metrics", (x, y[0]), {}
    yield "metrics", (x.T[:, ::2].astype(np.float32), y.T[:, :2]), {}
    yield "steps", ([x, y + 1], y), {}
    yield "losses", (torch.randn(2, 3, requires_grad=True), torch.randn(3)), {}
