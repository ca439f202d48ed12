# expect: ASC101 safe scope=walked
# expect: ASC101 safe scope=named
import torch


def walked(x: torch.Tensor, k: float):
    h = torch.zeros_like(x[0])
    out = []
    for v in (row * k for row in x):
        h = 0.9 * h + v
        out.append(h)
    return torch.stack(out)


def named(x: torch.Tensor, k: float):
    terms = (row * k for row in x)
    h = torch.zeros_like(x[0])
    for v in terms:
        h = 0.9 * h + v
    return h


def cases(rng):
    x = torch.tensor(rng.normal(size=(4, 3)), dtype=torch.float32)
    for name in ("walked", "named"):
        yield name, (x.clone().requires_grad_(), 0.5), {}
