# refuse: a step reads the output of half the time
import torch


def fractal_smoothing(x, a):
    h = x[0]
    out = [h]
    for t in range(1, x.shape[0]):
        h = a * out[t // 2] + x[t]
        out.append(h)
    return torch.stack(out)


def cases(rng):
    yield "fractal_smoothing", (torch.tensor(rng.standard_normal((17, 2))), 0.8), {}
