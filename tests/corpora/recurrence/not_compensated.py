# refuse: a compensation for rounding
import torch


def running(xs):
    s, c = 0.0, 0.0
    out = []
    for x in xs:
        y = x - c
        t = s + y
        c = (t - s) - y
        s = t
        out.append(s)
    return out


def cases(rng):
    yield "running", ([1.0, 2.0, 0.5],), {}
    yield "running", (torch.tensor(rng.random(5)),), {}
