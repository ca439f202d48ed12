# refuse: ASC109 the result has an axis of size 1 that only one operand has, by a view
import torch


def wider_queries(q, k, v):
    return (q.unsqueeze(0) @ k.transpose(-2, -1)).softmax(-1) @ v


def wider_keys(q, k, v):
    return (q @ k[None].mT).softmax(-1) @ v


def cases(rng):
    for lead in ((), (2,)):
        q, k, v = (torch.tensor(rng.standard_normal((*lead, *s))) for s in ((3, 4), (5, 4), (5, 2)))
        yield "wider_queries", (q, k, v), {}
        yield "wider_keys", (q, k, v), {}
