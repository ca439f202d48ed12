# refuse: ASC106 a list of tensors has no method `sum`
"""Sums and products of a list of tensors from a given start."""

from __future__ import annotations

import torch


def total(parts: list[torch.Tensor]):
    acc = torch.zeros(3)
    for part in parts:
        acc = torch.add(acc, part)
    return acc


def product(parts: tuple[torch.Tensor, ...]):
    acc = torch.ones(3)
    for i in range(len(parts)):
        acc = torch.mul(acc, parts[i].exp())
    return acc


def cases(rng):
    def tensor():
        return torch.from_numpy(rng.standard_normal(3).astype("float32")).requires_grad_()

    for count in (0, 1, 4):
        yield "total", ([tensor() for _ in range(count)],), {}
        yield "product", (tuple(tensor() for _ in range(count)),), {}
