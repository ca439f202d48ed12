# expect: ASC109 safe scope=attend
# expect: ASC109 safe scope=masked
import torch

SHARPNESS = 0.7


def similarity(a, b):
    return torch.matmul(a, b.transpose(-1, -2)) * SHARPNESS / a.size(-1) ** 0.5


def mix(scores, values):
    probabilities = torch.softmax(scores, dim=-1)
    return torch.matmul(probabilities, values)


def mix_kept(scores, values, keep):
    return mix(scores.masked_fill(~keep, -1e9), values)


def attend(q, k, v):
    scores = similarity(q, k)
    return mix(scores, v)


def masked(q, k, v, keep):
    return mix_kept(similarity(q, k), v, keep)


def cases(rng):
    given = [torch.randn(2, n, 4, requires_grad=True) for n in (5, 6, 6)]
    yield "attend", tuple(given), {}
    yield "masked", (*given, torch.tensor([True, True, False, True, False, True])), {}
    yield "masked", (*given, torch.zeros(6, dtype=torch.bool)), {}
