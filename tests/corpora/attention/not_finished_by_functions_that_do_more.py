# refuse: what finishes it does more, or reads something else
import torch
import torch.nn.functional as F

SEEN = []
SHARPNESS = 0.7


def similarity(a, b):
    return torch.matmul(a, b.transpose(-1, -2)) * SHARPNESS


def keeping(scores, values):
    weights = torch.softmax(scores, dim=-1)
    SEEN.append(weights)
    return torch.matmul(weights, values)


def checking(scores, values):
    assert scores.shape[-1] == values.shape[-2]
    return torch.matmul(torch.softmax(scores, dim=-1), values)


def dropping(scores, values):
    return torch.matmul(F.dropout(torch.softmax(scores, dim=-1), 0.1), values)


def plain(scores, values):
    return torch.matmul(torch.softmax(scores, dim=-1), values)


@torch.no_grad()
def quiet(scores, values):
    return torch.matmul(torch.softmax(scores, dim=-1), values)


def kept(q, k, v):
    return keeping(similarity(q, k), v)


def checked(q, k, v):
    return checking(similarity(q, k), v)


def dropped(q, k, v):
    return dropping(similarity(q, k), v)


def without_gradients(q, k, v):
    return quiet(similarity(q, k), v)


def scores_without_gradients(q, k, v):
    with torch.no_grad():
        scores = similarity(q, k)
    return plain(scores, v)


def scores_too(q, k, v):
    scores = similarity(q, k)
    return plain(scores, v), scores


def another_sharpness(q, k, v, SHARPNESS):
    return plain(similarity(q, k), v)


def changed(q, k, v):
    scores = similarity(q, k)
    q.zero_()
    return plain(scores, v)


def cases(rng):
    given = tuple(torch.randn(2, n, 4, requires_grad=True) for n in (5, 6, 6))
    for name in ("kept", "checked", "dropped", "without_gradients", "scores_too"):
        yield name, given, {}
    yield "scores_without_gradients", given, {}
    yield "another_sharpness", (*given, 2.0), {}
    yield "changed", tuple(torch.randn(2, n, 4) for n in (5, 6, 6)), {}
