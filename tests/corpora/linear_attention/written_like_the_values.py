# expect: ASC103 safe scope=f
import torch


def f(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, g: torch.Tensor):
    B, L, H, D = q.shape
    S = q.new_zeros(B, H, D, D)
    out = torch.zeros_like(v)
    for t in range(L):
        S = g[:, t, :, None, None] * S + k[:, t].unsqueeze(-1) * v[:, t].unsqueeze(-2)
        out[:, t] = (q[:, t].unsqueeze(-2) @ S).squeeze(-2)
    return out


def cases(rng):
    def G(*s):
        return torch.tensor(rng.standard_normal(s), dtype=torch.float32, requires_grad=True)

    yield "f", (G(2, 7, 3, 4), G(2, 7, 3, 4), G(2, 7, 3, 4), torch.sigmoid(G(2, 7, 3))), {}
