# expect: ASC107 safe scope=masked_weights
import torch


def masked_weights(scores, valid):
    """Weights over the valid positions; each row has at least one."""
    scores = scores.masked_fill(~valid, float("-inf"))
    m = scores.max(-1, keepdim=True).values
    e = torch.exp(scores - m)
    return e / e.sum(-1, keepdim=True)


def cases(rng):
    scores = torch.tensor(rng.standard_normal((4, 9)), dtype=torch.float32, requires_grad=True)
    valid = torch.tensor(rng.random((4, 9)) < 0.6)
    valid[:, 2] = True
    yield "masked_weights", (scores, valid), {}
