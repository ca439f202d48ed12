# refuse: RED502 one of the two results is changed in place

import torch


def masked(x: torch.Tensor, w: torch.Tensor):
    full = x @ w
    causal = x @ w
    causal.tril_()
    return (full - causal).sum(dim=-1)


def cases(rng):
    x, w = (torch.from_numpy(rng.normal(size=(3, 3))).float() for _ in "ab")
    yield "masked", (x, w), {}
