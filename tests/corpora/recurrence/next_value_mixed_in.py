# expect: ASC101 safe scope=td_lambda
import torch


def td_lambda(r, v, g: float, lam: float):
    out = torch.empty_like(r)
    nxt = v[-1]
    for t in range(len(r) - 1, -1, -1):
        nxt = r[t] + g * ((1 - lam) * v[t + 1] + lam * nxt)
        out[t] = nxt
    return out


def cases(rng):
    yield (
        "td_lambda",
        (
            torch.randn(6, 2),
            torch.randn(7, 2),
            0.9,
            0.8,
        ),
        {},
    )
