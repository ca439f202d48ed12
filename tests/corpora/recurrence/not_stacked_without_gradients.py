# refuse: the states are stacked where no gradients are recorded
import torch


def summed(x: torch.Tensor):
    h = torch.zeros_like(x[0])
    hs = []
    for v in x:
        h = h + v
        hs.append(h)
    with torch.no_grad():
        y = torch.stack(hs)
    return y + x


def decayed(x: torch.Tensor):
    h = torch.zeros_like(x[0])
    hs = []
    for v in x:
        h = 0.5 * h + v
        hs.append(h)
    with torch.inference_mode():
        y = torch.stack(hs)
    return x + y.clone()


def cases(rng):
    x = torch.tensor(rng.normal(size=(5, 3)), requires_grad=True)
    yield "summed", (x,), {}
    yield "decayed", (x.detach(),), {}
