# refuse: RED502 the call between writes the operand, as its last argument says
"""A function that is told to work in place by an argument without a name."""

import torch
import torch.nn.functional as F


def by_position(m: torch.Tensor, x: torch.Tensor):
    v = {x: 1} if False else {1: x}
    a = m @ x
    F.hardtanh(v[1], 0.2, 0.3, True)
    return a + m @ x


def cases(rng):
    yield "by_position", (torch.rand(3, 3), torch.rand(3, 3)), {}
