# expect: ASC103 safe scope=f
import torch


def f(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor):
    B, L, H, D = q.shape
    S = q.new_zeros(B, H, D, D)
    out = torch.zeros_like(v)
    for t in range(L):
        S = S + k[:, t].unsqueeze(-1) * v[:, t].unsqueeze(-2)
        out[:, t] = torch.einsum("bhd,bhdv->bhv", q[:, t], S)
    return out


def cases(rng):
    def G(*s):
        return torch.tensor(rng.standard_normal(s), dtype=torch.float32)

    yield "f", (G(2, 7, 3, 4), G(2, 7, 3, 4), G(2, 7, 3, 4)), {}
