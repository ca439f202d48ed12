# refuse: RED501 a step changes what the term reads, as a part of an object
"""Parts of objects that are written."""

import torch


class Box:
    pass


def of_an_object(m: torch.Tensor, x: torch.Tensor):
    t = x * 0
    v = Box()
    v.a = x
    for _ in range(3):
        t = t + m @ x
        if True:
            v.a += 1
    return t


def set_by_a_method(m: torch.Tensor, x: torch.Tensor):
    t = x * 0
    v = {k: r for k, r in enumerate(m)}
    for _ in range(3):
        t = t + m @ x
        v[0].__setitem__(0, 7)
    return t


def cases(rng):
    yield "of_an_object", (torch.rand(3, 3), torch.rand(3, 3)), {}
    yield "set_by_a_method", (torch.rand(3, 3), torch.rand(3, 3)), {}
