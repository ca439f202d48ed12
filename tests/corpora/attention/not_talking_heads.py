# refuse: the weights of the heads are mixed before they meet the values
import torch
from torch import nn


class TalkingHeads(nn.Module):
    def __init__(self, heads):
        super().__init__()
        self.mix = nn.Parameter(torch.randn(heads, heads))

    def forward(self, q, k, v):
        weights = torch.einsum("bhid,bhjd->bhij", q, k).softmax(dim=-1)
        weights = torch.einsum("bhij,hg->bgij", weights, self.mix)
        return torch.einsum("bgij,bgjd->bgid", weights, v)


def cases(rng):
    draw = lambda *s: torch.tensor(rng.standard_normal(s), dtype=torch.float32)
    yield "TalkingHeads(3)", (draw(2, 3, 5, 4), draw(2, 3, 7, 4), draw(2, 3, 7, 4)), {}
