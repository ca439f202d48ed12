# expect: ASC109 safe scope=Attention.forward
import torch
from torch import nn


class Attention(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads, self.size = heads, width // heads
        self.q, self.k, self.v = (nn.Linear(width, width) for _ in range(3))

    def forward(self, x, mask=None, *, output_attentions=False):
        b, t, d = x.shape
        q = self.q(x).view(b, t, self.heads, self.size).transpose(1, 2)
        k = self.k(x).view(b, t, self.heads, self.size).transpose(1, 2)
        v = self.v(x).view(b, t, self.heads, self.size).transpose(1, 2)
        scores = torch.matmul(q, k.transpose(-1, -2)) / self.size**0.5
        if mask is not None:
            scores = scores + mask
        probs = nn.functional.softmax(scores, dim=-1)
        context = torch.matmul(probs, v).transpose(1, 2).reshape(b, t, d)
        return (context, probs) if output_attentions else (context,)


def cases(rng):
    def draw(*shape):
        return torch.tensor(rng.standard_normal(shape), dtype=torch.float32).requires_grad_()

    for length in (1, 5):
        for words in ({}, {"output_attentions": True}):
            yield "Attention(8, 2)", (draw(2, length, 8),), words
            yield "Attention(8, 2)", (draw(2, length, 8), draw(2, 1, 1, length)), words
