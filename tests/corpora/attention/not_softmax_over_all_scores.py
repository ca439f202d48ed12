# refuse: ASC109 the weights are shares of all pairs, not of the keys of a query
import torch
import torch.nn.functional as F


def attend(q, k, v):
    scores = q @ k.transpose(-2, -1)
    weights = F.softmax(scores.view(scores.shape[0], -1), dim=-1).view_as(scores)
    return weights @ v


def cases(rng):
    def made(*shape):
        return torch.tensor(rng.standard_normal(shape), requires_grad=True)

    yield "attend", (made(2, 5, 4), made(2, 6, 4), made(2, 6, 3)), {}
    yield "attend", (made(1, 2, 2), made(1, 2, 2), made(1, 2, 2)), {}
