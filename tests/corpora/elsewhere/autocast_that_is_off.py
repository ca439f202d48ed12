# expect: RED507 safe scope=solved
import torch


def solved(a: torch.Tensor, b: torch.Tensor):
    """a: (N, N); b: (N, M)."""
    return torch.linalg.inv(a) @ b


def wide(a, b):
    with torch.autocast("cpu", enabled=False):
        return solved(a, b)


def cases(rng):
    yield "wide", (torch.eye(3) * 2, torch.ones(3, 4)), {}
