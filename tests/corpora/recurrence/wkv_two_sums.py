# expect: ASC101 safe scope=wkv
import torch


def wkv(decay, bonus, k, v):
    """Time mixing with decaying weights: numerator and denominator are carried side by side.

    decay, bonus: (C,); k, v: (B, T, C). The current token gets `bonus` instead of a decay.
    """
    B, T, C = k.shape
    w = torch.exp(-torch.exp(decay))
    num = torch.zeros(B, C, dtype=k.dtype)
    den = torch.zeros(B, C, dtype=k.dtype)
    out = torch.empty_like(v)
    for t in range(T):
        kt, vt = k[:, t], v[:, t]
        e_now = torch.exp(bonus + kt)
        out[:, t] = (num + e_now * vt) / (den + e_now)
        e_k = torch.exp(kt)
        num = w * num + e_k * vt
        den = w * den + e_k
    return out


def cases(rng):
    for B, T in ((1, 1), (2, 2), (2, 35)):
        draw = lambda *s: torch.tensor(rng.standard_normal(s), dtype=torch.float32)
        k, v = draw(B, T, 4), draw(B, T, 4)
        args = (draw(4).requires_grad_(), draw(4), k.requires_grad_(), v.requires_grad_())
        yield "wkv", args, {}
