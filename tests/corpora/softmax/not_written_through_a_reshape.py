# expect: ASC107 unsafe scope=softmax
# expect: ASC107 unsafe scope=weights
"""A reshape of the result is a view of the elementwise code's and a copy of the operation's."""

import torch


def softmax(x: torch.Tensor):
    e = torch.exp(x - x.max(-1, keepdim=True)[0])
    return e / e.sum(-1, keepdim=True)


def silent(x: torch.Tensor):
    p = softmax(x.transpose(1, 2))
    flat = p.transpose(1, 2).reshape(-1)
    flat[0] = -1
    return p


def weights(x: torch.Tensor):
    scores = x.mT
    e = torch.exp(scores - scores.amax(-1, keepdim=True))
    return e / e.sum(-1, keepdim=True)


def doubled(x: torch.Tensor):
    p = weights(x)
    rows = p.mT.flatten()
    p.mul_(2)
    return rows


def cases(rng):
    for shape in ((1, 2, 2), (2, 3, 4)):
        x = torch.tensor(rng.standard_normal(shape), dtype=torch.float32)
        yield "silent", (x,), {}
        yield "doubled", (x,), {}
