# expect: ASC101 safe scope=wkv
import torch


def wkv(w, u, k, v):
    B, T, C = k.shape
    aa = torch.zeros(B, C)
    bb = torch.zeros(B, C)
    decay = torch.exp(-torch.exp(w))
    out = torch.empty_like(v)
    for t in range(T):
        kt, vt = k[:, t], v[:, t]
        e = torch.exp(u + kt)
        out[:, t] = (aa + e * vt) / (bb + e)
        ek = torch.exp(kt)
        aa = decay * aa + ek * vt
        bb = decay * bb + ek
    return out


def draw(rng, *shape, grad=True, dtype=torch.float32):
    x = torch.tensor(rng.standard_normal(shape), dtype=dtype)
    return x.requires_grad_() if grad else x


def cases(rng):
    for n in (1, 6):
        yield "wkv", (draw(rng, 4), draw(rng, 4), draw(rng, 2, n, 4), draw(rng, 2, n, 4)), {}
