# refuse: ASC108 the rows or their mean are changed in between, under another name
"""Rows and means with a second name."""

import torch


def handed_to_a_lambda(m: torch.Tensor):
    u = m.mean(-1, keepdim=True)
    v = torch.broadcast_tensors(m, m)
    (lambda z: z.__setitem__(0, 5))(v[0])
    return ((m - u) ** 2).mean(-1)


def copied_list(m: torch.Tensor):
    u = m.mean(-1, keepdim=True)
    v = [m].copy()
    v[0].mul_(2)
    return ((m - u) ** 2).mean(-1)


def drawn_in_place(m: torch.Tensor):
    u = m.mean(-1, keepdim=True)
    v = [u][0]
    v.normal_(generator=torch.Generator().manual_seed(1))
    return ((m - u) ** 2).mean(-1)


def cases(rng):
    yield "handed_to_a_lambda", (torch.rand(3, 3),), {}
    yield "copied_list", (torch.rand(3, 3),), {}
    yield "drawn_in_place", (torch.rand(3, 3),), {}
