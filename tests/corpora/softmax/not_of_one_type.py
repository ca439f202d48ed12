# refuse: the sum is taken in another type, or the scores alone are detached
import torch


def wide(x: torch.Tensor):
    e = torch.exp(x)
    z = e.sum(-1, keepdim=True, dtype=torch.float64)
    return e / z


def detached(x: torch.Tensor):
    e = torch.exp(x.detach() - x.amax(-1, keepdim=True))
    return e / e.sum(-1, keepdim=True)


def sum_without_gradients(x: torch.Tensor):
    e = torch.exp(x - x.amax(-1, keepdim=True))
    with torch.no_grad():
        z = e.sum(-1, keepdim=True)
    return e / z


def cases(rng):
    for name in ("wide", "detached", "sum_without_gradients"):
        x = torch.tensor(rng.normal(size=(3, 4)), dtype=torch.float32).requires_grad_()
        yield name, (x,), {}
