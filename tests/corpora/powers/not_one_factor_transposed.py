# refuse: ASC114 not all factors are the same
import torch


def mixed(m: torch.Tensor):
    rows, _ = m.shape
    return m @ m.T @ m @ m.T


def cases(rng):
    yield "mixed", (torch.randn(3, 3),), {}
