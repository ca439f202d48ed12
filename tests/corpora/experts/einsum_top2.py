# expect: SPA403 safe scope=SparseMoE.forward
import torch
import torch.nn.functional as F
from torch import nn


class FeedForward(nn.Module):
    def __init__(self, width, hidden):
        super().__init__()
        self.up = nn.Linear(width, hidden)
        self.act = nn.ReLU()
        self.down = nn.Linear(hidden, width)

    def forward(self, x):
        return self.down(self.act(self.up(x)))


class SparseMoE(nn.Module):
    """Two of the experts a token, all of them computed."""

    def __init__(self, width=6, num_experts=5, top_k=2):
        super().__init__()
        self.num_experts = num_experts
        self.top_k = top_k
        self.gate = nn.Linear(width, num_experts, bias=False)
        self.experts = nn.ModuleList(FeedForward(width, 9) for _ in range(num_experts))

    def forward(self, x):
        B, T, D = x.shape
        logits = self.gate(x)
        top_logits, top_idx = torch.topk(logits, self.top_k)
        sparse = torch.full_like(logits, float("-inf")).scatter(-1, top_idx, top_logits)
        gates = F.softmax(sparse, dim=-1)
        stacked = torch.stack([self.experts[i](x) for i in range(self.num_experts)], dim=2)
        return torch.einsum("bte,bted->btd", gates, stacked)


def tokens(rng, shape):
    return (torch.tensor(rng.standard_normal(shape)).float().requires_grad_(),)


def cases(rng):
    yield (
        "SparseMoE()",
        tokens(rng, (2, 3, 6)),
        {},
    )
    yield (
        "SparseMoE()",
        tokens(rng, (1, 1, 6)),
        {},
    )
    yield (
        "SparseMoE()",
        tokens(rng, (1, 7, 6)),
        {},
    )
