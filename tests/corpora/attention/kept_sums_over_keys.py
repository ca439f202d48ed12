# expect: ASC109 safe scope=one_key_at_a_time
# expect: ASC109 safe scope=from_the_first_key
# expect: ASC109 safe scope=Streamed.forward
# expect: ASC109 safe scope=in_place
# may: RED502 safe scope=from_the_first_key
# may: RED502 safe scope=in_place
import math

import torch


def one_key_at_a_time(q, k, v):
    batch, heads, length, width = q.shape
    m = torch.full((batch, heads, length, 1), -math.inf, device=q.device)
    l = torch.zeros(batch, heads, length, 1, device=q.device)
    o = torch.zeros_like(q)
    for j in range(k.shape[2]):
        s = (q * k[:, :, j : j + 1]).sum(-1, keepdim=True) * width**-0.5
        new = torch.maximum(m, s)
        c = torch.exp(m - new)
        p = torch.exp(s - new)
        l = l * c + p
        o = o * c + p * v[:, :, j : j + 1]
        m = new
    return o / l


def from_the_first_key(q, k, v, scale: float):
    n, d = q.shape
    keys, d = k.shape
    keys, e = v.shape
    m = q @ k[0] * scale
    l = torch.ones(n)
    o = v[0].expand(n, e)
    for j in range(1, keys):
        s = q @ k[j] * scale
        new = torch.maximum(m, s)
        o = torch.exp(m - new)[:, None] * o + torch.exp(s - new)[:, None] * v[j]
        l = torch.exp(m - new) * l + torch.exp(s - new)
        m = new
    return o / l[:, None]


class Streamed(torch.nn.Module):
    def __init__(self, width):
        super().__init__()
        self.to_q = torch.nn.Linear(width, width)
        self.to_k = torch.nn.Linear(width, width)
        self.to_v = torch.nn.Linear(width, width)

    def forward(self, x):
        b, n, d = x.shape
        q, k, v = self.to_q(x), self.to_k(x), self.to_v(x)
        top = torch.full((b, n), float("-inf"))
        mass = torch.zeros(b, n)
        out = torch.zeros(b, n, d)
        for t in range(n):
            score = torch.einsum("bnd,bd->bn", q, k[:, t]) / math.sqrt(d)
            higher = torch.maximum(top, score)
            shrink = (top - higher).exp()
            weight = (score - higher).exp()
            mass = mass * shrink + weight
            out = out * shrink.unsqueeze(-1) + weight.unsqueeze(-1) * v[:, t].unsqueeze(1)
            top = higher
        return out / mass.unsqueeze(-1)


def in_place(q, k, v):
    n, d = q.shape
    steps, d = k.shape
    steps, e = v.shape
    m = q.new_full((n,), -math.inf)
    l = q.new_zeros(n)
    o = q.new_zeros(n, e)
    for j in range(steps):
        s = (q * k[j]).sum(1)
        new = torch.maximum(m, s)
        o *= torch.exp(m - new)[:, None]
        o += torch.exp(s - new)[:, None] * v[j]
        l *= torch.exp(m - new)
        l += torch.exp(s - new)
        m = new
    return o / l[:, None]


def cases(rng):
    def draw(*shape, dtype=torch.float32):
        return torch.tensor(rng.normal(size=shape), dtype=dtype).requires_grad_()

    four = draw(2, 3, 5, 4), draw(2, 3, 7, 4), draw(2, 3, 7, 4)
    yield "one_key_at_a_time", four, {}
    yield "one_key_at_a_time", tuple(x.detach().double() for x in four), {}
    yield "from_the_first_key", (draw(5, 4), draw(7, 4), draw(7, 3), 0.3), {}
    yield "from_the_first_key", (draw(5, 4), draw(1, 4), draw(1, 3), 0.3), {}
    yield "Streamed(4)", (draw(2, 6, 4),), {}
    with torch.no_grad():
        yield "in_place", tuple(x.detach() for x in (draw(5, 4), draw(7, 4), draw(7, 3))), {}
