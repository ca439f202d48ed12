# expect: ASC101 safe scope=advantages
import torch


def advantages(r, v, done):
    n, d = r.shape
    adv = torch.zeros_like(r)
    last = 0
    for t in reversed(range(n)):
        if t == n - 1:
            nextv = v[-1]
        else:
            nextv = v[t + 1]
        nonterm = 1.0 - done[t].float()
        delta = r[t] + 0.99 * nextv * nonterm - v[t]
        last = delta + 0.99 * 0.95 * nonterm * last
        adv[t] = last
    return adv, adv + v


def cases(rng):
    def normal(*shape):
        return torch.tensor(rng.standard_normal(shape), dtype=torch.float32)

    done = torch.tensor(rng.random((7, 4)) > 0.5)
    yield "advantages", (normal(7, 4), normal(7, 4), done), {}
    yield "advantages", (normal(1, 4), normal(1, 4), done[:1].float()), {}
