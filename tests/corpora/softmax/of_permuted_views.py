# expect: ASC107 safe scope=softmax
# expect: ASC107 safe scope=weights
# expect: ASC107 safe scope=scores
"""Softmax of permuted views, and of products of permuted views, which are no permuted views."""

import torch


def softmax(x: torch.Tensor):
    e = torch.exp(x - x.max(-1, keepdim=True)[0])
    return e / e.sum(-1, keepdim=True)


def copied(x: torch.Tensor):
    p = softmax(x.transpose(1, 2))
    return p.transpose(1, 2).reshape(x.shape[0], -1)


def weights(x: torch.Tensor):
    turned = x.transpose(1, 2)
    e = torch.exp(turned - turned.amax(-1, keepdim=True))
    return e / e.sum(-1, keepdim=True)


def rows(x: torch.Tensor):
    p = weights(x)
    flat = p.transpose(1, 2).reshape(-1)
    flat[0] = -1
    return flat


def scores(q: torch.Tensor, k: torch.Tensor):
    s = q @ k.transpose(1, 2)
    e = torch.exp(s - s.amax(-1, keepdim=True))
    p = e / e.sum(-1, keepdim=True)
    return p.view(-1), p.stride()


def cases(rng):
    for shape in ((1, 2, 2), (2, 3, 4)):
        x = torch.tensor(rng.standard_normal(shape), dtype=torch.float32)
        yield "copied", (x,), {}
        yield "rows", (x,), {}
        yield "scores", (x, x + 1), {}
