# expect: ASC103 unsafe scope=read_out
import torch


def read_out(x: torch.Tensor):
    """x: (T, D)."""
    steps, size = x.shape
    state = torch.zeros(size, size)
    out = []
    for t in range(steps):
        state = 0.9 * state + torch.outer(x[t], x[t])
        out.append(x[t] @ state)
    return torch.stack(out)


def narrow(x):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        return read_out(x)


def cases(rng):
    yield "narrow", (torch.randn(3, 4),), {}
