# expect: LOC303 safe scope=channels
import torch


def channels(x, w, b):
    c, H, W = x.shape
    o, _, kh, kw = w.shape
    out = torch.zeros(o, max(H - kh + 1, 0), max(W - kw + 1, 0))
    for m in range(o):
        for i in range(H - kh + 1):
            for j in range(W - kw + 1):
                s = b[m]
                for l in range(c):
                    for p in range(kh):
                        for q in range(kw):
                            s = s + x[l, i + p, j + q] * w[m, l, p, q]
                out[m, i, j] = s
    return out


def cases(rng):
    yield (
        "channels",
        (
            torch.from_numpy(rng.random((2, 5, 6))).float().requires_grad_(),
            torch.from_numpy(rng.random((3, 2, 2, 2))).float().requires_grad_(),
            torch.from_numpy(rng.random(3)).float().requires_grad_(),
        ),
        {},
    )
