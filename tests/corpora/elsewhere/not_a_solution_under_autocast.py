# expect: RED507 unsafe scope=solved
import torch


def solved(a: torch.Tensor, b: torch.Tensor):
    """a: (N, N); b: (N, M)."""
    return torch.linalg.inv(a) @ b


def narrow(a, b):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        return solved(a, b)


def cases(rng):
    yield "narrow", (torch.eye(3) * 2, torch.ones(3, 4)), {}
