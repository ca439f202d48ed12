# refuse: RED502 what the term reads is changed in between, by another name of its memory
"""Other names of an array's memory: of a class, a shallow copy, an item of a dict, a choice."""

import copy

import numpy as np
import torch
from torch import nn


def of_a_class(m: torch.Tensor, x: torch.Tensor):
    class K:
        z = m

    a = torch.softmax(m @ x, -1)
    K.z[0] = 5
    return a + torch.softmax(m @ x, -1)


def shallow_copy(m: torch.Tensor, x: torch.Tensor):
    c = copy.copy(m)
    a = m @ x
    c[0] = 7
    return a + m @ x


def mapped(m: torch.Tensor, x: torch.Tensor):
    a = m @ x
    list(map(torch.Tensor.zero_, [m]))
    return a + m @ x


def put_by_keyword(m: torch.Tensor, x: torch.Tensor):
    d = {}
    d.update(a=m)
    b = m @ x
    d["a"] += 1
    return b + m @ x


def chosen(m: torch.Tensor, x: torch.Tensor):
    k = max([m], key=id)
    b = m @ x
    k[0] = 1
    return b + m @ x


def layer_by_position(m: torch.Tensor, x: torch.Tensor):
    act = nn.Dropout(0.5, True)
    a = m @ x
    act(m)
    return a + m @ x


class OwnLayer(nn.Module):
    def __init__(self):
        super().__init__()
        self.act = nn.ReLU(True)

    def forward(self, m: torch.Tensor, x: torch.Tensor):
        a = m @ x
        self.act(m)
        return a + m @ x


def rows(m: np.ndarray, x: np.ndarray):
    b = m @ x
    [r.fill(2.0) for r in m]
    return b + m @ x


def cases(rng):
    yield "of_a_class", (torch.rand(3, 3), torch.rand(3, 3)), {}
    yield "shallow_copy", (torch.randn(3, 3), torch.ones(3, 3)), {}
    yield "mapped", (torch.randn(3, 3), torch.ones(3, 3)), {}
    yield "put_by_keyword", (torch.randn(3, 3), torch.ones(3, 3)), {}
    yield "chosen", (torch.randn(3, 3), torch.ones(3, 3)), {}
    yield "layer_by_position", (torch.rand(3, 3), torch.ones(3, 3)), {}
    yield "OwnLayer()", (torch.randn(3, 3), torch.ones(3, 3)), {}
    yield "rows", (np.random.rand(3, 3), np.ones((3, 3))), {}
