# expect: SPA403 safe scope=SparseBlock.forward
import torch
import torch.nn.functional as F
from torch import nn


class SparseBlock(nn.Module):
    def __init__(self, dim=6, num_experts=4, top_k=2):
        super().__init__()
        self.top_k = top_k
        self.num_experts = num_experts
        self.gate = nn.Linear(dim, num_experts, bias=False)
        self.experts = nn.ModuleList([nn.Linear(dim, dim) for _ in range(num_experts)])

    def forward(self, x):
        shape = x.shape
        x = x.view(-1, shape[-1])
        weights = F.softmax(self.gate(x), dim=1, dtype=torch.float)
        weights, chosen = torch.topk(weights, self.top_k, dim=-1)
        weights /= weights.sum(dim=-1, keepdim=True)
        weights = weights.to(x.dtype)
        final = torch.zeros_like(x)
        mask = F.one_hot(chosen, num_classes=self.num_experts).permute(2, 1, 0)
        for e in range(self.num_experts):
            nth, token = torch.where(mask[e])
            current = x[None, token].reshape(-1, shape[-1])
            current = self.experts[e](current) * weights[token, nth, None]
            final.index_add_(0, token, current.to(x.dtype))
        return final.reshape(shape)


def cases(rng):
    for shape in ((2, 5, 6), (1, 1, 6)):
        yield "SparseBlock()", (torch.randn(*shape, requires_grad=True),), {}
