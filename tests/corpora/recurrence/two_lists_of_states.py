# expect: ASC101 safe scope=shifted
# expect: ASC105 safe scope=summed
import torch


def shifted(g):
    steps, width = g.shape
    h = torch.zeros(width)
    hs = []
    before = []
    for t in range(steps):
        h = 0.9 * h + g[t]
        before.append(h)
        hs.append(h)
    hs = torch.stack(hs)
    before = torch.stack(before)
    before[0] = 0
    return hs, before


def summed(x):
    steps, width = x.shape
    s = torch.zeros(width)
    p = []
    q = []
    for t in range(steps):
        s = s + x[t]
        p.append(s)
        q.append(s)
    p = torch.stack(p)
    q = torch.stack(q)
    q += 1
    return p, q


def cases(rng):
    for name in ("shifted", "summed"):
        yield name, (torch.tensor(rng.standard_normal((5, 3)), dtype=torch.float32),), {}
