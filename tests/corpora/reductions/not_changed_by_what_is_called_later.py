# refuse: ASC106 what is kept is an item of the array, which a later call changes
"""Calls that change the array of which the loop keeps an item."""

import torch


def many_at_once(m: torch.Tensor):
    v = m.contiguous()
    best = m[0]
    for i in range(1, len(m)):
        if m[i] > best:
            best = m[i]
    torch._foreach_add_([v], 1.0)
    return best * 1


class Holder:
    def __init__(self, a):
        self.a = a

    def bump(self):
        self.a += 1


def by_an_object(m: torch.Tensor):
    best = m[0]
    for i in range(1, len(m)):
        if m[i] > best:
            best = m[i]
    Holder(m).bump()
    return best * 1


def cases(rng):
    yield "many_at_once", (torch.rand(3),), {}
    yield "by_an_object", (torch.rand(3),), {}
