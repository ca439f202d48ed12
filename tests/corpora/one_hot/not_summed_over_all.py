# refuse: SPA401 more than what stands at one place of each row is added up
import torch
import torch.nn.functional as F


def squared(logits: torch.Tensor, y: torch.Tensor):
    n, k = logits.shape
    (n,) = y.shape
    return ((F.one_hot(y, k) - logits) ** 2).sum()


def smoothed(logits: torch.Tensor, y: torch.Tensor):
    n, k = logits.shape
    (n,) = y.shape
    return ((F.one_hot(y, k) * 0.9 + 0.1 / k) * logits).sum()


def of_pairs(logits: torch.Tensor, y: torch.Tensor):
    n, k = logits.shape
    (n,) = y.shape
    return ((y[:, None] == y[None, :]).float() * (logits @ logits.T)).sum()


def cases(rng):
    for name in ("squared", "smoothed", "of_pairs"):
        yield name, (torch.randn(5, 3, requires_grad=True), torch.tensor(rng.integers(0, 3, 5))), {}
