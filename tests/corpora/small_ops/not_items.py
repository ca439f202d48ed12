# refuse: items have no gradient
import torch


def item(x):
    out = torch.zeros(x.shape[0])
    for i in range(x.shape[0]):
        out[i] = x[i].item() * 2
    return out


def cases(rng):
    yield "item", (torch.from_numpy(rng.random(5)).float().requires_grad_(),), {}
