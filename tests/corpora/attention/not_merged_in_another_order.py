# refuse: the heads are merged with the batch in the other order
import torch


def attend(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, mask: torch.Tensor, heads: int):
    bh, t, d = q.shape
    b = bh // heads
    s = k.shape[1]
    w = torch.bmm(q, k.transpose(1, 2))
    w = w.view(b, heads, t, s) + mask
    w = w.transpose(0, 1).reshape(bh, t, s)
    w = torch.softmax(w, dim=-1)
    return torch.bmm(w, v)


def cases(rng):
    def made(*shape):
        return torch.tensor(rng.standard_normal(shape), requires_grad=True)

    q, k, v = made(6, 4, 4), made(6, 5, 4), made(6, 5, 3)
    yield "attend", (q, k, v, made(2, 1, 4, 5), 3), {}
