# expect: SPA403 safe scope=one_product
# expect: SPA403 safe scope=in_one_call
# expect: SPA403 safe scope=two_layers
# expect: SPA403 safe scope=gated
# expect: SPA403 safe scope=switch
# expect: SPA403 safe scope=Stacked.forward
import torch
import torch.nn.functional as F
from torch import nn


def one_product(x, w, router, k):
    logits = x @ router
    top, places = logits.topk(k, dim=-1)
    gate = torch.zeros_like(logits).scatter(-1, places, top.softmax(-1))
    y = torch.einsum("bd,edh->beh", x, w)
    return (y * gate[:, :, None]).sum(1)


def in_one_call(x, w, router):
    logits = x @ router
    top, places = torch.topk(logits.softmax(-1), 2, dim=-1)
    gate = torch.zeros_like(logits).scatter_(-1, places, top)
    return torch.einsum("bd,be,ehd->bh", x, gate, w)


def two_layers(x, w1, w2, router, k):
    logits = x @ router
    top, places = torch.topk(logits, k, dim=-1)
    gate = torch.zeros_like(logits).scatter(-1, places, top.softmax(-1))
    hidden = F.gelu(torch.einsum("td,edh->teh", x, w1))
    y = torch.einsum("teh,eho->teo", hidden, w2)
    return (y * gate.unsqueeze(-1)).sum(dim=1)


def gated(x, wg, w1, w2, router):
    logits = torch.einsum("bsd,de->bse", x, router)
    top, places = logits.topk(2, -1)
    gate = torch.full_like(logits, float("-inf")).scatter(-1, places, top).softmax(-1)
    opened = F.silu(torch.einsum("bsd,edh->bseh", x, wg))
    h = torch.einsum("bsd,edh->bseh", x, w1) * opened
    y = torch.einsum("bseh,ehd->bsed", h, w2)
    return torch.einsum("bse,bsed->bsd", gate, y)


def switch(x, w, router):
    chosen = (x @ router).argmax(-1)
    y = torch.einsum("bd,edh->ebh", x, w)
    return (F.one_hot(chosen, 5).to(x.dtype).T[:, :, None] * y).sum(0)


class Stacked(nn.Module):
    def __init__(self, d, h, n):
        super().__init__()
        self.w1 = nn.Parameter(torch.randn(n, h, d))
        self.w2 = nn.Parameter(torch.randn(n, d, h))
        self.router = nn.Linear(d, n)

    def forward(self, x):
        scores = self.router(x)
        weights, chosen = scores.softmax(-1).topk(2, dim=-1)
        gate = torch.zeros_like(scores).scatter_(-1, chosen, weights)
        h = torch.relu(torch.einsum("...d,nhd->...nh", x, self.w1))
        y = torch.einsum("...nh,ndh->...nd", h, self.w2)
        return torch.einsum("...n,...nd->...d", gate, y)


def cases(rng):
    def draw(*shape):
        return torch.tensor(rng.standard_normal(shape), dtype=torch.float32).requires_grad_()

    for n in (7, 1, 0):
        yield "one_product", (draw(n, 4), draw(5, 4, 3), draw(4, 5), 2), {}
        yield "one_product", (draw(n, 4), draw(5, 4, 3), draw(4, 5), 5), {}
        yield "in_one_call", (draw(n, 4), draw(5, 3, 4), draw(4, 5)), {}
        yield "two_layers", (draw(n, 4), draw(5, 4, 3), draw(5, 3, 6), draw(4, 5), 2), {}
        stacks = draw(5, 4, 3), draw(5, 4, 3), draw(5, 3, 4)
        yield "gated", (draw(2, n, 4), *stacks, draw(4, 5)), {}
        yield "switch", (draw(n, 4), draw(5, 4, 3), draw(4, 5)), {}
        yield "Stacked(4, 6, 5)", (draw(n, 4),), {}
        yield "Stacked(4, 6, 5)", (draw(2, n, 4),), {}
