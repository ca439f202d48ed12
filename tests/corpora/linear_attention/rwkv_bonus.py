# expect: ASC103 safe scope=TimeMix.wkv
import torch
from torch import nn


class TimeMix(nn.Module):
    def __init__(self, heads, size):
        super().__init__()
        self.u = nn.Parameter(torch.linspace(-1, 1, heads * size).view(heads, size))
        self.w = nn.Parameter(torch.linspace(-4, 0, heads * size).view(heads, size))

    def wkv(self, r, k, v):
        B, T, H, N = r.shape
        w = torch.exp(-torch.exp(self.w))
        s = torch.zeros(B, H, N, N, dtype=r.dtype, device=r.device)
        out = torch.empty(B, T, H, N, dtype=r.dtype, device=r.device)
        for t in range(T):
            rt = r[:, t, :, None, :]
            kt = k[:, t, :, :, None]
            vt = v[:, t, :, None, :]
            kv = kt @ vt
            out[:, t] = (rt @ (self.u[:, :, None] * kv + s)).squeeze(2)
            s = w[:, :, None] * s + kv
        return out


def cases(rng):
    draw = lambda *s: torch.tensor(rng.standard_normal(s), dtype=torch.float32).requires_grad_()
    for b, l in ((1, 1), (2, 66)):
        args = tuple(draw(b, l, 2, 4) for _ in range(3))
        yield "TimeMix(2, 4).wkv", args, {}
