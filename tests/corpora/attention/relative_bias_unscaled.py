# expect: ASC109 safe scope=BiasedAttention.forward
# No 1/sqrt(d), and a learned bias for each distance.
import torch
from torch import nn


class BiasedAttention(nn.Module):
    def __init__(self, d_model, n_heads, max_distance=16):
        super().__init__()
        self.n_heads = n_heads
        self.max_distance = max_distance
        self.q = nn.Linear(d_model, d_model, bias=False)
        self.k = nn.Linear(d_model, d_model, bias=False)
        self.v = nn.Linear(d_model, d_model, bias=False)
        self.relative_bias = nn.Embedding(2 * max_distance + 1, n_heads)

    def position_bias(self, length):
        pos = torch.arange(length)
        offset = (pos[None, :] - pos[:, None]).clamp(-self.max_distance, self.max_distance)
        return self.relative_bias(offset + self.max_distance).permute(2, 0, 1).unsqueeze(0)

    def forward(self, x):
        b, n, d = x.shape
        shape = (b, n, self.n_heads, d // self.n_heads)
        q = self.q(x).view(shape).transpose(1, 2)
        k = self.k(x).view(shape).transpose(1, 2)
        v = self.v(x).view(shape).transpose(1, 2)
        scores = torch.matmul(q, k.transpose(3, 2))
        scores += self.position_bias(n)
        weights = torch.softmax(scores.float(), dim=-1).type_as(scores)
        return torch.matmul(weights, v).transpose(1, 2).reshape(b, n, d)


def cases(rng):
    for n in (1, 20):
        x = torch.tensor(rng.standard_normal((2, n, 8)), dtype=torch.float32)
        yield "BiasedAttention(8, 2)", (x.requires_grad_(),), {}
