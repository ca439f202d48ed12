# refuse: two flags ask for the weights
import torch


def f(q, k, v, need=False, spread=False):
    w = torch.softmax(q @ k.transpose(-2, -1), -1)
    out = w @ v
    if spread:
        out = out / w.amax()
    if need:
        return out, w
    return out


def cases(rng):
    def draw(*shape):
        return torch.tensor(rng.standard_normal(shape), dtype=torch.float32).requires_grad_()

    for flags in ((False, False), (True, False), (False, True), (True, True)):
        yield "f", (draw(2, 5, 4), draw(2, 7, 4), draw(2, 7, 4), *flags), {}
