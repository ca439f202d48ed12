# expect: ASC102 safe scope=written
# expect: ASC102 safe scope=backward
# expect: ASC102 safe scope=time_first
# expect: ASC102 safe scope=outer
import torch
from torch import Tensor


def written(u: Tensor, dt: Tensor, A: Tensor, B: Tensor, C: Tensor, h: Tensor):
    bsz, length, d = u.shape
    y = torch.empty_like(u)
    for t in range(length):
        dA = torch.exp(dt[:, t, :, None] * A)
        dB = dt[:, t, :, None] * B[:, t, None, :]
        h = dA * h + dB * u[:, t, :, None]
        y[:, t] = (h * C[:, t, None, :]).sum(-1)
    return y, h


def backward(u: Tensor, dt: Tensor, A: Tensor, B: Tensor, C: Tensor):
    b, l, d = u.shape
    h = u.new_zeros(b, d, A.shape[-1])
    y = torch.zeros_like(u)
    for t in range(l - 1, -1, -1):
        dB = dt[:, t, :, None] * B[:, t, None]
        h = torch.exp(dt[:, t, :, None] * A) * h + dB * u[:, t, :, None]
        y[:, t] = torch.einsum("bdn,bn->bd", h, C[:, t])
    return y


def time_first(us, dts, A, Bs, Cs):
    L, batch, dim = us.shape
    state = torch.zeros(batch, dim, A.size(-1), dtype=us.dtype)
    outs = []
    for u, dt, B, C in zip(us, dts, Bs, Cs):
        decay = (dt[..., None] * A[None]).exp()
        state = state * decay + (dt * u)[..., None] * B[:, None]
        outs.append(torch.bmm(state, C[..., None]).squeeze(-1))
    return torch.stack(outs)


def outer(x: Tensor, dt: Tensor, A: Tensor, B: Tensor, C: Tensor, D: Tensor):
    b, l, d = x.shape
    h = torch.zeros(b, d, A.shape[1])
    ys = []
    for i in range(l):
        put = (dt[:, i] * x[:, i]).unsqueeze(2) @ B[:, i].unsqueeze(1)
        h = torch.exp(dt[:, i].unsqueeze(2) * A) * h + put
        ys.append((h @ C[:, i].unsqueeze(2)).squeeze(2) + D * x[:, i])
    return torch.stack(ys, 1)


def cases(rng):
    for b, l in ((2, 5), (1, 1), (3, 20)):

        def made(*shape):
            return torch.tensor(rng.random(shape), dtype=torch.float32, requires_grad=True)

        a, parts = -made(4, 3).detach(), (made(b, l, 4), made(b, l, 4))
        reads = made(b, l, 3), made(b, l, 3)
        yield "written", (*parts, a, *reads, made(b, 4, 3)), {}
        yield "backward", (*parts, a, *reads), {}
        yield "outer", (*parts, a, *reads, made(4)), {}
        turned = [each.detach().transpose(0, 1).contiguous() for each in (*parts, *reads)]
        yield "time_first", (turned[0], turned[1], a, turned[2], turned[3]), {}
