# expect: ASC109 safe scope=attend
import torch
from einops import rearrange


def exists(value):
    return value is not None


def attend(q, k, v, mask=None, causal=False):
    sim = torch.einsum("b h i d, b h j d -> b h i j", q, k)
    if exists(mask):
        mask = rearrange(mask, "b j -> b 1 1 j")
        sim = sim.masked_fill(~mask, -torch.finfo(sim.dtype).max)
    if causal:
        i, j = sim.shape[-2:]
        later = torch.ones((i, j), dtype=torch.bool, device=q.device).triu(j - i + 1)
        sim = sim.masked_fill(later, -torch.finfo(sim.dtype).max)
    attn = sim.softmax(dim=-1)
    return torch.einsum("b h i j, b h j d -> b h i d", attn, v)


def cases(rng):
    def draw(*shape):
        return torch.tensor(rng.standard_normal(shape), dtype=torch.float32).requires_grad_()

    keep = torch.tensor([[True] * 7, [False, False] + [True] * 5])
    for length in (1, 7):
        for mask in (None, keep):
            for causal in (False, True):
                operands = draw(2, 3, length, 4), draw(2, 3, 7, 4), draw(2, 3, 7, 4)
                yield "attend", (*operands, mask, causal), {}
