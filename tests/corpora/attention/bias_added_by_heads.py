# expect: ASC109 safe scope=attend
# expect: ASC109 safe scope=attend_maybe
import torch
import torch.nn.functional as F


def attend(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, mask: torch.Tensor, heads: int):
    bh, t, d = q.shape
    b = bh // heads
    s = k.shape[1]
    w = torch.bmm(q, k.transpose(1, 2))
    w = w.view(b, heads, t, s) + mask
    w = w.view(bh, t, s)
    w = torch.softmax(w, dim=-1)
    return torch.bmm(w, v)


def attend_maybe(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, heads: int, mask=None):
    bsz = q.shape[0] // heads
    tgt, src = q.shape[1], k.shape[1]
    weights = torch.bmm(q, k.transpose(1, 2))
    if mask is not None:
        weights = weights.view(bsz, heads, tgt, src) + mask
        weights = weights.view(bsz * heads, tgt, src)
    weights = F.softmax(weights, dim=-1)
    return torch.bmm(weights, v)


def cases(rng):
    for b, heads, t, s in ((2, 3, 4, 5), (1, 1, 1, 1), (1, 2, 1, 3)):

        def made(*shape):
            return torch.tensor(rng.standard_normal(shape), requires_grad=True)

        q, k, v = made(b * heads, t, 4), made(b * heads, s, 4), made(b * heads, s, 3)
        for shape in ((b, 1, t, s), (b, heads, t, s), (t, s), (1, 1, 1, s)):
            yield "attend", (q, k, v, made(*shape), heads), {}
            yield "attend_maybe", (q, k, v, heads, made(*shape)), {}
        yield "attend_maybe", (q, k, v, heads), {}
