# may: ASC101 safe scope=and_where
import torch


def and_where(x: torch.Tensor):
    out = torch.zeros(len(x))
    h = torch.tensor(0.0)
    for t in range(len(x)):
        k = len(x) - 1 - t
        h = 0.9 * h + x[k]
        out[k] = h
    return out, k


def cases(rng):
    yield "and_where", (torch.tensor(rng.standard_normal(9), dtype=torch.float32),), {}
