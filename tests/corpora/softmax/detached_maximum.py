# expect: ASC107 safe scope=weights
# The shift cancels, and so does its gradient: detaching it changes nothing.
import torch


def weights(x):
    with torch.no_grad():
        shift = x.max(dim=-1, keepdim=True).values
    e = torch.exp(x - shift)
    return e / e.sum(dim=-1, keepdim=True)


def cases(rng):
    x = torch.tensor(rng.standard_normal((3, 13)), dtype=torch.float32, requires_grad=True)
    yield "weights", (x,), {}
