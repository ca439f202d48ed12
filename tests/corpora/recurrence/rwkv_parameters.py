# expect: ASC104 safe scope=wkv
import torch


def wkv(w, u, k, v):
    B, T, C = k.shape
    w = -torch.exp(w)
    aa = torch.zeros(B, C)
    bb = torch.zeros(B, C)
    pp = torch.full((B, C), -1e38)
    out = torch.empty(B, T, C)
    for t in range(T):
        kt, vt = k[:, t], v[:, t]
        ww = u + kt
        p = torch.maximum(pp, ww)
        e1 = torch.exp(pp - p)
        e2 = torch.exp(ww - p)
        out[:, t] = (e1 * aa + e2 * vt) / (e1 * bb + e2)
        ww = pp + w
        p = torch.maximum(ww, kt)
        e1 = torch.exp(ww - p)
        e2 = torch.exp(kt - p)
        aa = e1 * aa + e2 * vt
        bb = e1 * bb + e2
        pp = p
    return out


def cases(rng):
    def G(*s):
        return torch.tensor(rng.standard_normal(s), dtype=torch.float32, requires_grad=True)

    for batch, length, channels in ((2, 9, 3), (3, 4, 4), (4, 2, 3)):
        for decay in ((channels,), (batch, channels)):
            rows = G(batch, length, channels), G(batch, length, channels)
            yield "wkv", (G(*decay), G(channels), *rows), {}
