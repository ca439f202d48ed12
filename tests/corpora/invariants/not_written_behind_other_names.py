# refuse: RED501 a step changes what the term reads, by another name of its memory
"""Other names of an array's memory: of a class, a shallow copy, an item of a dictionary."""

import copy

import torch
from torch import nn


def of_a_class(m: torch.Tensor, x: torch.Tensor):
    class K:
        z = m

    total = torch.zeros(3)
    for i in range(4):
        total = total + m.sum(0)
        K.z[0] = i + 7
    return total


def shallow_copy(m: torch.Tensor, x: torch.Tensor):
    c = copy.copy(m)
    t = torch.zeros(3, 3)
    for i in range(3):
        t = t + m @ x
        c.add_(1)
    return t


def put_by_keyword(m: torch.Tensor, x: torch.Tensor):
    d = {}
    d.update(a=m)
    t = torch.zeros(3, 3)
    for i in range(3):
        t = t + m @ x
        d["a"] += 1
    return t


def put_as_default(m: torch.Tensor, x: torch.Tensor):
    d = {}
    d.setdefault("a", m)
    t = torch.zeros(3, 3)
    for i in range(3):
        t = t + m @ x
        d["a"] += 1
    return t


def chosen(m: torch.Tensor, x: torch.Tensor):
    k = max([m], key=id)
    t = torch.zeros(3, 3)
    for i in range(3):
        t = t + m @ x
        k[0] = i
    return t


class OwnLayer(nn.Module):
    def __init__(self):
        super().__init__()
        self.act = nn.LeakyReLU(0.1, True)

    def forward(self, m: torch.Tensor, x: torch.Tensor):
        t = torch.zeros(3, 3)
        for i in range(3):
            t = t + m @ x
            self.act(m)
        return t


def cases(rng):
    yield "of_a_class", (torch.ones(3, 3), torch.ones(3)), {}
    yield "shallow_copy", (torch.randn(3, 3), torch.ones(3, 3)), {}
    yield "put_by_keyword", (torch.randn(3, 3), torch.ones(3, 3)), {}
    yield "put_as_default", (torch.randn(3, 3), torch.ones(3, 3)), {}
    yield "chosen", (torch.randn(3, 3), torch.ones(3, 3)), {}
    yield "OwnLayer()", (torch.randn(3, 3), torch.ones(3, 3)), {}
