# expect: SPA403 safe scope=Experts.forward
import torch
from torch import nn


class Experts(nn.Module):
    def __init__(self, d_in=4, d_out=3, n_experts=6):
        super().__init__()
        self.n_experts = n_experts
        self.gating = nn.Linear(d_in, n_experts)
        self.experts = nn.ModuleList([])
        for _ in range(n_experts):
            self.experts.append(
                nn.Sequential(
                    nn.LayerNorm(d_in), nn.Linear(d_in, 8), nn.Tanh(), nn.Linear(8, d_out)
                )
            )

    def forward(self, x):
        batch, features = x.shape
        probs = torch.softmax(self.gating(x), dim=1)
        top = torch.topk(probs, 2, dim=1)
        gates = torch.zeros(batch, self.n_experts, device=x.device)
        gates.scatter_(1, top.indices, top.values)
        gates = gates / gates.sum(dim=1, keepdim=True)
        outs = []
        for i in range(len(self.experts)):
            outs.append(self.experts[i](x))
        outs = torch.stack(outs, dim=1)
        mixed = torch.bmm(gates.unsqueeze(1), outs)
        return mixed.squeeze(1)


def tokens(rng, shape):
    return (torch.tensor(rng.standard_normal(shape)).float().requires_grad_(),)


def cases(rng):
    yield "Experts()", tokens(rng, (5, 4)), {}
    yield "Experts()", tokens(rng, (1, 4)), {}
    yield "Experts()", tokens(rng, (9, 4)), {}
