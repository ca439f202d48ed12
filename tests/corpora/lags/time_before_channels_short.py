# expect: SYM604 safe scope=causal_conv
import torch


def causal_conv(u, k):
    L, D = u.shape
    (M,) = k.shape
    y = torch.zeros_like(u)
    for t in range(L):
        for s in range(M):
            if t - s >= 0:
                y[t, :] += k[s] * u[t - s, :]
    return y


def cases(rng):
    import torch

    def R(*s):
        return torch.tensor(rng.standard_normal(s), dtype=torch.float32)

    yield "causal_conv", (R(8, 3), R(8)), {}
    yield "causal_conv", (R(8, 3), R(3)), {}
    yield "causal_conv", (R(1, 3), R(3)), {}
