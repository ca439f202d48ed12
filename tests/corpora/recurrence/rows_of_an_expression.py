# expect: ASC101 safe scope=affine
# may: ASC101 any scope=centred
# may: ASC101 safe scope=gated
# may: ASC101 safe scope=folded
import functools

import torch


def affine(x, a):
    h = torch.zeros_like(x[0])
    out = []
    for t in range(len(x)):
        h = a[t] * h + (3 * x + 1)[t]
        out.append(h)
    return torch.stack(out)


def centred(x, a, mean):
    h = torch.zeros_like(x[0])
    for t in range(len(x)):
        h = a[t] * h + (x - mean)[t]
    return h


def gated(x, gate, h):
    out = []
    for t in range(len(x)):
        h = torch.sigmoid(gate)[t] * h + x[t]
        out.append(h)
    return torch.stack(out)


def folded(a, x):
    h = torch.zeros_like((x - 1)[0])
    return functools.reduce(lambda h, ax: ax[0] * h + ax[1], zip(a, x - 1), h)


def cases(rng):
    def draw(*s):
        return torch.tensor(rng.random(s), dtype=torch.float32)

    for steps in (1, 5):
        for rows, gates in (((3,), (3,)), ((3,), ()), ((2, 3), ()), ((2, 3), (1, 3)), ((), ())):
            x, a = draw(steps, *rows), draw(steps, *gates)
            yield "affine", (x, a), {}
            yield "gated", (x, a, draw(*rows)), {}
            yield "folded", (a, x), {}
            for mean in (draw(), draw(*rows), draw(*rows[-1:]), draw(steps, *rows)):
                yield "centred", (x, a, mean), {}
