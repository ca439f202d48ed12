# refuse: weights are returned unless the caller says otherwise
import torch


def f(q, k, v, need_weights=True):
    w = torch.softmax(q @ k.transpose(-2, -1), -1)
    out = w @ v
    if need_weights:
        return out, w
    return out


def cases(rng):
    def draw(*shape):
        return torch.tensor(rng.standard_normal(shape), dtype=torch.float32).requires_grad_()

    yield "f", (draw(2, 5, 4), draw(2, 7, 4), draw(2, 7, 4)), {}
