# expect: ASC109 safe scope=attend
# may: ASC109 safe scope=attend_filled
import torch


def attend(q, k, v, context, mask=None):
    sim = torch.einsum("bid,bjd->bij", q, k) * 0.5
    if mask is not None:
        large = -torch.finfo(context.dtype).max
        mask = mask[:, None, :]
        sim.masked_fill_(~mask, large)
    attn = sim.softmax(dim=-1)
    return torch.einsum("bij,bjd->bid", attn, v)


def attend_filled(q, k, v, context, mask=None):
    sim = torch.einsum("bid,bjd->bij", q, k) * 0.5
    if mask is not None:
        large = context.min().item() * 1e6
        context = context.abs()
        mask = mask[:, None, :]
        sim.masked_fill_(~mask, large)
    attn = sim.softmax(dim=-1)
    return torch.einsum("bij,bjd->bid", attn, v)


def cases(rng):
    def draw(*s):
        return torch.tensor(rng.standard_normal(s), dtype=torch.float32)

    q, k, v = draw(2, 5, 3), draw(2, 4, 3), draw(2, 4, 6)
    mask = torch.tensor(rng.random((2, 4)) > 0.3)
    context = -draw(3).abs() - 1
    for name in ("attend", "attend_filled"):
        yield name, (q, k, v, context), {}
        yield name, (q, k, v, context, mask), {}
        yield name, (q, k, v, context, mask & False), {}
