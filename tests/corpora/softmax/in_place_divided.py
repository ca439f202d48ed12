# expect: ASC107 safe scope=probabilities
# expect: ASC107 safe scope=chained
# expect: ASC107 safe scope=rows
import numpy as np
import torch


def probabilities(logits: torch.Tensor):
    p = torch.exp(logits - logits.amax(dim=1, keepdim=True))
    p /= p.sum(dim=1, keepdim=True)
    return p


def chained(logits: torch.Tensor):
    p = logits.sub(logits.max(dim=1, keepdim=True)[0]).exp_()
    return p.div_(p.sum(dim=1, keepdim=True))


def rows(scores: np.ndarray):
    e = np.exp(scores - scores.max(axis=1, keepdims=True))
    e /= e.sum(axis=1, keepdims=True)
    return e


def cases(rng):
    for shape in ((3, 5), (1, 2), (4, 1)):
        made = rng.standard_normal(shape)
        yield "probabilities", (torch.tensor(made, dtype=torch.float32),), {}
        yield "chained", (torch.tensor(made),), {}
        yield "rows", (made,), {}
