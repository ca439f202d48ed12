# expect: ASC102 safe scope=selective_scan_seq
# expect: ASC102 safe scope=summed
# expect: ASC102 safe scope=with_last
import torch
from torch import Tensor


def selective_scan_seq(x, delta, A, B, C, D):
    b, L, ed = x.shape
    deltaA = torch.exp(delta.unsqueeze(-1) * A)
    deltaB = delta.unsqueeze(-1) * B.unsqueeze(2)
    BX = deltaB * (x.unsqueeze(-1))
    h = torch.zeros(b, ed, A.shape[1])
    hs = []
    for t in range(0, L):
        h = deltaA[:, t] * h + BX[:, t]
        hs.append(h)
    hs = torch.stack(hs, dim=1)
    y = (hs @ C.unsqueeze(-1)).squeeze(3)
    y = y + D * x
    return y


def summed(x: Tensor, dt: Tensor, A: Tensor, B: Tensor, C: Tensor):
    bs, L, d = x.shape
    h = x.new_zeros(bs, d, A.shape[1])
    hs = []
    for t in range(L):
        put = (dt[:, t] * x[:, t])[:, :, None] * B[:, t, None, :]
        h = torch.exp(dt[:, t, :, None] * A) * h + put
        hs.append(h)
    return torch.einsum("bldn,bln->bld", torch.stack(hs, 1), C)


def with_last(x: Tensor, dt: Tensor, A: Tensor, B: Tensor, C: Tensor):
    bs, L, d = x.shape
    h = x.new_zeros(bs, d, A.shape[1])
    states = []
    for t in range(L):
        put = (dt[:, t] * x[:, t])[:, :, None] * B[:, t, None, :]
        h = torch.exp(dt[:, t, :, None] * A) * h + put
        states.append(h)
    states = torch.stack(states, 1)
    return (states * C[:, :, None, :]).sum(-1), h


def cases(rng):
    for b, l in ((2, 5), (1, 1), (3, 20)):

        def made(*shape):
            return torch.tensor(rng.random(shape), dtype=torch.float32, requires_grad=True)

        a, parts = -made(4, 3).detach(), (made(b, l, 4), made(b, l, 4))
        reads = made(b, l, 3), made(b, l, 3)
        yield "selective_scan_seq", (*parts, a, *reads, made(4)), {}
        yield "summed", (*parts, a, *reads), {}
        yield "with_last", (*parts, a, *reads), {}
