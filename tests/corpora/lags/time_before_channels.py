# expect: SYM604 unsafe scope=causal_conv
import torch


def causal_conv(u, k):
    B, L, D = u.shape
    (L,) = k.shape
    y = torch.zeros_like(u)
    for t in range(L):
        for s in range(t + 1):
            y[:, t, :] += k[s] * u[:, t - s, :]
    return y


def cases(rng):
    import torch

    def R(*s):
        return torch.tensor(rng.standard_normal(s), dtype=torch.float32)

    yield "causal_conv", (R(2, 8, 3), R(8)), {}
