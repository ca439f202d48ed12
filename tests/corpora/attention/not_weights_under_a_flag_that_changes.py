# refuse: the flag is another one when the weights are used
import torch


def f(q, k, v, need=False):
    w = torch.softmax(q @ k.transpose(-2, -1), -1)
    out = w @ v
    need = need or out.shape[-2] > 1
    if need:
        return out, w
    return out


def cases(rng):
    def draw(*shape):
        return torch.tensor(rng.standard_normal(shape), dtype=torch.float32).requires_grad_()

    yield "f", (draw(2, 5, 4), draw(2, 7, 4), draw(2, 7, 4)), {}
    yield "f", (draw(2, 1, 4), draw(2, 7, 4), draw(2, 7, 4)), {}
