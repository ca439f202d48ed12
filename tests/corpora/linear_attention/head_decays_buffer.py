# expect: ASC103 safe scope=MultiScaleRetention.recurrent
import torch
from torch import nn


class MultiScaleRetention(nn.Module):
    def __init__(self, heads):
        super().__init__()
        gammas = 1 - torch.exp(torch.linspace(-3.0, -6.0, heads))
        self.register_buffer("gammas", gammas)

    def recurrent(self, q, k, v):
        b, h, t, d = q.shape
        state = torch.zeros(b, h, d, d, device=q.device)
        outs = []
        for i in range(t):
            kv = k[:, :, i].unsqueeze(-1) * v[:, :, i].unsqueeze(-2)
            state = self.gammas.view(1, h, 1, 1) * state + kv
            o = (q[:, :, i].unsqueeze(-2) @ state).squeeze(-2)
            outs.append(o)
        return torch.stack(outs, dim=2)


def cases(rng):
    draw = lambda *s: torch.tensor(rng.standard_normal(s), dtype=torch.float32).requires_grad_()
    for b, l in ((1, 1), (2, 66)):
        args = tuple(draw(b, 3, l, 4) for _ in range(3))
        yield "MultiScaleRetention(3).recurrent", args, {}
